//===- Culprit.cpp - the statement that a parse error is due to -----------===//

#include "server/analysis/Culprit.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

static bool mayRunOn(const Statement &statement) {
  return statement.kind == Statement::Operation ||
         statement.kind == Statement::Alias ||
         statement.kind == Statement::Other;
}

/// Whether a bracket of an op without regions is not closed. A dictionary takes
/// the name of the next op for a key.
bool CulpritFinder::staysOpen(const Statement &statement) const {
  if (statement.kind != Statement::Operation || !statement.regions.empty())
    return false;
  int depth = 0;
  for (size_t i = statement.firstToken; i < statement.endToken; ++i) {
    if (syntax.tokens()[i].kind != Token::Punctuation)
      continue;
    char bracket = syntax.text(syntax.tokens()[i]).front();
    depth += StringRef("([{<").contains(bracket);
    depth -= StringRef(")]}>").contains(bracket);
  }
  return depth > 0;
}

/// The op pointers of a failed parse dangle, its ranges do not.
CompletedStatements kernelscope::completedIn(const Fragment &fragment,
                                             const Syntax &syntax,
                                             const FragmentRequest &request) {
  CompletedStatements completed;
  const char *buffer = fragment.buffer().begin();
  for (const auto &op : fragment.state.getOpDefs()) {
    size_t name = op.loc.Start.getPointer() - buffer;
    size_t end = op.scopeLoc.End.getPointer() - buffer;
    if (fragment.patched.isCopy(name))
      completed[fragment.patched.toSource(name)] =
          request.endOfOp(syntax, fragment.patched.toSource(end));
  }
  auto noteAlias = [&](mlir::SMRange place) {
    size_t name = place.Start.getPointer() - buffer;
    if (!fragment.patched.isCopy(name))
      return;
    size_t source = fragment.patched.toSource(name);
    SyntaxId id = syntax.statementAt(source);
    if (id != noSyntax)
      completed[source] = syntax.statement(id).span.end;
  };
  for (const auto &alias : fragment.state.getAttributeAliasDefs())
    noteAlias(alias.definition.loc);
  for (const auto &alias : fragment.state.getTypeAliasDefs())
    noteAlias(alias.definition.loc);
  return completed;
}

/// Where the op of `id` ended, if it was read completely.
std::optional<size_t> CulpritFinder::completedEnd(SyntaxId id) const {
  auto found = completed.find(syntax.statement(id).name.begin);
  if (found == completed.end())
    return std::nullopt;
  return found->second;
}

/// Tokens of `id` that are not part of its op: a line started after it.
std::optional<Span> CulpritFinder::tailOf(SyntaxId id) const {
  std::optional<size_t> end = completedEnd(id);
  const Statement &statement = syntax.statement(id);
  if (!end || *end >= statement.span.end)
    return std::nullopt;
  size_t token = syntax.tokenAfter(*end);
  if (token >= statement.endToken)
    return std::nullopt;
  return Span{syntax.tokens()[token].begin, statement.span.end};
}

Culprit CulpritFinder::find(size_t offset) const {
  SyntaxId region = syntax.regionAt(offset);
  SyntaxId at = syntax.statementBefore(region, offset);
  if (at == noSyntax)
    return {syntax.region(region).owner, {}};
  const Statement &statement = syntax.statement(at);
  bool isAfter = offset >= statement.span.end;
  bool isBeforeName = !isAfter && offset <= statement.name.begin;
  if (isBeforeName) {
    // The statement before may have run on into this one.
    SyntaxId previous = previousInUnit(at);
    if (previous != noSyntax && !unseen.contains(previous)) {
      if (std::optional<Span> tail = tailOf(previous))
        return {previous, tail};
      std::optional<size_t> end = completedEnd(previous);
      bool runsOn = end && *end > statement.span.begin;
      if (mayRunOn(syntax.statement(previous)) && (!end || runsOn))
        return {previous, {}, runsOn};
    }
    return {at, {}};
  }
  if (SyntaxId previous = previousInUnit(at);
      previous != noSyntax && !unseen.contains(previous) &&
      !completedEnd(previous) && staysOpen(syntax.statement(previous)))
    return {previous, {}};
  if (std::optional<Span> tail = tailOf(at))
    return {at, tail};
  if (isAfter && (unseen.contains(at) || completedEnd(at)))
    return {syntax.region(region).owner, {}};
  return {at, {}};
}

/// The sibling before `id` that is parsed too.
SyntaxId CulpritFinder::previousInUnit(SyntaxId id) const {
  SyntaxId parent = syntax.statement(id).parent;
  const auto &siblings = syntax.region(parent).statements;
  auto self = llvm::lower_bound(siblings, id);
  if (request.statement != noSyntax) {
    if (syntax.statement(request.statement).parent == parent)
      return request.statement < id ? request.statement : noSyntax;
    return self == siblings.begin() ? noSyntax : *std::prev(self);
  }
  auto isParsed = [&](SyntaxId sibling) {
    return llvm::any_of(request.parts, [&](const FragmentRequest::Part &part) {
      return part.statement == sibling;
    });
  };
  while (self != siblings.begin())
    if (isParsed(*--self))
      return *self;
  return noSyntax;
}
