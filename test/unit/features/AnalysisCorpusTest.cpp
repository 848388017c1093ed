//===- AnalysisCorpusTest.cpp - real dumps, and one error in them ---------===//

#include "Dumps.h"
#include "server/analysis/Document.h"
#include "server/analysis/Unit.h"

#include <gtest/gtest.h>

#include <random>

using namespace kernelscope;
using llvm::StringRef;

namespace {

TEST(Corpus, HasNoErrors) {
  // A `.passes.mlir` has a module for each pass, down to LLVM's dialect.
  auto paths = dumps({".source", ".ttir", ".ttgir", ".mlir"});
  SKIP_WITHOUT_CORPUS(paths);
  for (const auto &path : paths) {
    std::string text = read(path);
    auto document = analyze(Text(std::move(text)), path.string());
    // Triton compiles this one for Hopper up to TTGIR, though Hopper has no
    // instructions for it.
    const bool lacksInstructions = path.stem() == "desc_gather_scatter" &&
                                   path.parent_path().filename() == "cuda-90";
    for (const Diagnostic &diagnostic : document->diagnostics())
      if (!lacksInstructions ||
          !StringRef(diagnostic.message).contains("no instruction on sm_90a"))
        EXPECT_NE(diagnostic.severity, Severity::Error)
            << path << ": " << diagnostic.message;
  }
}

/// Removes a few characters from one line.
TEST(Corpus, ADamagedLineIsOneError) {
  auto paths = dumps();
  SKIP_WITHOUT_CORPUS(paths);
  std::mt19937 random(20260802);
  constexpr size_t rounds = 300;
  size_t unparsed = 0, errors = 0, damaged = 0;
  for (size_t round = 0; round < rounds; ++round) {
    std::string text = read(paths[random() % paths.size()]);
    size_t place = random() % text.size();
    size_t lineEnd = text.find('\n', place);
    text.erase(place, std::min<size_t>(1 + random() % 8, lineEnd - place));
    auto document = analyze(Text(text), "damaged");
    ++damaged;
    errors += document->diagnostics().size();
    for (const Unit &unit : document->units())
      unparsed += !unit.fragment->isParsed;
  }
  // Some wounds are two errors, such as a lost name of a value.
  EXPECT_LT(errors, 2 * damaged);
  EXPECT_LE(unparsed, 3u);
}

} // namespace
