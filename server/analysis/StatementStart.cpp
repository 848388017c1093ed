//===- StatementStart.cpp - what a token may begin ------------------------===//

#include "server/analysis/StatementStart.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <string>

using namespace kernelscope;
using llvm::StringRef;

size_t ChunkTokens::columnOf(size_t i) const {
  size_t begin = tokens[i].begin;
  size_t lineBreak = source.rfind('\n', begin);
  return lineBreak == StringRef::npos ? begin : begin - lineBreak - 1;
}

/// The token after the `=` of `%a, %b:2 =`, or 0.
size_t ChunkTokens::skipResults(size_t i) const {
  while (is(i, Token::Value)) {
    ++i;
    if (is(i, ':') && is(i + 1, Token::Number))
      i += 2;
    if (is(i, '='))
      return i + 1;
    if (!is(i, ','))
      return 0;
    ++i;
  }
  return 0;
}

StatementStart ChunkTokens::startAt(size_t i, bool isAtTop,
                                    bool mayFollow) const {
  const Token &token = tokens[i];
  // Several aliases may be on one line.
  bool isAlias = isAtTop && i > first && is(i - 1, '>') &&
                 (token.kind == Token::Hash || token.kind == Token::Bang) &&
                 is(i + 1, '=');
  if (!token.firstOnLine && !isAlias && !mayFollow)
    return {};
  bool isLast = token.lastOnLine;
  switch (token.kind) {
  case Token::Value: {
    size_t next = skipResults(i);
    if (!next)
      return {};
    bool certain = tokens[next - 1].lastOnLine || is(next, Token::Identifier) ||
                   is(next, Token::String);
    return {true, certain, Statement::Operation};
  }
  case Token::Identifier: {
    StringRef word = text(i);
    if (!word.contains('.')) {
      bool isName = llvm::is_contained({"module", "return", "call"}, word) &&
                    !is(i + 1, '=') && !is(i + 1, '(');
      return {isName, false, Statement::Operation};
    }
    if (!isLast && is(i + 1, '='))
      return {};
    bool certain =
        isLast || !(is(i + 1, ',') || is(i + 1, '}') || is(i + 1, ']') ||
                    is(i + 1, ')') || is(i + 1, '>') || is(i + 1, ':'));
    return {true, certain, Statement::Operation};
  }
  case Token::String:
    return {is(i + 1, '('), is(i + 1, '('), Statement::Operation};
  case Token::Block:
    return {is(i + 1, ':') || is(i + 1, '('), false, Statement::Label};
  case Token::Hash:
  case Token::Bang: {
    isAlias = is(i + 1, '=') && (isAtTop || isAtLineStart(i));
    // `#name` at the start of a top-level line can only be an alias
    // definition.
    if (isAtTop && isAtLineStart(i))
      isAlias = isAlias || !text(i).contains('.');
    return {isAlias, isAlias, Statement::Alias};
  }
  case Token::Punctuation:
    if (from(i).starts_with("{-#"))
      return {true, true, Statement::Metadata};
    return {};
  default:
    return {};
  }
}

bool ChunkTokens::isRegionBrace(size_t i) const {
  bool isLast = tokens[i].lastOnLine;
  size_t next = i + 1;
  if (i > first && (is(i - 1, '<') || text(i - 1) == "attributes"))
    return false;
  if (next >= last || is(next, '}'))
    return true;
  if (is(next, Token::Block) || is(next, Token::Value))
    return true;
  if (is(next, Token::String))
    return is(next + 1, '(');
  if (!is(next, Token::Identifier))
    return isLast;
  if (is(next + 1, '=') || is(next + 1, ','))
    return false;
  return isLast || (!is(next + 1, '}') && text(next).contains('.'));
}

bool ChunkTokens::isFunction(size_t i) const {
  return is(i, Token::Identifier) && text(i).ends_with(".func");
}

size_t ChunkTokens::endOfBraces(size_t i, bool isInModule) const {
  constexpr StringRef openers = "([{", closers = ")]}";
  std::string open; // what closes each
  bool hasBody = false, isMatched = true;
  std::optional<bool> isIndented; // What the body's first line says.
  size_t at = i + 1;
  for (; at < last && !(tokens[at].firstOnLine && isFunction(at)); ++at) {
    if (tokens[at].firstOnLine && !isIndented && (hasBody || open.empty()) &&
        startAt(at, /*isAtTop=*/false, /*mayFollow=*/false).isStart)
      isIndented = !hasBody || columnOf(at) > columnOf(i);
    if (isIndented.value_or(false) && !isMatched)
      return i;
    if (!tokens[at].isStructural)
      continue;
    if (size_t kind = openers.find(head(at)); kind != StringRef::npos) {
      hasBody |= head(at) == '{' && open.empty() && isRegionBrace(at);
      open += closers[kind];
    } else if (closers.contains(head(at))) {
      isMatched = isMatched && !open.empty() && open.back() == head(at);
      if (!isMatched)
        continue;
      open.pop_back();
      if (!hasBody || !open.empty())
        continue;
      if (mayFollowFunction(at + 1, isInModule, columnOf(at) == columnOf(i)))
        return at + 1;
      isMatched = false;
    }
  }
  return isIndented.value_or(true) ? i : at;
}

/// Whether a function may end before `i`. `endsInLine`: its `}` stands below
/// its first word, as a person would write it.
bool ChunkTokens::mayFollowFunction(size_t i, bool isInModule,
                                    bool endsInLine) const {
  if (i < last && text(i) == "loc" && is(i + 1, '(')) {
    unsigned depth = 0;
    do {
      depth += is(++i, '(');
      depth -= is(i, ')');
    } while (depth > 0 && i < last);
    ++i;
  }
  if (i >= last)
    return !isInModule || endsInLine;
  if (is(i, '}'))
    return isInModule;
  if (isFunction(i))
    return true;
  Statement::Kind next = startAt(i, /*isAtTop=*/true, false).kind;
  return (next == Statement::Alias || next == Statement::Metadata) &&
         (!isInModule || endsInLine);
}
