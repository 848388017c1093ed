//===- RunCorpusTest.cpp - The corpus kernels agree with themselves -------===//
//
// Each kernel of the corpus, as TTIR and TTGIR and for every target that has
// it, runs in bounds on the default launch of its first file and gives the same
// bytes, twice. `corpus-failures.txt` lists what does not, and why.
//
// KS_TARGETS and KS_CORPUS choose the files: see CorpusRun.h.
//
//===----------------------------------------------------------------------===//

#include "CorpusRun.h"
#include "server/run/Report.h"
#include "llvm/Support/GlobPattern.h"

using namespace kernelscope::run;

namespace {

/// A line of corpus-failures.txt.
struct Known {
  std::string files, outcome;
};

std::vector<Known> readKnown() {
  std::vector<Known> known;
  std::ifstream file(KS_CORPUS_FAILURES);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#')
      continue;
    auto [pattern, rest] = llvm::StringRef(line).split(": ");
    known.push_back({pattern.str(), rest.split(": ").first.str()});
  }
  return known;
}

/// What corpus-failures.txt says of a file; "same" when it says nothing.
std::string expectedOf(const std::filesystem::path &file) {
  static const std::vector<Known> known = readKnown();
  const std::filesystem::path target = file.parent_path(),
                              release = target.parent_path(),
                              path = target.filename() / file.filename();
  for (const Known &line : known) {
    const auto pattern = llvm::cantFail(llvm::GlobPattern::create(line.files));
    if (pattern.match(path.string()) ||
        pattern.match((release.filename() / path).string()))
      return line.outcome;
  }
  return "same";
}

std::vector<const ArgumentValue *> buffersOf(const Launch &launch) {
  std::vector<const ArgumentValue *> buffers;
  for (const ArgumentValue &value : launch.arguments)
    if (value.info.isPointer)
      buffers.push_back(&value);
  return buffers;
}

/// "same", "close" or "different"; `what` says how.
std::string compare(const Launch &found, const Launch &expected,
                    std::string &what) {
  std::string outcome = "same";
  for (auto [value, wanted] :
       llvm::zip_equal(buffersOf(found), buffersOf(expected))) {
    if (value->bytes == wanted->bytes)
      continue;
    const auto difference =
        *reportOutput(*value, wanted, defaultTolerance(*wanted)).comparison;
    what += wanted->info.name + " differs by up to " +
            std::to_string(difference.maxAbsolute) + ", " +
            std::to_string(difference.outside) + " elements by too much; ";
    if (difference.outside)
      outcome = "different";
    else if (outcome == "same")
      outcome = "close";
  }
  return outcome;
}

/// The types of the buffers: targets may have formats of their own.
std::string typesOf(const Launch &launch) {
  std::string types;
  for (const ArgumentValue *value : buffersOf(launch))
    types += value->info.dtype + " ";
  return types;
}

/// A launch before and after the kernel ran.
struct Result {
  std::filesystem::path file;
  Launch before, after;
};

/// Runs a file and compares it with the first that takes its types.
std::string outcomeOf(const std::filesystem::path &file,
                      std::map<std::string, Result> &first, std::string &what) {
  CorpusKernel kernel(file);
  std::optional<Launch> launch;
  for (const auto &[types, result] : first)
    if (!launch)
      launch = kernel.sameAs(result.before);
  const bool isFirst = !launch;
  if (isFirst) {
    if (!first.empty())
      kernel.errors.clear();
    launch = kernel.resolve("{}");
  }
  Launch before = launch.value_or(Launch());
  const bool hasFinding = launch && !kernel.run(*launch);
  what = kernel.errors;
  if (hasFinding)
    launch = before;
  if (!launch || (hasFinding && !kernel.run(*launch, /*sanitize=*/false)))
    return "fails";
  const std::string types = typesOf(*launch);
  if (!isFirst) {
    const std::string outcome = compare(*launch, first.at(types).after, what);
    if (hasFinding)
      return outcome == "same" ? "finding" : "fails";
    return outcome;
  }
  if (hasFinding)
    return "finding";
  Launch again = before;
  EXPECT_TRUE(kernel.run(again)) << kernel.errors;
  EXPECT_EQ(compare(again, *launch, what), "same") << "two runs: " << what;
  first[types] = {file, std::move(before), std::move(*launch)};
  return "same";
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, EveryTargetAndStageGivesTheSameBytes) {
  KS_NEEDS_CORPUS();
  std::map<std::string, Result> first;
  for (const auto &file : corpusFiles()) {
    if (file.stem() != GetParam())
      continue;
    std::string what;
    const std::string outcome = outcomeOf(file, first, what),
                      expected = expectedOf(file);
    // What may only be close may be the same, by the release's choice.
    if (outcome != "same" || expected != "close")
      EXPECT_EQ(outcome, expected) << file << ": " << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(corpusKernels()),
                         [](const auto &info) { return info.param; });

} // namespace
