//===- EditedStatements.cpp - the ops that an edit can have changed -------===//

#include "server/analysis/EditedStatements.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;
using llvm::StringRef;
using Side = EditedStatements::Side;

/// The function's place in the buffer; nothing if it has no body that is closed
/// there.
static std::optional<Side> placeFunction(const SeenFunction &seen) {
  const Statement &statement = seen.syntax.statement(seen.statement);
  if (statement.regions.size() != 1)
    return std::nullopt;
  const Region &body = seen.syntax.region(statement.regions.front());
  if (!body.isOpened || !body.isClosed)
    return std::nullopt;
  std::optional<size_t> begin = seen.toBuffer(statement.span.begin),
                        inside = seen.toBuffer(body.body.begin),
                        end = seen.toBuffer(body.body.end);
  if (!begin || !inside || !end || *inside < *begin || *end < *inside)
    return std::nullopt;
  Side side{};
  side.function = {*begin, *end};
  side.bodyBegin = *inside;
  return side;
}

/// What follows the function's body.
static StringRef tail(const SeenFunction &seen) {
  const Statement &statement = seen.syntax.statement(seen.statement);
  size_t end = seen.syntax.region(statement.regions.front()).body.end;
  return seen.syntax.text(Span{end, statement.span.end});
}

/// Finds the innermost region around `change`, and which of its statements may
/// be part of it; false if none in the function holds it.
static bool locate(const SeenFunction &seen, Span change, Side &side) {
  const Syntax &syntax = seen.syntax;
  side.region = syntax.regionAt(seen.toText(change.begin));
  while (true) {
    const Region &region = syntax.region(side.region);
    if (region.owner == noSyntax || !region.isOpened || !region.isClosed)
      return false;
    std::optional<size_t> begin = seen.toBuffer(region.body.begin),
                          end = seen.toBuffer(region.body.end);
    if (!begin || !end)
      return false;
    if (*begin <= change.begin && change.end <= *end)
      break;
    if (region.owner == seen.statement)
      return false;
    side.region = syntax.statement(region.owner).parent;
  }

  const std::vector<SyntaxId> &ids = syntax.region(side.region).statements;
  // A word right before the change may be part of a longer one now.
  auto endsBefore = [&](SyntaxId id) {
    std::optional<size_t> last =
        seen.toBuffer(syntax.statement(id).span.end - 1);
    return last && *last + 1 < change.begin;
  };
  auto beginsBefore = [&](SyntaxId id) {
    std::optional<size_t> first =
        seen.toBuffer(syntax.statement(id).span.begin);
    return first && *first <= change.end;
  };
  side.first = llvm::partition_point(ids, endsBefore) - ids.begin();
  side.end = llvm::partition_point(ids, beginsBefore) - ids.begin();
  side.end = std::max(side.first, side.end);
  return true;
}

/// Takes as many statements into each side: where one of them ends may have
/// changed.
static void align(const SeenFunction &before, Side &old,
                  const SeenFunction &after, Side &now) {
  size_t count = before.syntax.region(old.region).statements.size(),
         counted = after.syntax.region(now.region).statements.size();
  old.first = now.first = std::min(old.first, now.first);
  size_t behind = std::min(count - old.end, counted - now.end);
  old.end = count - behind;
  now.end = counted - behind;
}

/// Fills in where the statements are; false if `change` is more than them.
static bool place(const SeenFunction &seen, Span change, Side &side) {
  const Syntax &syntax = seen.syntax;
  const std::vector<SyntaxId> &ids = syntax.region(side.region).statements;
  auto placeOf = [&](size_t index) {
    return index == ids.size()
               ? seen.toBuffer(syntax.region(side.region).body.end)
               : seen.toBuffer(syntax.statement(ids[index]).span.begin);
  };
  std::optional<size_t> first = placeOf(side.first), past = placeOf(side.end);
  if (!first || !past)
    return false;
  side.opsBegin = *first;
  side.slice = {std::min(*first, change.begin), *past};
  return side.slice.begin <= change.begin && change.end <= side.slice.end;
}

/// The statement after the last one of the function.
static SyntaxId endOf(const SeenFunction &seen) {
  const auto &all = seen.syntax.statements();
  size_t end = seen.syntax.statement(seen.statement).span.end;
  auto past = std::partition_point(
      all.begin() + seen.statement, all.end(),
      [&](const Statement &one) { return one.span.begin < end; });
  return past - all.begin();
}

/// Whether all statements outside the slices are the same in both versions: a
/// quotation mark or a comment may have changed what follows it.
static bool areOthersSame(const SeenFunction &before, const Side &old,
                          const SeenFunction &after, const Side &now) {
  auto first = [](const SeenFunction &seen, const Side &side) {
    llvm::ArrayRef<SyntaxId> ids = side.statements(seen.syntax);
    return ids.empty() ? endOf(seen) : ids.front();
  };
  const Syntax &a = before.syntax, &b = after.syntax;
  const Statement &fromA = a.statement(before.statement),
                  &fromB = b.statement(after.statement);
  // Counts from the function's own statement and first token.
  size_t countA = endOf(before) - before.statement,
         countB = endOf(after) - after.statement;
  size_t headA = first(before, old) - before.statement,
         headB = first(after, now) - after.statement;
  size_t tailA = countA - headA - (old.end - old.first),
         tailB = countB - headB - (now.end - now.first);
  if (headA != headB || tailA != tailB)
    return false;
  auto isSame = [&](size_t i, size_t j, bool fromEnd) {
    const Statement &one = a.statement(before.statement + i),
                    &other = b.statement(after.statement + j);
    return one.kind == other.kind &&
           one.regions.size() == other.regions.size() &&
           (fromEnd ? fromA.endToken - one.firstToken ==
                          fromB.endToken - other.firstToken
                    : one.firstToken - fromA.firstToken ==
                          other.firstToken - fromB.firstToken);
  };
  // Without a statement in the slice, what follows it is not told apart from
  // what comes before it, and no token was added.
  for (size_t i = 0; i < headA; ++i)
    if (!isSame(i, i, /*fromEnd=*/false))
      return false;
  for (size_t i = 1; i <= tailA; ++i)
    if (!isSame(countA - i, countB - i, /*fromEnd=*/true))
      return false;
  return true;
}

std::optional<EditedStatements>
kernelscope::findEditedStatements(const SeenFunction &before,
                                  const SeenFunction &after) {
  std::optional<Side> old = placeFunction(before), now = placeFunction(after);
  if (!old || !now || tail(before) != tail(after))
    return std::nullopt;
  StringRef a = before.buffer.slice(old->function.begin, old->function.end),
            b = after.buffer.slice(now->function.begin, now->function.end);
  size_t shorter = std::min(a.size(), b.size());
  size_t head = std::mismatch(a.begin(), a.begin() + shorter, b.begin()).first -
                a.begin();
  size_t rest =
      std::mismatch(a.rbegin(), a.rbegin() + (shorter - head), b.rbegin())
          .first -
      a.rbegin();
  Span change = {old->function.begin + head, old->function.end - rest},
       changed = {now->function.begin + head, now->function.end - rest};
  if (!locate(before, change, *old) || !locate(after, changed, *now))
    return std::nullopt;
  align(before, *old, after, *now);
  if (!place(before, change, *old) || !place(after, changed, *now))
    return std::nullopt;

  const Region &oldRegion = before.syntax.region(old->region),
               &region = after.syntax.region(now->region);
  auto indexIn = [](const SeenFunction &seen, SyntaxId id, SyntaxId owner) {
    return llvm::find(seen.syntax.statement(owner).regions, id) -
           seen.syntax.statement(owner).regions.begin();
  };
  bool isSamePlace =
      oldRegion.owner - before.statement == region.owner - after.statement &&
      indexIn(before, old->region, oldRegion.owner) ==
          indexIn(after, now->region, region.owner);
  // The parts before and after the slices must be the same bytes.
  bool isAligned =
      old->slice.begin - old->function.begin ==
          now->slice.begin - now->function.begin &&
      old->function.end - old->slice.end == now->function.end - now->slice.end;
  if (!isSamePlace || !isAligned || !areOthersSame(before, *old, after, *now))
    return std::nullopt;
  return EditedStatements{*old, *now};
}
