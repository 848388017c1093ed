//===- UnitPlanner.cpp - what to parse for each op of a text --------------===//

#include "server/analysis/UnitPlanner.h"

#include "server/analysis/NearMisses.h"
#include "server/analysis/Symbols.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace kernelscope;
using llvm::StringRef;

/// Whether a `#word` or `!word` names an alias, apart from its definition.
static bool isAliasUse(const Syntax &syntax, size_t index) {
  const std::vector<Token> &tokens = syntax.tokens();
  const Token &token = tokens[index];
  StringRef word = syntax.text(token);
  if (word.size() < 2 || word.contains('.'))
    return false;
  // `%x#1` is a result of `%x`, `#name<` an attribute in its opaque form.
  if (index > 0 && tokens[index - 1].kind == Token::Value &&
      tokens[index - 1].end == token.begin)
    return false;
  return syntax.text().substr(token.end, 1) != "<";
}

UnitPlanner::UnitPlanner(const Syntax &syntax, FragmentRequest base)
    : syntax(syntax), base(std::move(base)) {
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t i = 0, count = tokens.size(); i < count; ++i) {
    const Token &token = tokens[i];
    if (!token.isAny<Token::Symbol, Token::Hash, Token::Bang>())
      continue;
    if (token.kind == Token::Symbol)
      symbolTokens.push_back(i);
    else if (isAliasUse(syntax, i))
      aliasUses.push_back({uint32_t(i), unknownAlias});
  }
}

void UnitPlanner::enter(SyntaxId root) {
  aliases.clear();
  redefinitions.clear();
  undeclared.clear();
  containers.assign(1, {noSyntax, root, {}});
  llvm::StringMap<uint32_t> byName;
  const Region &chunk = syntax.region(root);
  for (SyntaxId id : chunk.statements) {
    const Statement &statement = syntax.statement(id);
    if (statement.kind == Statement::Alias) {
      auto [entry, isNew] =
          byName.try_emplace(syntax.text(statement.name), aliases.size());
      if (isNew)
        aliases.push_back({id, syntax.isLocationAlias(statement)});
      else
        aliases[entry->second].isRedefined = true;
    } else if (isModule(statement)) {
      containers.push_back({id, statement.regions.front(), {}});
    }
  }
  needs.assign(aliases.size(), Nobody);
  for (Container &container : containers)
    addSymbols(container);
  auto [first, last] =
      indicesIn(syntax.tokenAfter(chunk.body.begin), chunk.body);
  for (size_t i = first; i < last; ++i) {
    auto found = byName.find(syntax.text(syntax.tokens()[aliasUses[i].token]));
    aliasUses[i].alias = found == byName.end() ? unknownAlias : found->second;
  }
  for (Alias &alias : aliases) {
    const Statement &statement = syntax.statement(alias.statement);
    for (const AliasUse &use : usesIn(statement.firstToken + 2, statement.span))
      if (use.alias != unknownAlias)
        alias.uses.push_back(use.alias);
  }
  findPlainLocations();
}

//===----------------------------------------------------------------------===//
// Modules and symbols
//===----------------------------------------------------------------------===//

bool UnitPlanner::isModule(const Statement &statement) const {
  StringRef name = syntax.text(statement.name);
  return statement.kind == Statement::Operation &&
         (name == "module" || name == "builtin.module") &&
         statement.regions.size() == 1;
}

bool UnitPlanner::isUnit(const Container &container, SyntaxId id) const {
  const Statement &statement = syntax.statement(id);
  if (statement.kind == Statement::Alias ||
      statement.kind == Statement::Metadata ||
      syntax.text(statement.span) == "}") // closes nothing
    return false;
  return container.module != noSyntax || !isModule(statement);
}

std::vector<SyntaxId> UnitPlanner::units() const {
  std::vector<SyntaxId> units;
  for (const Container &container : containers)
    for (SyntaxId id : syntax.region(container.region).statements)
      if (isUnit(container, id))
        units.push_back(id);
  // A module may have ops after it, but its container comes after theirs.
  llvm::sort(units);
  return units;
}

const UnitPlanner::Container &UnitPlanner::containerOf(SyntaxId id) const {
  return *llvm::find_if(containers, [&](const Container &container) {
    return container.region == syntax.statement(id).parent;
  });
}

void UnitPlanner::addSymbols(Container &container) {
  for (SyntaxId id : syntax.region(container.region).statements) {
    auto [name, span] = definedSymbol(syntax, syntax.statement(id));
    if (name.empty())
      continue;
    auto [entry, isNew] = container.symbols.try_emplace(name, id);
    if (isNew)
      continue;
    Diagnostic diagnostic;
    diagnostic.span = span;
    diagnostic.code = "redefinition";
    diagnostic.message = "'" + name + "' is defined twice";
    diagnostic.related.push_back(
        {definedSymbol(syntax, syntax.statement(entry->second)).second,
         std::nullopt, "first defined here"});
    redefinitions.push_back(std::move(diagnostic));
  }
}

std::vector<SyntaxId> UnitPlanner::referredSymbols(const Container &container,
                                                   SyntaxId id) const {
  std::vector<SyntaxId> result;
  const Statement &statement = syntax.statement(id);
  for (auto at = llvm::lower_bound(symbolTokens, statement.firstToken);
       at != symbolTokens.end() && *at < statement.endToken; ++at) {
    auto found =
        container.symbols.find(plainSymbol(syntax.text(syntax.tokens()[*at])));
    if (found != container.symbols.end() && found->second != id &&
        !llvm::is_contained(result, found->second))
      result.push_back(found->second);
  }
  return result;
}

void UnitPlanner::report(std::vector<Diagnostic> &diagnostics) const {
  llvm::append_range(diagnostics, redefinitions);
  // One error for each alias, else a missing layout hides all other errors.
  for (const auto &[name, tokens] : undeclared) {
    std::vector<size_t> uses(tokens.begin(), tokens.end());
    llvm::sort(uses);
    auto spanOf = [&](size_t use) { return syntax.tokens()[use].span(); };
    Diagnostic diagnostic;
    diagnostic.span = spanOf(uses.front());
    diagnostic.code = "undeclared-alias";
    diagnostic.message = "nothing defines the alias '" + name.str() + "'";
    if (size_t more = uses.size() - 1)
      diagnostic.related.push_back(
          {spanOf(uses[1]), std::nullopt,
           more == 1 ? "and here"
                     : std::to_string(more) + " more uses, the next one here"});
    suggestAlias(diagnostic, syntax);
    diagnostics.push_back(std::move(diagnostic));
  }
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

FragmentRequest UnitPlanner::skeleton() {
  FragmentRequest request = base;
  llvm::DenseSet<SyntaxId> unread = locationsOfOps();
  for (SyntaxId id : syntax.region(containers.front().region).statements) {
    const Statement &statement = syntax.statement(id);
    if (unread.contains(id))
      continue;
    if (statement.kind == Statement::Alias ||
        statement.kind == Statement::Metadata) {
      request.parts.push_back({statement.span, "", id});
      declareMissing(request, usesIn(statement.firstToken, statement.span));
    } else if (isModule(statement)) {
      addHeader(request, id, {});
      addTrailer(request, id, {});
      declareMissing(request,
                     usesIn(statement.firstToken, statement.header(syntax)));
    }
  }
  return request;
}

void UnitPlanner::addHeader(FragmentRequest &request, SyntaxId module,
                            const SkeletonRepairs &repairs) const {
  const Statement &statement = syntax.statement(module);
  if (repairs.broken.contains(module)) {
    request.parts.push_back({{}, "module {", module});
    request.verify = false;
    return;
  }
  const Region &region = syntax.region(statement.regions.front());
  request.parts.push_back(
      {{statement.span.begin, region.body.begin}, "", module});
  if (!region.isOpened)
    request.parts.push_back({{}, "{", module});
}

void UnitPlanner::addTrailer(FragmentRequest &request, SyntaxId module,
                             const SkeletonRepairs &repairs) const {
  const Statement &statement = syntax.statement(module);
  const Region &region = syntax.region(statement.regions.front());
  if (repairs.broken.contains(module) || !region.isClosed)
    request.parts.push_back({{}, "}", module});
  else
    request.parts.push_back(
        {{region.body.end, statement.span.end}, "", module});
}

FragmentRequest UnitPlanner::unit(SyntaxId id, const SkeletonRepairs &repairs) {
  const Container &container = containerOf(id);
  const Statement &statement = syntax.statement(id);
  FragmentRequest request = base;
  request.statement = id;
  // What is declared, but missing, comes first; all else as in the text.
  std::vector<SyntaxId> others = referredSymbols(container, id);
  request.isWhole = others.empty();
  if (!others.empty())
    callees[id] = others;
  auto own = usesIn(statement.firstToken, statement.span);
  std::vector<uint32_t> wanted;
  declareMissing(request, own);
  request.locations = knownLocations(id);
  addUses(wanted, own, request.locations);
  for (SyntaxId other : others)
    addUses(wanted, usesIn(syntax.statement(other).firstToken,
                           syntax.statement(other).span));
  std::vector<SyntaxId> order = others;
  order.push_back(id);
  if (container.module != noSyntax) {
    order.push_back(container.module);
    const Statement &module = syntax.statement(container.module);
    size_t end = syntax.region(container.region).body.end;
    addUses(wanted, usesIn(module.firstToken, module.header(syntax)));
    addUses(wanted, usesIn(syntax.tokenAfter(end), module.span));
  }
  for (uint32_t alias : wanted) {
    SyntaxId definition = aliases[alias].statement;
    if (std::exchange(needs[alias], Nobody) == Parser)
      order.push_back(definition);
    else
      request.locationAliases.push_back(syntax.statement(definition).span);
  }
  llvm::sort(order);

  bool isInModule = false;
  auto endModule = [&] {
    if (isInModule)
      addTrailer(request, container.module, repairs);
    isInModule = false;
  };
  for (SyntaxId part : order) {
    const Statement &other = syntax.statement(part);
    if (isInModule &&
        other.span.begin >= syntax.statement(container.module).span.end)
      endModule();
    if (part == container.module) {
      addHeader(request, part, repairs);
      isInModule = true;
    } else if (part == id || other.kind == Statement::Alias) {
      request.parts.push_back({other.span, "", part});
    } else {
      request.parts.push_back({declarationOf(other), "", part});
    }
    if (other.kind == Statement::Alias && repairs.broken.contains(part))
      request.lacksAlias(syntax.text(other.name));
  }
  endModule();
  for (const Patch &patch : repairs.patches)
    if (llvm::any_of(request.parts, [&](const FragmentRequest::Part &part) {
          return part.span.contains(patch.span);
        }))
      request.patches.push_back(patch);
  return request;
}

/// What stands for an op in a unit that only names it.
Span UnitPlanner::declarationOf(const Statement &statement) const {
  bool isGeneric = syntax.text(statement.name).starts_with("\"");
  if (isGeneric || statement.regions.size() != 1)
    return statement.span;
  return statement.header(syntax);
}
