//===- Recovery.cpp - patches that let a parse go past its errors ---------===//

#include "server/analysis/Recovery.h"

#include "server/analysis/ParserHazards.h"

#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>
#include <utility>

using namespace kernelscope;
using llvm::StringRef;

/// Separates a hole from the op before it. Otherwise an op that ends with an
/// optional operand, like `tt.return`, would take the hole's first result.
static constexpr StringRef separator = "\nkernelscope.hole\n";

bool Recovery::repair(const std::vector<ParseError> &errors,
                      const Fragment &fragment, bool isLastResort) {
  culprits.noteCompleted(fragment);
  bool isRepaired = false;
  for (const ParseError &error : errors)
    if (error.severity == mlir::DiagnosticSeverity::Error)
      isRepaired |= isLastResort ? giveUpRest(error, fragment.patched)
                                 : repair(error, fragment.patched);
  return isRepaired;
}

/// Changes the text so that the next parse gets past `error`; false if no
/// way is known.
bool Recovery::repair(const ParseError &error, const PatchedText &patched) {
  size_t offset = patched.toSource(error.offset);
  if (isUndeclaredValue(error.message))
    return repairUndeclared(offset);
  // MLIR puts an error on the first word of a line at the end of the line
  // before, and one in a string without an end there too.
  size_t token = syntax.tokenAfter(offset);
  bool isInString =
      token > 0 &&
      syntax.tokens()[token - 1].kind == Token::UnterminatedString &&
      syntax.tokens()[token - 1].end == offset;
  if (isInString)
    offset = syntax.tokens()[token - 1].begin;
  else if (token < syntax.tokens().size())
    offset = std::max<size_t>(offset, syntax.tokens()[token].begin);
  Culprit culprit = culprits.find(offset);
  if (culprit.statement == noSyntax) {
    reports.addParseError(error, reports.wordAt(offset), patched);
    return false;
  }
  if (!request.owns(syntax, culprit.statement))
    return dropPart(offset);

  bool isNews = !followsFromHole(error.message) &&
                !StringRef(error.message).contains(unknownValue) &&
                !broken.contains(culprit.statement);
  if (isNews)
    reports.addParseError(error, offset, culprit, patched);
  if (culprit.tail)
    return blank(*culprit.tail);
  return takeOut(culprit.statement, isRedefinition(error.message));
}

bool Recovery::followsFromHole(StringRef message) const {
  StringRef value = mistypedValue(message);
  return !value.empty() && hiddenValues.contains(value);
}

/// Removes a statement from the parsed text, and leaves what the rest needs to
/// stay valid.
bool Recovery::takeOut(SyntaxId id, bool isDefinedElsewhere) {
  const Statement &statement = syntax.statement(id);
  bool isSecondTime = !broken.insert(id).second;
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
    return blank(statement.span);
  keepRegions(statement);
  return true;
}

bool Recovery::blank(Span span) {
  llvm::erase_if(patches, [&](const Patch &patch) {
    return !patch.span.empty() && span.contains(patch.span);
  });
  if (!blanked.insert({span.begin, span.end}).second)
    return false;
  patches.push_back({span, {{" ", {}}}, 0});
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

bool Recovery::isInUnit(SyntaxId region) const {
  SyntaxId owner = syntax.region(region).owner;
  return request.statement != noSyntax && owner != noSyntax &&
         request.owns(syntax, owner);
}

Patch Recovery::atEndOf(SyntaxId region) const {
  size_t end = syntax.region(region).body.end;
  return {{end, end}, {}, -2 * int(depthOf(region))};
}

size_t Recovery::depthOf(SyntaxId region) const {
  size_t depth = 0;
  for (SyntaxId owner = syntax.region(region).owner; owner != noSyntax;
       owner = syntax.region(syntax.statement(owner).parent).owner)
    ++depth;
  return depth;
}

void Recovery::avoidHazards() {
  for (const FragmentRequest::Part &part : request.parts) {
    bool isOwn =
        request.statement == noSyntax || part.statement == request.statement;
    for (Span element : findIndexArrays(syntax, part.span)) {
      patches.push_back({element, {{"i64", {}}}, 0});
      if (isOwn)
        reports.addIndexArray(element);
    }
    if (!isOwn)
      continue;
    for (size_t token : findDeepBrackets(syntax, part.span))
      if (takeOutAt(token))
        reports.addTooDeep(syntax.tokens()[token]);
    for (size_t token : findLargePacks(syntax, part.span))
      if (takeOutAt(token))
        reports.addTooManyResults(syntax.tokens()[token]);
  }
  if (request.statement == noSyntax)
    return;
  for (const ForeignUse &use : findForeignUses(syntax, request.statement)) {
    definedElsewhere.try_emplace(syntax.text(syntax.tokens()[use.token]),
                                 use.definition);
    if (!use.isInside) {
      declareValue(use.token, use.region);
      continue;
    }
    // A hole at the end of the region would come too late.
    SyntaxId id = syntax.statementAt(syntax.tokens()[use.token].begin);
    if (id == noSyntax)
      continue;
    reportUndeclared(use.token);
    if (!broken.contains(id))
      takeOut(id, /*isDefinedElsewhere=*/false);
  }
}

bool Recovery::takeOutAt(size_t token) {
  SyntaxId id = syntax.statementAt(syntax.tokens()[token].begin);
  if (id == noSyntax || broken.contains(id))
    return false;
  const Statement &statement = syntax.statement(id);
  if (statement.regions.empty() || id == request.statement ||
      request.statement == noSyntax) {
    takeOut(id, /*isDefinedElsewhere=*/false);
    return true;
  }
  // Its regions may contain what the parser does not survive.
  broken.insert(id);
  defineResults(statement);
  blank(statement.span);
  return true;
}

bool Recovery::repairUndeclared(size_t offset) {
  size_t token = syntax.tokenAfter(offset);
  if (!declareValue(token, outermostRegion(offset)))
    return false;
  reportUndeclared(token);
  return true;
}

/// All uses of a name that nothing defines get one hole, in `region`.
bool Recovery::declareValue(size_t token, SyntaxId region) {
  if (request.statement == noSyntax || token >= syntax.tokens().size() ||
      syntax.tokens()[token].kind != Token::Value)
    return false;
  StringRef name = syntax.text(syntax.tokens()[token]);
  // `%x#3` needs a hole of four results.
  unsigned number = 0;
  if (token + 1 < syntax.tokens().size()) {
    const Token &next = syntax.tokens()[token + 1];
    if (next.kind == Token::Hash && next.begin == syntax.tokens()[token].end &&
        syntax.text(next).drop_front().getAsInteger(10, number))
      number = 0;
  }
  return addHole(region, name, std::min(number, mostResults - 1) + 1);
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
SyntaxId Recovery::outermostRegion(size_t offset) const {
  SyntaxId region = syntax.regionAt(offset);
  if (!isInUnit(region))
    return noSyntax;
  while (true) {
    SyntaxId owner = syntax.region(region).owner;
    if (owner == request.statement || isIsolated(syntax.statement(owner)))
      return region;
    region = syntax.statement(owner).parent;
  }
}

bool Recovery::isIsolated(const Statement &statement) const {
  StringRef name = syntax.text(statement.name).trim('"');
  return mlir::OperationName(name, &request.workspace->context)
      .hasTrait<mlir::OpTrait::IsIsolatedFromAbove>();
}

/// An error in the header of a symbol that the unit only references.
bool Recovery::dropPart(size_t offset) {
  for (const FragmentRequest::Part &part : request.parts)
    if (part.span.touches(offset) && part.statement != noSyntax &&
        part.statement != request.statement &&
        syntax.statement(part.statement).kind == Statement::Operation &&
        part.literal.empty())
      return droppedParts.insert(part.span.begin).second;
  return false;
}

/// The last resort: leaves out everything from the error on.
bool Recovery::giveUpRest(const ParseError &error, const PatchedText &patched) {
  if (request.statement == noSyntax)
    return false;
  size_t offset = patched.toSource(error.offset);
  const Statement &statement = syntax.statement(request.statement);
  for (SyntaxId id : statement.regions) {
    const Region &region = syntax.region(id);
    if (!region.body.touches(offset))
      continue;
    SyntaxId at = syntax.statementBefore(id, offset);
    size_t begin =
        at == noSyntax ? region.body.begin : syntax.statement(at).span.begin;
    if (isUndeclaredValue(error.message))
      return repairUndeclared(offset);
    return blank({begin, region.body.end});
  }
  return blank(statement.span);
}

void Recovery::patchBraces(SyntaxId id) {
  const Statement &statement = syntax.statement(id);
  for (SyntaxId regionId : statement.regions) {
    const Region &region = syntax.region(regionId);
    if (!region.isOpened)
      patches.push_back(
          {{region.body.begin, region.body.begin}, {{" {\n", {}}}, 1});
    if (!region.isClosed)
      patches.push_back({{region.body.end, region.body.end},
                         {{"\n}", {}}},
                         -2 * int(depthOf(regionId)) + 1});
    for (SyntaxId inner : region.statements) {
      const Statement &child = syntax.statement(inner);
      if (child.kind == Statement::Other && syntax.text(child.span) == "}") {
        broken.insert(inner);
        blank(child.span);
      } else if (!child.regions.empty()) {
        patchBraces(inner);
      }
    }
  }
}

void Recovery::reportUndeclared(size_t token) {
  const Token &use = syntax.tokens()[token];
  StringRef name = syntax.text(use);
  if (hiddenValues.contains(name))
    return;
  auto elsewhere = definedElsewhere.find(name);
  reports.addUndeclared(use, elsewhere == definedElsewhere.end()
                                 ? std::nullopt
                                 : std::optional(elsewhere->second));
}

PatchedText Recovery::compose() const {
  std::vector<const Patch *> sorted;
  sorted.reserve(request.patches.size() + patches.size());
  for (const Patch &patch : request.patches)
    sorted.push_back(&patch);
  for (const Patch &patch : patches)
    sorted.push_back(&patch);
  // The two lists never have a patch at the same place; in one list, the
  // earlier comes first.
  llvm::sort(sorted, [](const Patch *a, const Patch *b) {
    return std::tuple(a->span.begin, a->order, a) <
           std::tuple(b->span.begin, b->order, b);
  });
  PatchedText result;
  for (const FragmentRequest::Part &part : request.parts) {
    if (part.span.empty())
      result.insert(part.literal);
    else if (!droppedParts.contains(part.span.begin))
      result.copy(syntax.text(), part.span, sorted);
    result.insert("\n");
  }
  result.blank(request.locations);
  return result;
}
