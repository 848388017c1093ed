//===- DamagedDumpsTest.cpp - Every place of real dumps, whole and damaged ===//

#include "AskAll.h"
#include "Dumps.h"
#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/features/Formatting.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

using namespace kernelscope;

namespace {

TEST(Dumps, EveryWordIsAnswered) {
  auto paths = dumps({".ttgir"});
  SKIP_WITHOUT_CORPUS(paths);
  // Of each kernel one dump: those for other chips differ in layouts.
  std::set<std::string> kernels = {"flash_fwd_causal",
                                   "bw_ws_persistent_matmul"};
  for (const auto &path : paths) {
    if (!kernels.erase(path.stem().string()))
      continue;
    auto document = analyze(Text(read(path)), path.string());
    size_t answered = 0;
    for (const Token &token : document->syntax().tokens())
      answered += hover(*document, token.begin).has_value();
    EXPECT_GT(answered, document->syntax().tokens().size() / 4) << path;
  }
}

/// Asks each feature about the text and the place in it.
void askAll(const Document &document, size_t offset) {
  ASSERT_EQ(askWhole(document) + askAt(document, offset), "");
  // Formatting changes blanks alone.
  auto words = [](std::string text) {
    std::erase_if(text, llvm::isSpace);
    return text;
  };
  const std::string text = document.text().str();
  ASSERT_EQ(words(text),
            words(withEdits(text, format(document, {0, text.size()}))));
}

/// One small damage: truncated, cut out, doubled, or a random character.
std::string maim(const std::string &text, std::mt19937 &random, size_t &place) {
  place = random() % text.size();
  size_t length = 1 + random() % 40;
  std::string result = text;
  switch (random() % 4) {
  case 0:
    result.resize(place);
    break;
  case 1:
    result.erase(place, length);
    break;
  case 2:
    result.insert(place, text.substr(random() % text.size(), length));
    break;
  default: {
    static const std::string characters = "{}()[]<>\"%#!@^=:,.x0\n\\/-";
    result[place] = characters[random() % characters.size()];
  }
  }
  place = std::min(place, result.size());
  return result;
}

TEST(Dumps, DamagedDumpsAreAnswered) {
  auto paths = dumps();
  SKIP_WITHOUT_CORPUS(paths);
  // The same wounds on every machine: mt19937 is specified to the bit.
  // KS_ROUNDS asks for more of them, KS_SEED for others.
  std::mt19937 random(numberFrom("KS_SEED", 20260801));
  const size_t rounds = numberFrom("KS_ROUNDS", 400);
  for (size_t round = 0; round < rounds; ++round) {
    const auto &path = paths[random() % paths.size()];
    size_t place = 0;
    std::string text = maim(read(path), random, place);
    // Several wounds now and then.
    while (random() % 4 == 0 && !text.empty())
      text = maim(text, random, place);
    SCOPED_TRACE(path.string() + ", round " + std::to_string(round));
    askAll(*analyze(Text(text), path.string()), place);
  }
}

/// What Triton printed is formatted. KS_ALL takes all dumps, not some.
TEST(Formatting, KeepsDumps) {
  auto paths = dumps();
  SKIP_WITHOUT_CORPUS(paths);
  std::shared_ptr<const Document> document;
  for (size_t i = 0; i < paths.size(); i += std::getenv("KS_ALL") ? 1 : 60) {
    AnalyzeOptions options;
    options.previous = document;
    document = analyze(Text(read(paths[i])), paths[i].string(), options);
    for (const TextEdit &edit :
         format(*document, Span{0, document->text().size()}))
      ADD_FAILURE() << paths[i] << " line "
                    << document->text().lineAt(edit.span.begin) + 1 << ": '"
                    << edit.newText << "'";
  }
}

} // namespace
