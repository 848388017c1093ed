//===- Recovery.cpp - patches that let a parse go past its errors ---------===//

#include "server/analysis/Recovery.h"

#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>
#include <utility>

using namespace kernelscope;
using llvm::StringRef;

/// Whether MLIR repeats an error in a parameter for the attribute around it, at
/// the next word.
static bool isEcho(StringRef message) {
  return message.contains("failed to parse ") &&
         message.contains(" parameter '");
}

/// Whether MLIR looked for the end of a type or attribute and went past that of
/// the op, sometimes far.
static bool isUnclosed(StringRef message) {
  return message.starts_with("unbalanced '<'");
}

bool Recovery::repair(const FailedParse &failure, const PatchedText &patched,
                      bool isLastResort) {
  bool isRepaired = repairErrors(failure, patched, isLastResort);
  if (std::exchange(mustSearch, false))
    avoidForeignUses();
  return isRepaired;
}

bool Recovery::repairErrors(const FailedParse &failure,
                            const PatchedText &patched, bool isLastResort) {
  culprits.setCompleted(failure.completed);
  bool isRepaired = false;
  for (const ParseError &error : failure.errors)
    if (error.severity == mlir::DiagnosticSeverity::Error &&
        !(isRepaired && isEcho(error.message)))
      isRepaired |=
          isLastResort ? giveUpRest(error, patched) : repair(error, patched);
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
  if (const Token *open =
          isUnclosed(error.message) ? findUnclosed(offset) : nullptr) {
    offset = open->begin;
    culprit = {syntax.statementAt(offset), {}};
  }
  if (culprit.statement == noSyntax) {
    reports.addParseError(error, reports.wordAt(offset), patched);
    return false;
  }
  if (!request.owns(syntax, culprit.statement))
    return dropPart(offset);

  if (culprit.runsOn && separate(culprit.statement))
    return true;

  bool isNews = !followsFromHole(error.message) &&
                !StringRef(error.message).contains(unknownValue) &&
                !broken.contains(culprit.statement);
  if (isNews)
    reports.addParseError(error, offset, culprit, patched);
  if (culprit.tail) {
    cut.insert(culprit.statement);
    return blankLine(*culprit.tail);
  }
  return takeOut(culprit.statement, isRedefinition(error.message));
}

/// The innermost `<` that stays open in the first statement with one that
/// begins before `end` and that the parser sees; null if there is none.
const Token *Recovery::findUnclosed(size_t end) const {
  if (request.statement == noSyntax)
    return nullptr;
  for (SyntaxId id = request.statement;
       id < syntax.statements().size() && syntax.statement(id).span.begin < end;
       ++id) {
    if (broken.contains(id))
      continue;
    llvm::SmallVector<const Token *> open;
    auto [begin, past] = syntax.tokensIn(syntax.statement(id).header(syntax));
    for (const Token &token :
         llvm::ArrayRef(syntax.tokens()).slice(begin, past - begin)) {
      if (token.kind != Token::Punctuation)
        continue;
      if (syntax.text(token) == "<")
        open.push_back(&token);
      else if (syntax.text(token) == ">" && !open.empty())
        open.pop_back();
    }
    if (!open.empty())
      return open.back();
  }
  return nullptr;
}

bool Recovery::followsFromHole(StringRef message) const {
  // A label becomes the first of its region if what is before it was taken out.
  if (message.starts_with("invalid block name in region") && !broken.empty())
    return true;
  StringRef value = mistypedValue(message);
  return !value.empty() && hiddenValues.contains(value);
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
  if (request.statement != noSyntax &&
      (!broken.empty() || !syntax.hasMatchingBrackets() ||
       !findForeignUses(syntax, request.statement).empty()))
    avoidForeignUses();
}

/// The text that the parser gets decides: in a region that has lost its
/// arguments, the parser may tie their names to definitions elsewhere.
void Recovery::avoidForeignUses() {
  bool isChanged = request.statement != noSyntax;
  while (std::exchange(isChanged, false) && !request.isCancelled()) {
    PatchedText patched = compose(TypeAliases(syntax));
    Syntax parsed(patched.str(), Nesting::Braces);
    searched += patched.str().size();
    // What comes next may take out the bracket that does not match.
    mustSearch = !parsed.hasMatchingBrackets();
    llvm::DenseSet<SyntaxId> users;
    for (SyntaxId root : parsed.region(parsed.chunks().front()).statements)
      for (const ForeignUse &use : findForeignUses(parsed, root))
        isChanged |= avoid(use, parsed, patched, users);
  }
}

/// `users` are the statements that are taken out for the same text; false if
/// nothing is changed.
bool Recovery::avoid(const ForeignUse &use, const Syntax &parsed,
                     const PatchedText &patched,
                     llvm::DenseSet<SyntaxId> &users) {
  const Token &token = parsed.tokens()[use.token];
  size_t offset = patched.toSource(token.begin);
  SyntaxId id = syntax.statementAt(offset);
  if (id == noSyntax || !request.owns(syntax, id))
    return false;
  if (patched.isCopy(use.definition.begin))
    definedElsewhere.try_emplace(parsed.text(token),
                                 patched.toSource(use.definition));
  if (!use.isInside)
    return declareValue(parsed, use.token, syntax.regionAt(offset));
  // A hole at the end of the region would come too late.
  if (patched.isCopy(token.begin))
    reportUndeclared(syntax.tokenAfter(offset));
  return users.insert(id).second && takeOut(id, /*isDefinedElsewhere=*/false);
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
  if (request.statement == noSyntax ||
      !declareValue(syntax, token, outermostRegion(offset)))
    return false;
  reportUndeclared(token);
  return true;
}

/// All uses of a name that nothing defines get one hole, in `region`. The token
/// is one of `parsed`.
bool Recovery::declareValue(const Syntax &parsed, size_t token,
                            SyntaxId region) {
  const std::vector<Token> &tokens = parsed.tokens();
  if (token >= tokens.size() || tokens[token].kind != Token::Value)
    return false;
  // `%x#3` needs a hole of four results.
  unsigned number = 0;
  if (token + 1 < tokens.size()) {
    const Token &next = tokens[token + 1];
    if (next.kind == Token::Hash && next.begin == tokens[token].end &&
        parsed.text(next).drop_front().getAsInteger(10, number))
      number = 0;
  }
  return addHole(region, parsed.text(tokens[token]),
                 std::min(number, mostResults - 1) + 1);
}

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
    mustSearch = true;
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

PatchedText Recovery::compose(const TypeAliases &types,
                              llvm::ArrayRef<Patch> repairs) const {
  std::vector<const Patch *> sorted;
  sorted.reserve(request.patches.size() + repairs.size());
  for (const Patch &patch : request.patches)
    sorted.push_back(&patch);
  for (const Patch &patch : repairs)
    sorted.push_back(&patch);
  // The two lists never have a patch at the same place; in one list, the
  // earlier comes first.
  llvm::sort(sorted, [](const Patch *a, const Patch *b) {
    return std::tuple(a->span.begin, a->order, a) <
           std::tuple(b->span.begin, b->order, b);
  });
  PatchedText result;
  auto firstOp = llvm::find_if(request.parts, [&](const auto &part) {
    return FragmentRequest::isOp(syntax, part);
  });
  for (const FragmentRequest::Part &part : request.parts) {
    if (firstOp != request.parts.end() && &part == &*firstOp)
      result.insert(types.definitions());
    if (part.span.empty())
      result.insert(part.literal);
    else if (!droppedParts.contains(part.span.begin))
      result.copy(syntax.text(), part.span, sorted);
    result.insert("\n");
  }
  result.shorten(types.andBlanks(request.locations));
  return result;
}
