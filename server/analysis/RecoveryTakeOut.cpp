//===- RecoveryTakeOut.cpp - statements that are kept from the parser -----===//
//
// What is taken out of a text, and the holes that stand in for it.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Recovery.h"

#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace kernelscope;
using llvm::StringRef;

/// Separates a hole from the op before it. Otherwise an op that ends with an
/// optional operand, like `tt.return`, would take the hole's first result.
static constexpr StringRef separator = "\nkernelscope.hole\n";

/// Removes a statement from the parsed text, and leaves what the rest needs to
/// stay valid.
bool Recovery::takeOut(SyntaxId id, bool isDefinedElsewhere) {
  const Statement &statement = syntax.statement(id);
  bool isSecondTime = !broken.insert(id).second;
  mustSearch |=
      statement.kind == Statement::Label || !statement.regions.empty();
  switch (statement.kind) {
  case Statement::Alias:
    return !isSecondTime && replaceAlias(statement, isDefinedElsewhere);
  case Statement::Label: {
    if (isSecondTime)
      return blank(statement.span);
    hideValues(statement.span);
    patches.push_back(
        {{statement.name.end, statement.span.end}, {{":", {}}}, 0});
    return true;
  }
  default:
    break;
  }
  if (!isDefinedElsewhere)
    defineResults(statement);
  if (statement.regions.empty() || isSecondTime)
    return blankLine(statement.span);
  keepRegions(statement);
  return true;
}

/// With the blanks after it: to type one changes nothing.
bool Recovery::blankLine(Span span) {
  StringRef after = syntax.text().drop_front(span.end);
  size_t blanks = after.size() - after.ltrim(" \t").size();
  return blank({span.begin, span.end + blanks});
}

bool Recovery::blank(Span span) {
  if (!blanked.insert({span.begin, span.end}).second)
    return false;
  // An inner region without its `}` ends where the span does.
  int outside = atEndOf(syntax.regionAt(span.begin)).order;
  llvm::erase_if(patches, [&](const Patch &patch) {
    // Of no order is what changes the statement itself, such as its spelling.
    return patch.span.empty() && patch.order != 0
               ? patch.span.begin == span.end && patch.order < outside
               : span.contains(patch.span);
  });
  patches.push_back({span, {{" ", {}}}, 0});
  return true;
}

/// A hole after a statement that would run on into the next one.
bool Recovery::separate(SyntaxId id) {
  if (!separated.insert(id).second)
    return false;
  size_t end = syntax.statement(id).span.end;
  patches.push_back({{end, end}, {{separator.str(), {}}}, 0});
  return true;
}

bool Recovery::replaceAlias(const Statement &statement,
                            bool isDefinedElsewhere) {
  if (isDefinedElsewhere)
    return blank(statement.span);
  patches.push_back({{statement.name.end, statement.span.end},
                     {{placeholderFor(syntax.text(statement.name),
                                      syntax.isLocationAlias(statement)),
                       {}}},
                     0});
  return true;
}

/// Its results become holes at the end of its region, after all uses. Even
/// without results, a hole marks that something is missing.
void Recovery::defineResults(const Statement &statement) {
  if (!isInUnit(statement.parent))
    return;
  Patch patch = atEndOf(statement.parent);
  if (!defined.insert({patch.span.begin, statement.span.begin}).second)
    return;
  // `%x tt.load %p`: the name of an op without its `=`.
  size_t first = statement.firstToken;
  llvm::ArrayRef<Token> tokens = syntax.tokens();
  if (statement.results.empty() && first + 1 < statement.endToken &&
      tokens[first].kind == Token::Value &&
      tokens[first + 1].kind == Token::Identifier)
    hiddenValues.insert(syntax.text(tokens[first]));
  patch.insertions.push_back({separator.str(), {}});
  bool isFirst = true;
  for (const ResultName &result : statement.results) {
    // A `%` without a name.
    if (result.name.size() < 2)
      continue;
    if (!std::exchange(isFirst, false))
      patch.insertions.push_back({", ", {}});
    patch.insertions.push_back({"", result.name});
    if (result.count != 1)
      patch.insertions.push_back({":" + std::to_string(result.count), {}});
    hiddenValues.insert(syntax.text(result.name));
  }
  if (!isFirst)
    patch.insertions.push_back({" = kernelscope.hole\n", {}});
  patches.push_back(std::move(patch));
  takeOutShadows(statement);
}

/// Later regions that define one of its names again. MLIR's parser would take
/// that for the definition that earlier uses refer to.
void Recovery::takeOutShadows(const Statement &statement) {
  if (statement.results.empty())
    return;
  for (SyntaxId id : syntax.region(statement.parent).statements) {
    const Statement &next = syntax.statement(id);
    if (next.regions.empty() || next.span.begin <= statement.span.begin ||
        isIsolated(next))
      continue;
    for (SyntaxId region : next.regions)
      for (const ResultName &result : statement.results)
        takeOutDefinitions(region, result.name);
  }
}

void Recovery::takeOutDefinitions(SyntaxId region, Span name) {
  for (SyntaxId id : syntax.region(region).statements) {
    const Statement &statement = syntax.statement(id);
    for (const ResultName &result : statement.results)
      if (syntax.text(result.name) == syntax.text(name) &&
          !broken.contains(id)) {
        reports.addRedefinition(result.name, name);
        takeOut(id, /*isDefinedElsewhere=*/true);
      }
    if (!statement.regions.empty() && !isIsolated(statement))
      for (SyntaxId inner : statement.regions)
        takeOutDefinitions(inner, name);
  }
}

/// A hole replaces the header and everything between and after the regions.
void Recovery::keepRegions(const Statement &statement) {
  size_t begin = statement.span.begin;
  std::string replacement = "kernelscope.hole ";
  for (SyntaxId id : statement.regions) {
    const Region &region = syntax.region(id);
    hideValues({begin, region.body.begin});
    patches.push_back({{begin, region.openBrace()}, {{replacement, {}}}, 0});
    begin = region.body.end + (region.isClosed ? 1 : 0);
    replacement = " ";
  }
  if (begin < statement.span.end)
    patches.push_back({{begin, statement.span.end}, {{" ", {}}}, 0});
}

/// Values that a broken header may have defined are not reported as missing.
void Recovery::hideValues(Span span) {
  for (size_t i = syntax.tokenAfter(span.begin);
       i < syntax.tokens().size() && syntax.tokens()[i].begin < span.end; ++i)
    if (syntax.tokens()[i].kind == Token::Value)
      hiddenValues.insert(syntax.text(syntax.tokens()[i]));
}

bool Recovery::addHole(SyntaxId region, StringRef name, unsigned count) {
  Patch patch = region == noSyntax
                    ? Patch{{syntax.statement(request.statement).span.end,
                             syntax.statement(request.statement).span.end},
                            {},
                            2}
                    : atEndOf(region);
  auto [entry, isNew] = missing.insert({{patch.span.begin, name.str()}, 0});
  if (!isNew && entry->second >= count)
    return false;
  entry->second = count;
  std::string mark = (separator + name).str();
  llvm::erase_if(patches, [&](const Patch &other) {
    return other.span == patch.span && !other.insertions.empty() &&
           other.insertions.front().text == mark;
  });
  patch.insertions = {
      {mark, {}}, {":" + std::to_string(count) + " = kernelscope.hole\n", {}}};
  patches.push_back(std::move(patch));
  return true;
}

/// The largest region around `offset` in which a name of it is visible.
