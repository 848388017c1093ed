//===- CorpusFailuresTest.cpp - What of the corpus does not run -----------===//
//
// `corpus-failures.txt` lists the files that the executor does not run yet,
// each with its error. Every other file runs on the default launch.
//
//===----------------------------------------------------------------------===//

#include "CorpusRun.h"
#include <fstream>
#include <set>
#include <sstream>

using namespace kernelscope::run;

namespace {

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// The error of a kernel on the default launch of a few programs; empty when it
/// runs.
std::string runError(CorpusKernel &kernel) {
  std::optional<Launch> launch = kernel.resolve(R"({"grid": [2, 1, 1]})");
  return launch && kernel.run(*launch) ? "" : firstLine(kernel.errors);
}

struct Found {
  size_t runs = 0, files = 0;
  /// A line for each file that does not run, with its first error.
  std::string failures;
};

/// Plans all files and, since a kernel's files differ in layouts only, runs one
/// of each kernel.
Found findFailures() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(corpus()))
    if (entry.path().extension() == ".ttir" ||
        entry.path().extension() == ".ttgir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Found found;
  found.files = files.size();
  std::set<std::string> seen;
  for (const auto &file : files) {
    CorpusKernel kernel(file);
    std::string error = firstLine(kernel.errors);
    if (error.empty() && file.extension() == ".ttgir" &&
        seen.insert(file.stem().string()).second)
      error = runError(kernel);
    found.runs += error.empty();
    if (!error.empty())
      found.failures += std::filesystem::relative(file, corpus()).string() +
                        ": " + error + "\n";
  }
  return found;
}

// UPDATE_EXPECT=1 writes the file anew; the number of those that run may only
// grow.
TEST(CorpusFailures, AreListed) {
  KS_NEEDS_CORPUS();
  const Found found = findFailures();
  const std::string list = std::to_string(found.runs) + " of " +
                           std::to_string(found.files) + " run\n" +
                           found.failures;
  std::stringstream expected;
  expected << std::ifstream(KS_CORPUS_FAILURES).rdbuf();
  if (std::getenv("UPDATE_EXPECT")) {
    size_t before = 0;
    expected >> before;
    EXPECT_GE(found.runs, before);
    std::ofstream(KS_CORPUS_FAILURES) << list;
  } else {
    EXPECT_EQ(list, expected.str());
  }
}

} // namespace
