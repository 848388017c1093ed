//===- TokenAnswers.cpp - semantic tokens, as numbers ---------------------===//

#include "server/analysis/Syntax.h"
#include "server/features/SemanticTokens.h"
#include "server/lsp/Answer.h"

#include <algorithm>

using namespace kernelscope;

static constexpr size_t numbersPerToken = 5;
/// A text with more words has no colours as a whole, which would be hundreds of
/// megabytes; parts of it have.
static constexpr size_t mostWords = 8'000'000;

/// Five numbers a token, each place relative to the token before, as LSP packs
/// them.
std::vector<uint32_t> Answer::packTokens() const {
  std::vector<uint32_t> numbers;
  std::vector<SemanticToken> tokens =
      kernelscope::semanticTokens(document, span());
  numbers.reserve(numbersPerToken * tokens.size());
  size_t lastLine = 0;
  Span line = text.lineSpan(0), last{0, 0};
  for (const SemanticToken &token : tokens) {
    size_t linesDown = 0;
    if (token.span.begin > line.end) {
      size_t now = text.lineAt(token.span.begin);
      linesDown = now - lastLine;
      lastLine = now;
      line = text.lineSpan(now);
      last = {line.begin, line.begin};
    }
    // Each part of a line is walked once.
    for (size_t number :
         {linesDown,
          text.units({last.begin, token.span.begin}, client.encoding),
          text.units(token.span, client.encoding),
          static_cast<size_t>(token.kind),
          static_cast<size_t>(token.isDefinition)})
      numbers.push_back(number);
    last = token.span;
  }
  return numbers;
}

static void append(std::string &text, const uint32_t *begin,
                   const uint32_t *end) {
  text += '[';
  for (const uint32_t *number = begin; number != end; ++number) {
    if (number != begin)
      text += ',';
    text += std::to_string(*number);
  }
  text += ']';
}

static std::string fullAnswer(const SentTokens &sent) {
  std::string text =
      "{\"resultId\":\"" + std::to_string(sent.id) + "\",\"data\":";
  append(text, sent.numbers.data(), sent.numbers.data() + sent.numbers.size());
  return text + "}";
}

std::string Answer::semanticTokens() {
  if (document.syntax().tokens().size() > mostWords)
    return "null";
  sent = {sent.id + 1, packTokens()};
  return fullAnswer(sent);
}

/// One edit: from the first token that differs to the last.
std::string Answer::semanticTokensDelta() {
  if (document.syntax().tokens().size() > mostWords)
    return "null";
  bool isKnown = sent.id && params.previousResultId == std::to_string(sent.id);
  std::vector<uint32_t> before = std::move(sent.numbers);
  sent = {sent.id + 1, packTokens()};
  if (!isKnown)
    return fullAnswer(sent);
  const std::vector<uint32_t> &after = sent.numbers;
  size_t most = std::min(before.size(), after.size());
  size_t same =
      std::mismatch(before.begin(), before.begin() + most, after.begin())
          .first -
      before.begin();
  same -= same % numbersPerToken;
  size_t tail = std::mismatch(before.rbegin(), before.rbegin() + (most - same),
                              after.rbegin())
                    .first -
                before.rbegin();
  tail -= tail % numbersPerToken;
  std::string text =
      "{\"resultId\":\"" + std::to_string(sent.id) + "\",\"edits\":[";
  if (before != after) {
    text += "{\"start\":" + std::to_string(same) +
            ",\"deleteCount\":" + std::to_string(before.size() - same - tail) +
            ",\"data\":";
    append(text, after.data() + same, after.data() + after.size() - tail);
    text += "}";
  }
  return text + "]}";
}

std::string Answer::semanticTokensRange() {
  std::vector<uint32_t> numbers = packTokens();
  std::string text = "{\"data\":";
  append(text, numbers.data(), numbers.data() + numbers.size());
  return text + "}";
}
