//===- Syntax.cpp - statements and their nesting, broken or not -----------===//

#include "server/analysis/SyntaxBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;
using llvm::StringRef;

Span Statement::header(const Syntax &syntax) const {
  if (regions.empty())
    return span;
  return {span.begin, syntax.region(regions.front()).openBrace()};
}

Syntax::Syntax(StringRef text, Nesting nesting)
    : source(text), lexed(lex(text)) {
  SyntaxBuilder(*this, nesting).run();
}

Syntax::Syntax(StringRef text, const Syntax &old) : source(text) {
  lexed = lex(text, old.source, old.lexed, changedTokens);
  SyntaxBuilder(*this, old, changedTokens).run();
}

size_t Syntax::tokenAfter(size_t offset) const {
  return llvm::partition_point(
             lexed.tokens,
             [&](const Token &token) { return token.end <= offset; }) -
         lexed.tokens.begin();
}

std::pair<size_t, size_t> Syntax::tokensIn(Span span) const {
  const size_t first = tokenAfter(span.begin);
  auto end = std::partition_point(
      lexed.tokens.begin() + first, lexed.tokens.end(),
      [&](const Token &token) { return token.begin < span.end; });
  return {first, end - lexed.tokens.begin()};
}

const Token *Syntax::tokenAt(size_t offset) const {
  size_t index = tokenAfter(offset);
  const auto &all = lexed.tokens;
  if (index < all.size() && all[index].begin <= offset &&
      all[index].kind != Token::Punctuation)
    return &all[index];
  if (index > 0 && all[index - 1].end == offset &&
      all[index - 1].kind != Token::Punctuation)
    return &all[index - 1];
  if (index < all.size() && all[index].begin <= offset)
    return &all[index];
  return nullptr;
}

SyntaxId Syntax::statementBefore(SyntaxId region, size_t offset) const {
  const std::vector<SyntaxId> &ids = allRegions[region].statements;
  auto after = llvm::partition_point(
      ids, [&](SyntaxId id) { return allStatements[id].span.begin <= offset; });
  return after == ids.begin() ? noSyntax : *std::prev(after);
}

SyntaxId Syntax::chunkAt(size_t offset) const {
  auto root = llvm::partition_point(
      roots, [&](SyntaxId id) { return allRegions[id].body.end < offset; });
  return root == roots.end() ? roots.back() : *root;
}

SyntaxId Syntax::regionAt(size_t offset) const {
  SyntaxId region = chunkAt(offset);
  while (true) {
    SyntaxId before = statementBefore(region, offset);
    if (before == noSyntax)
      return region;
    auto inner = llvm::find_if(allStatements[before].regions, [&](SyntaxId id) {
      return allRegions[id].body.touches(offset);
    });
    if (inner == allStatements[before].regions.end())
      return region;
    region = *inner;
  }
}

SyntaxId Syntax::statementAt(size_t offset) const {
  SyntaxId region = regionAt(offset);
  SyntaxId before = statementBefore(region, offset);
  if (before != noSyntax && allStatements[before].span.touches(offset))
    return before;
  return allRegions[region].owner;
}

const Token *Syntax::symbolOf(const Statement &statement) const {
  if (statement.kind != Statement::Operation)
    return nullptr;
  Span header = statement.header(*this);
  for (size_t i = tokenAfter(statement.name.end);
       i < statement.endToken && lexed.tokens[i].begin < header.end; ++i)
    if (lexed.tokens[i].kind == Token::Symbol)
      return &lexed.tokens[i];
  return nullptr;
}

const Token *Syntax::locationOf(const Statement &statement) const {
  if (statement.kind != Statement::Operation)
    return nullptr;
  const Token *end = lexed.tokens.data() + statement.endToken;
  // One word on a line of its own is the beginning of what follows the op.
  if (end[-1].firstOnLine && end[-1].kind != Token::Punctuation)
    --end;
  if (end - lexed.tokens.data() < statement.firstToken + 5)
    return nullptr;
  bool isLocation = end[-2].kind == Token::Hash && text(end[-4]) == "loc" &&
                    text(end[-3]) == "(" && text(end[-1]) == ")";
  return isLocation ? end - 2 : nullptr;
}

bool Syntax::isLocationAlias(const Statement &alias) const {
  size_t value = alias.firstToken + 2;
  return alias.kind == Statement::Alias && value < alias.endToken &&
         text(lexed.tokens[value]) == "loc";
}
