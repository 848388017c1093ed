//===- TakenOverStatements.cpp - what an edit left as it was --------------===//
//
// The part of `SyntaxBuilder` that copies statements of an earlier version.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/SyntaxBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;

SyntaxBuilder::SyntaxBuilder(Syntax &syntax, const Syntax &old,
                             const ChangedTokens &changed)
    : syntax(syntax), changed(changed) {
  // Where braces do not match, or nest too deep, more than its own tokens
  // decides where a statement ends.
  if (old.isBalanced &&
      std::max(old.deepestBracket(), syntax.deepestBracket()) < deepestNesting)
    this->old = &old;
}

/// Takes over the statement that begins at token `i`, with all in it, if it was
/// there before.
bool SyntaxBuilder::takeOver(size_t i, Statement::Kind kind) {
  if (!old || byIndentation)
    return false;
  const SyntaxId id = findOld(i, kind);
  if (id == noSyntax || (i < changed.begin && !endsAsBefore(id)))
    return false;
  copyOld(id, i);
  const Statement &statement = old->statement(id);
  resumeAt = i + (statement.endToken - statement.firstToken);
  return true;
}

SyntaxId SyntaxBuilder::findOld(size_t i, Statement::Kind kind) {
  if (kind != Statement::Operation && kind != Statement::Alias)
    return noSyntax;
  if (i >= changed.begin && i < changed.newEnd)
    return noSyntax;
  const size_t oldToken =
      i < changed.begin ? i : i - changed.newEnd + changed.oldEnd;
  const std::vector<Statement> &all = old->allStatements;
  while (nextOld < all.size() && all[nextOld].firstToken < oldToken)
    ++nextOld;
  bool isThere = nextOld < all.size() && all[nextOld].firstToken == oldToken &&
                 all[nextOld].kind == kind;
  return isThere ? nextOld : noSyntax;
}

/// Whether what follows the statement, which is before the edit, still ends it:
/// a brace, or a statement whose name is before the edit, too.
bool SyntaxBuilder::endsAsBefore(SyntaxId id) const {
  const size_t end = old->statement(id).endToken;
  if (end >= changed.begin)
    return false;
  const Token &token = old->lexed.tokens[end];
  if (old->source[token.begin] == '}')
    return true;
  const SyntaxId next = endOfOld(id);
  return next < old->allStatements.size() &&
         old->statement(next).firstToken == end &&
         old->statement(next).name.end <
             old->lexed.tokens[changed.begin - 1].end;
}

/// The first statement after `id` and all in it.
SyntaxId SyntaxBuilder::endOfOld(SyntaxId id) const {
  const size_t end = old->statement(id).endToken;
  auto past = std::find_if(
      old->allStatements.begin() + id + 1, old->allStatements.end(),
      [&](const Statement &other) { return other.firstToken >= end; });
  return past - old->allStatements.begin();
}

/// The statements inside one follow it, and so do its regions each other.
void SyntaxBuilder::copyOld(SyntaxId id, size_t i) {
  const Statement &outer = old->statement(id);
  const uint32_t tokensOn = i - outer.firstToken;
  const size_t bytesOn = tokens[i].span().begin - outer.span.begin;
  const SyntaxId statementsOn = syntax.allStatements.size() - id;
  const SyntaxId firstRegion = outer.regions.empty() ? 0 : outer.regions[0];
  const SyntaxId regionsOn = syntax.allRegions.size() - firstRegion;
  auto move = [&](Span &span) {
    span.begin += bytesOn;
    span.end += bytesOn;
  };

  const SyntaxId end = endOfOld(id);
  SyntaxId regions = 0;
  for (SyntaxId one = id; one < end; ++one) {
    Statement &copy =
        syntax.allStatements.emplace_back(old->allStatements[one]);
    move(copy.span);
    move(copy.name);
    for (ResultName &result : copy.results)
      move(result.name);
    for (SyntaxId &region : copy.regions)
      region += regionsOn;
    regions += copy.regions.size();
    copy.parent = one == id ? frames.back().region : copy.parent + regionsOn;
    copy.firstToken += tokensOn;
    copy.endToken += tokensOn;
  }
  for (SyntaxId one = firstRegion; one < firstRegion + regions; ++one) {
    Region &copy = syntax.allRegions.emplace_back(old->allRegions[one]);
    move(copy.body);
    copy.owner += statementsOn;
    for (SyntaxId &statement : copy.statements)
      statement += statementsOn;
  }
  syntax.allRegions[frames.back().region].statements.push_back(id +
                                                               statementsOn);
}
