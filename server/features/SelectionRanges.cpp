//===- SelectionRanges.cpp - what a growing selection holds ---------------===//

#include "server/features/SelectionRanges.h"

#include "server/analysis/Syntax.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace kernelscope;
using llvm::StringRef;

/// The brackets in `statement`, without its regions, that hold `offset`.
static void addBrackets(const Syntax &syntax, const Statement &statement,
                        size_t offset, std::vector<Span> &spans) {
  const std::vector<Token> &tokens = syntax.tokens();
  std::vector<size_t> open;
  for (size_t i = statement.firstToken; i < statement.endToken; ++i) {
    StringRef word = syntax.text(tokens[i]);
    if (word == "(" || word == "[" || word == "{" || word == "<") {
      open.push_back(i);
      continue;
    }
    bool closes = word == ")" || word == "]" || word == "}" || word == ">";
    if (!closes || open.empty())
      continue;
    size_t first = open.back();
    open.pop_back();
    Span inside = {tokens[first].end, tokens[i].begin};
    if (!inside.touches(offset))
      continue;
    spans.push_back(inside);
    spans.push_back({tokens[first].begin, tokens[i].end});
    // With the word that they belong to.
    bool hasWord = first > statement.firstToken &&
                   tokens[first - 1].end == tokens[first].begin &&
                   tokens[first - 1].kind != Token::Punctuation;
    if (hasWord)
      spans.push_back({tokens[first - 1].begin, tokens[i].end});
  }
}

std::vector<Span> kernelscope::selectionRanges(const Document &document,
                                               size_t offset) {
  const Syntax &syntax = document.syntax();
  std::vector<Span> spans;
  if (const Token *token = syntax.tokenAt(offset))
    spans.push_back(token->span());
  SyntaxId id = syntax.statementAt(offset);
  while (id != noSyntax) {
    const Statement &statement = syntax.statement(id);
    Span header = statement.header(syntax);
    Span words = {header.begin,
                  header.begin + syntax.text(header).rtrim().size()};
    if (words.touches(offset)) {
      addBrackets(syntax, statement, offset, spans);
      spans.push_back(words);
    }
    for (SyntaxId region : statement.regions)
      if (syntax.region(region).body.touches(offset))
        spans.push_back(syntax.region(region).body);
    spans.push_back(statement.span);
    id = syntax.region(statement.parent).owner;
  }
  spans.push_back({0, document.text().size()});
  // Only those that grow.
  std::vector<Span> growing;
  llvm::sort(spans, [](Span a, Span b) {
    return std::pair(a.size(), a.begin) < std::pair(b.size(), b.begin);
  });
  for (Span span : spans)
    if (span.touches(offset) &&
        (growing.empty() || (span.contains(growing.back()) &&
                             span.size() > growing.back().size())))
      growing.push_back(span);
  return growing;
}
