//===- UntouchedUnits.cpp - what an edit of one function leaves -----------===//

#include "server/analysis/UntouchedUnits.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

namespace {

/// Compares statements of two versions by their tokens.
class Versions {
public:
  Versions(const Syntax &old, const Syntax &syntax)
      : old(old), syntax(syntax), changed(syntax.changed()) {}

  /// Whether the edit is in the body of the function and nowhere else.
  bool isEditInBody(SyntaxId before, SyntaxId now) const {
    return holds(old, before, changed.oldEnd) &&
           holds(syntax, now, changed.newEnd);
  }

  /// Whether the statement is where it was, in the same module.
  bool isSame(SyntaxId before, SyntaxId now) const {
    const Region &region = syntax.region(syntax.statement(now).parent),
                 &oldRegion = old.region(old.statement(before).parent);
    if (!hasSameTokens(before, now) ||
        (region.owner == noSyntax) != (oldRegion.owner == noSyntax))
      return false;
    return region.owner == noSyntax ||
           hasSameTokens(oldRegion.owner, region.owner);
  }

private:
  /// Whether the changed tokens, up to `end`, are inside the one region of the
  /// op, of which only the header is known elsewhere.
  bool holds(const Syntax &version, SyntaxId id, size_t end) const {
    const Statement &statement = version.statement(id);
    if (statement.regions.size() != 1 ||
        version.text(statement.name).starts_with("\""))
      return false;
    const Region &body = version.region(statement.regions.front());
    return body.isOpened && body.isClosed &&
           version.tokenAfter(body.openBrace()) < changed.begin &&
           end <= version.tokenAfter(body.body.end);
  }

  bool hasSameTokens(SyntaxId before, SyntaxId now) const {
    const Statement &a = old.statement(before), &b = syntax.statement(now);
    return tokenNow(a.firstToken) == b.firstToken &&
           tokenNow(a.endToken) == b.endToken;
  }

  size_t tokenNow(size_t token) const {
    return token < changed.begin ? token
                                 : token - changed.oldEnd + changed.newEnd;
  }

  const Syntax &old, &syntax;
  const ChangedTokens &changed;
};

} // namespace

UntouchedUnits::UntouchedUnits(const Syntax &old, llvm::ArrayRef<Unit> before,
                               const Syntax &syntax,
                               llvm::ArrayRef<SyntaxId> now)
    : statements(now) {
  const ChangedTokens &changed = syntax.changed();
  // A version that braces do not divide is divided in another way.
  if (!old.hasMatchingBrackets() || !syntax.hasMatchingBrackets() ||
      old.chunks().size() != 1 || syntax.chunks().size() != 1 ||
      changed.oldEnd >= old.tokens().size())
    return;
  std::vector<const Unit *> found;
  for (const Unit &unit : before)
    if (unit.statement != noSyntax)
      found.push_back(&unit);
  if (found.size() != now.size())
    return;
  auto isBefore = [&](SyntaxId id) {
    return syntax.statement(id).endToken < changed.newEnd;
  };
  edited = llvm::partition_point(now, isBefore) - now.begin();
  const Versions versions(old, syntax);
  if (edited == now.size() ||
      !versions.isEditInBody(found[edited]->statement, now[edited]))
    return;
  for (auto [unit, id] : llvm::zip_equal(found, now))
    if (!unit->facts->key || !versions.isSame(unit->statement, id))
      return;
  editEnd = old.tokens()[changed.oldEnd].begin;
  bytesOn = syntax.tokens()[changed.newEnd].begin - editEnd;
  units = std::move(found);
}

std::optional<Unit> UntouchedUnits::find(size_t index) const {
  if (units.empty() || index == edited)
    return std::nullopt;
  Unit unit = *units[index];
  unit.statement = statements[index];
  auto move = [&](Span &span) {
    if (span.begin < editEnd)
      return;
    span.begin += bytesOn;
    span.end += bytesOn;
  };
  move(unit.span);
  for (Unit::Piece &piece : unit.pieces)
    move(piece.span);
  return unit;
}
