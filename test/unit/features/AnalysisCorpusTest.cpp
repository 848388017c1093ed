//===- AnalysisCorpusTest.cpp - real dumps, and one error in them ---------===//

#include "Dumps.h"
#include "server/analysis/Document.h"
#include "server/analysis/Unit.h"

#include <gtest/gtest.h>

#include <random>

using namespace kernelscope;
using llvm::StringRef;

namespace {

/// Whether Triton compiled the dump although its chip cannot run it, as
/// `message` says.
bool isKnown(const std::filesystem::path &dump, StringRef message) {
  const std::string target = dump.parent_path().filename(),
                    kernel = dump.stem();
  if (target == "cuda-90" && kernel == "desc_gather_scatter")
    return message.contains("no instruction on sm_90a");
  return target == "hip-gfx950" && kernel == "flash_fwd_hd128" &&
         message.contains("a block on gfx950 has 163840");
}

TEST(Corpus, HasNoErrors) {
  // A `.passes.mlir` has a module for each pass, down to LLVM's dialect.
  auto paths = dumps({".source", ".ttir", ".ttgir", ".mlir"});
  SKIP_WITHOUT_CORPUS(paths);
  for (const auto &path : paths) {
    std::string text = read(path);
    auto document = analyze(Text(std::move(text)), path.string());
    for (const Diagnostic &diagnostic : document->diagnostics())
      if (!isKnown(path, diagnostic.message))
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
