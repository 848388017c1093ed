//===- SyntaxBuilder.cpp - statements and regions from tokens -------------===//

#include "server/analysis/SyntaxBuilder.h"

#include <algorithm>

using namespace kernelscope;

void SyntaxBuilder::run() {
  // A line of a dump has twenty tokens or so.
  syntax.allStatements.reserve(syntax.tokens().size() / 16);
  size_t token = 0, begin = 0;
  for (Span comment : syntax.comments()) {
    if (!syntax.text(comment).starts_with("// -----"))
      continue;
    size_t next = syntax.tokenAfter(comment.begin);
    chunk({begin, comment.begin}, token, next);
    begin = comment.end;
    token = next;
  }
  chunk({begin, syntax.source.size()}, token, syntax.tokens().size());
}

void SyntaxBuilder::chunk(Span span, size_t first, size_t last) {
  size_t statements = syntax.allStatements.size();
  size_t regions = syntax.allRegions.size();
  size_t strays = syntax.strays.size();
  isBalanced = true;
  byIndentation = false;
  lacksOpeners = false;
  read(span, first, last);
  if (isBalanced)
    return;
  syntax.isBalanced = false;
  if (nesting == Nesting::Braces)
    return;
  // There is a missing or extra brace; the indentation decides which one.
  lacksOpeners = syntax.strays.size() > strays;
  syntax.allStatements.resize(statements);
  syntax.allRegions.resize(regions);
  syntax.strays.resize(strays);
  syntax.roots.pop_back();
  byIndentation = true;
  read(span, first, last);
}

void SyntaxBuilder::read(Span span, size_t first, size_t last) {
  tokens = ChunkTokens(syntax, first, last);
  lineIndent = first < last ? tokens.columnOf(first) : 0;
  frames.clear();
  deepFrame = none;
  resumeAt = first;
  matchedEnd = first;
  syntax.roots.push_back(openRegion(span.begin, noSyntax));
  frames.push_back({Frame::RegionBrace, '\0', 0, false, syntax.roots.back(),
                    noSyntax, 0, 0, 0});
  bool isAfterInner = false;
  for (size_t i = first; i < last; ++i) {
    // Most tokens are in the middle of a statement, and nothing but `take`
    // changes that.
    const Token &token = tokens[i];
    if (isAfterInner && !token.firstOnLine && !token.isStructural &&
        !token.isAny<Token::Hash, Token::Bang>())
      continue;
    if (i < resumeAt) {
      i = resumeAt - 1;
      isAfterInner = false;
      continue;
    }
    isAfterInner = isInner(i);
    if (!isAfterInner)
      take(i);
  }
  while (frames.size() > 1)
    abandonTop(last);
  finishStatement(frames.back(), last);
  syntax.allRegions[syntax.roots.back()].body.end = span.end;
}

/// Whether `i` begins no statement, and neither opens nor closes anything.
bool SyntaxBuilder::isInner(size_t i) const {
  const Token &token = tokens[i];
  if (token.firstOnLine || mayFollow(i))
    return false;
  const Frame &inner = frames.back();
  if (inner.kind == Frame::RegionBrace && inner.statement == noSyntax)
    return false;
  if (token.kind == Token::Hash || token.kind == Token::Bang)
    return frames.size() != 1;
  return !token.isStructural;
}

void SyntaxBuilder::take(size_t i) {
  if (tokens[i].firstOnLine)
    lineIndent = tokens.columnOf(i);
  if (frames.size() <= deepFrame)
    deepFrame = none;
  StatementStart start;
  if (deepFrame == none &&
      (!tokens[i].isStructural || tokens[i].firstOnLine || mayFollow(i)))
    start = tokens.startAt(i, frames.size() == 1, mayFollow(i));
  if (start.isStart && byIndentation && tokens[i].firstOnLine)
    nestByIndentation(i, start);
  if (start.isStart && start.kind == Statement::Alias)
    while (frames.size() > 1)
      abandonTop(i);
  if (start.isStart && frames.back().kind != Frame::RegionBrace) {
    if (!start.isCertain)
      start.isStart = false;
    else
      abandonBrackets(i);
  }
  if (start.isStart) {
    finishStatement(frames.back(), i);
    if (takeOver(i, start.kind))
      return;
    beginStatement(i, start.kind);
  }

  const char structural = tokens[i].isStructural ? tokens.head(i) : '\0';
  if (structural == '}' || structural == ')' || structural == ']')
    return close(i);
  if (frames.back().kind == Frame::RegionBrace &&
      frames.back().statement == noSyntax)
    beginStatement(i, Statement::Other);
  if (start.kind == Statement::Metadata && start.isStart)
    return takeMetadata(i);
  if (structural == '(')
    push(i, Frame::Bracket, ')');
  else if (structural == '[')
    push(i, Frame::Bracket, ']');
  else if (structural == '{')
    openBrace(i);
  else if (structural == ':' && frames.back().kind == Frame::RegionBrace &&
           current(frames.back()).kind == Statement::Label) {
    finishStatement(frames.back(), i + 1);
    labelEnd = i;
  }
}

/// Goes past the `#-}` that ends what begins at `i`.
void SyntaxBuilder::takeMetadata(size_t i) {
  resumeAt = i;
  while (resumeAt < tokens.end() && !tokens.from(resumeAt).starts_with("#-}"))
    ++resumeAt;
  resumeAt = std::min(resumeAt + 3, tokens.end());
}

void SyntaxBuilder::push(Frame::Kind kind, char closer, size_t indent,
                         bool opensLine, SyntaxId region) {
  size_t brace = innerBrace(), inner = innerRegion();
  frames.push_back({kind, closer, indent, opensLine, region, noSyntax, brace,
                    inner, frames[inner].depth + (region != noSyntax)});
}

SyntaxId SyntaxBuilder::openRegion(size_t bodyBegin, SyntaxId owner) {
  Region region;
  region.body = {bodyBegin, bodyBegin};
  region.owner = owner;
  syntax.allRegions.push_back(std::move(region));
  return syntax.allRegions.size() - 1;
}

void SyntaxBuilder::openBrace(size_t i) {
  const Frame &inner = frames[innerRegion()];
  bool isTooDeep = inner.depth == deepestNesting;
  if (isTooDeep || !tokens.isRegionBrace(i)) {
    if (isTooDeep)
      deepFrame = std::min(deepFrame, frames.size());
    return push(i, Frame::DictionaryBrace, '}');
  }
  SyntaxId owner = inner.statement;
  SyntaxId region = openRegion(tokens[i].end, owner);
  syntax.allStatements[owner].regions.push_back(region);
  push(i, Frame::RegionBrace, '}', region);
  opensRegion = i;
}

/// The 2 of `%x:2`.
static unsigned packSize(llvm::StringRef number) {
  unsigned count = 0;
  if (number.getAsInteger(10, count))
    count = 1;
  return std::min(count, mostResults);
}

void SyntaxBuilder::beginStatement(size_t i, Statement::Kind kind) {
  Frame &frame = frames.back();
  Statement statement;
  statement.kind = kind;
  statement.parent = frame.region;
  statement.firstToken = i;
  statement.span = tokens[i].span();
  size_t name = i;
  if (kind == Statement::Operation && tokens[i].kind == Token::Value) {
    // After `%x,` the next line has results of its own.
    auto isNextLine = [&] { return name > i && tokens[name].firstOnLine; };
    for (name = i; !tokens.is(name, '=') && !isNextLine(); ++name) {
      if (tokens[name].kind == Token::Value)
        statement.results.push_back({tokens[name].span(), 1});
      else if (tokens[name].kind == Token::Number)
        statement.results.back().count = packSize(tokens.text(name));
    }
    if (tokens.is(name, '='))
      ++name;
  }
  bool hasName =
      name < tokens.end() &&
      (kind != Statement::Operation || tokens[name].kind == Token::Identifier ||
       tokens[name].kind == Token::String);
  // `%x =` with nothing behind it must not take the next line's word.
  if (hasName && name > i && tokens[name].firstOnLine)
    hasName = false;
  statement.name = hasName ? tokens[name].span()
                           : Span{tokens[name - 1].end, tokens[name - 1].end};
  frame.statement = syntax.allStatements.size();
  syntax.allRegions[frame.region].statements.push_back(frame.statement);
  syntax.allStatements.push_back(std::move(statement));
}

/// `end` is the first token after the statement.
void SyntaxBuilder::finishStatement(Frame &frame, size_t end) {
  if (frame.statement == noSyntax)
    return;
  Statement &statement = current(frame);
  statement.endToken = end;
  statement.span.end = tokens[end - 1].end;
  frame.statement = noSyntax;
}

/// Leaves the innermost bracket without its closer before token `i`.
void SyntaxBuilder::abandonTop(size_t i) {
  Frame &frame = frames.back();
  if (frame.kind == Frame::RegionBrace) {
    finishStatement(frame, i);
    Region &region = syntax.allRegions[frame.region];
    region.isClosed = false;
    region.body.end = std::max(region.body.begin, size_t(tokens[i - 1].end));
  }
  isBalanced = false;
  frames.pop_back();
}

/// The same with all brackets of the innermost region.
void SyntaxBuilder::abandonBrackets(size_t i) {
  while (frames.back().kind != Frame::RegionBrace)
    abandonTop(i);
}

void SyntaxBuilder::close(size_t i) {
  char closer = tokens.head(i);
  const bool goesByIndentation = byIndentation && i >= matchedEnd;
  if (goesByIndentation && closer == '}' && tokens[i].firstOnLine) {
    if (isExtraCloser(i))
      return stray(i);
    size_t column = tokens.columnOf(i);
    while (frames.size() > 1 && frames.back().indent > column)
      abandonTop(i);
    if (frames.size() > 1 && frames.back().closer == '}' &&
        frames.back().opensLine && frames.back().indent < column)
      return stray(i);
  }
  size_t depth = closer == '}' ? innerBrace() + 1 : frames.size();
  while (depth > 1 && frames[depth - 1].closer != closer) {
    // A parenthesis never closes a region around it.
    if (frames[depth - 1].kind == Frame::RegionBrace)
      return stray(i);
    --depth;
  }
  if (depth <= 1)
    return stray(i);
  // In a region of several lines, `{` ends a line and `}` starts one; any
  // other `}` belongs to a dictionary whose `{` is missing.
  const Frame &closed = frames[depth - 1];
  if (goesByIndentation && closed.kind == Frame::RegionBrace &&
      closed.opensLine && !tokens[i].firstOnLine)
    return;
  while (frames.size() > depth)
    abandonTop(i);
  Frame &frame = frames.back();
  if (frame.kind == Frame::RegionBrace) {
    finishStatement(frame, i);
    syntax.allRegions[frame.region].body.end = tokens[i].begin;
  }
  frames.pop_back();
}

void SyntaxBuilder::stray(size_t i) {
  isBalanced = false;
  abandonBrackets(i);
  if (tokens.head(i) != '}') {
    if (frames.back().statement == noSyntax)
      beginStatement(i, Statement::Other);
    return;
  }
  finishStatement(frames.back(), i);
  beginStatement(i, Statement::Other);
  syntax.strays.push_back(frames.back().statement);
  finishStatement(frames.back(), i + 1);
}
