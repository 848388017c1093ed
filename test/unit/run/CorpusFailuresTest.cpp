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
std::string runError(CorpusKernel &kernel, const std::string &name) {
  // The lengths in its sequences are in a buffer, and the default fill makes
  // them so long that it runs for minutes.
  if (name == "paged_decode")
    return "";
  std::optional<Launch> launch = kernel.resolve(R"({"grid": [2, 1, 1]})");
  return launch && kernel.run(*launch) ? "" : firstLine(kernel.errors);
}

/// What of the corpus does not run, each file with the first error; in front,
/// how many run. All files are planned; of each kernel one file is run, since
/// the others differ in layouts.
std::pair<size_t, std::string> listFailures() {
  std::vector<std::filesystem::path> files;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(corpus()))
    if (entry.path().extension() == ".ttir" ||
        entry.path().extension() == ".ttgir")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  size_t runs = 0;
  std::string failures;
  std::set<std::string> seen;
  for (const auto &file : files) {
    CorpusKernel kernel(file);
    std::string error = firstLine(kernel.errors);
    if (error.empty() && file.extension() == ".ttgir" &&
        seen.insert(file.stem().string()).second)
      error = runError(kernel, file.stem().string());
    runs += error.empty();
    if (!error.empty())
      failures += std::filesystem::relative(file, corpus()).string() + ": " +
                  error + "\n";
  }
  return {runs, std::to_string(runs) + " of " + std::to_string(files.size()) +
                    " run\n" + failures};
}

// UPDATE_EXPECT=1 writes the file anew; the number of those that run may only
// grow.
TEST(CorpusFailures, AreListed) {
  KS_NEEDS_CORPUS();
  const auto [runs, found] = listFailures();
  std::stringstream expected;
  expected << std::ifstream(KS_CORPUS_FAILURES).rdbuf();
  if (std::getenv("UPDATE_EXPECT")) {
    size_t before = 0;
    expected >> before;
    EXPECT_GE(runs, before);
    std::ofstream(KS_CORPUS_FAILURES) << found;
  } else {
    EXPECT_EQ(found, expected.str());
  }
}

} // namespace
