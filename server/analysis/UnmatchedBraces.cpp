//===- UnmatchedBraces.cpp - regions whose braces do not match ------------===//
//
// The part of `SyntaxBuilder` that goes by the indentation.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/SyntaxBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

/// A function whose own braces match is read by them, however it is indented:
/// the brace that is missing, or one too many, is in another one.
void SyntaxBuilder::nestByIndentation(size_t i, const StatementStart &start) {
  if (tokens.isFunction(i)) {
    leaveFunction(i);
    openByIndentation(i, start);
    matchedEnd = tokens.endOfBraces(i, /*isInModule=*/frames.size() > 1);
  } else if (i >= matchedEnd) {
    closeByIndentation(i, start);
    openByIndentation(i, start);
  }
}

/// No function is inside another one.
void SyntaxBuilder::leaveFunction(size_t i) {
  auto outermost = llvm::find_if(frames, [&](const Frame &frame) {
    if (frame.kind != Frame::RegionBrace)
      return false;
    const SyntaxId owner = syntax.allRegions[frame.region].owner;
    return owner != noSyntax &&
           tokens.isFunction(syntax.allStatements[owner].firstToken);
  });
  for (auto left = frames.end() - outermost; left > 0; --left)
    abandonTop(i);
}

/// A statement is indented deeper than the line that opens its region.
void SyntaxBuilder::closeByIndentation(size_t i, const StatementStart &start) {
  size_t column = tokens.columnOf(i);
  while (frames.size() > 1) {
    const Frame &top = frames.back();
    bool isOutside = start.kind == Statement::Label ? column < top.indent
                                                    : column <= top.indent;
    bool mayLeave =
        top.kind == Frame::RegionBrace ? top.opensLine : start.isCertain;
    if (!isOutside || !mayLeave)
      return;
    abandonTop(i);
  }
}

/// A statement that stands deeper than the one before it is inside it, if
/// there are more closing braces than opening ones.
void SyntaxBuilder::openByIndentation(size_t i, const StatementStart &start) {
  if (!lacksOpeners || start.kind != Statement::Operation)
    return;
  const Frame &inner = frames[innerRegion()];
  if (inner.statement == noSyntax || inner.depth == deepestNesting)
    return;
  const Statement &before = syntax.allStatements[inner.statement];
  size_t column = tokens.columnOf(before.firstToken);
  bool isInside =
      before.kind == Statement::Operation && before.regions.empty() &&
      tokens[before.firstToken].firstOnLine && column < tokens.columnOf(i);
  if (!isInside)
    return;
  abandonBrackets(i);
  SyntaxId owner = frames.back().statement;
  SyntaxId region = openRegion(tokens[i - 1].end, owner);
  syntax.allRegions[region].isOpened = false;
  syntax.allStatements[owner].regions.push_back(region);
  push(Frame::RegionBrace, '}', column, true, region);
}

/// If there are more closing braces than opening ones: whether the next line is
/// indented deeper than the `}` at `i`, so that it is in the region that the
/// `}` would end.
bool SyntaxBuilder::isExtraCloser(size_t i) const {
  if (!lacksOpeners)
    return false;
  size_t next = i + 1;
  while (next < tokens.end() && !tokens[next].firstOnLine)
    ++next;
  return next < tokens.end() && !tokens.is(next - 1, '{') &&
         tokens.startAt(next, false, false).kind == Statement::Operation &&
         tokens.columnOf(next) > tokens.columnOf(i);
}
