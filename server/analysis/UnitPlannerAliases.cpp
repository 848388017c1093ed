//===- UnitPlannerAliases.cpp - the aliases that a request needs ----------===//

#include "server/analysis/FragmentRequest.h"
#include "server/analysis/LocationAliases.h"
#include "server/analysis/UnitPlanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace kernelscope;
using llvm::StringRef;

/// Where in `aliasUses` those of `span` are, whose first token is at or after
/// `firstToken`.
std::pair<size_t, size_t> UnitPlanner::indicesIn(size_t firstToken,
                                                 Span span) const {
  auto first = llvm::partition_point(
      aliasUses, [&](const AliasUse &use) { return use.token < firstToken; });
  auto last =
      std::partition_point(first, aliasUses.end(), [&](const AliasUse &use) {
        return syntax.tokens()[use.token].begin < span.end;
      });
  return {first - aliasUses.begin(), last - aliasUses.begin()};
}

llvm::ArrayRef<UnitPlanner::AliasUse> UnitPlanner::usesIn(size_t firstToken,
                                                          Span span) const {
  auto [first, last] = indicesIn(firstToken, span);
  return llvm::ArrayRef(aliasUses).slice(first, last - first);
}

/// Whether `statement` may end with the token before `location`. If not, the
/// parser must see what stands there, to say what it expects.
static bool mayEndBefore(const Syntax &syntax, const Statement &statement,
                         const Token &location) {
  const Token &last = *std::prev(&location);
  bool isName = last.begin == statement.name.begin;
  if (location.firstOnLine || (isName && !statement.results.empty()))
    return false;
  return last.kind == Token::Punctuation
             ? StringRef(")]}>").contains(syntax.text(last))
             : last.kind != Token::Arrow;
}

/// The `loc(#alias)` that end `id` and ops in it, of aliases that are there.
std::vector<Span> UnitPlanner::knownLocations(SyntaxId id) const {
  std::vector<Span> locations;
  size_t end = syntax.statement(id).endToken;
  // Statements are in the order in which they begin.
  for (; id < syntax.statements().size(); ++id) {
    const Statement &statement = syntax.statement(id);
    if (statement.firstToken >= end)
      break;
    const Token *alias = syntax.locationOf(statement);
    if (!alias)
      continue;
    size_t token = alias - syntax.tokens().data();
    auto use = llvm::partition_point(
        aliasUses, [&](const AliasUse &use) { return use.token < token; });
    const Token &location = syntax.tokens()[token - 2];
    if (use != aliasUses.end() && use->token == token &&
        use->alias != unknownAlias && aliases[use->alias].isLocation &&
        mayEndBefore(syntax, statement, location))
      locations.push_back({location.begin, alias[1].end});
  }
  llvm::sort(locations, [](Span a, Span b) { return a.begin < b.begin; });
  return locations;
}

/// Adds the aliases, and those that they name, and who needs them. The parser
/// does not see the uses in `locations`, which are sorted.
void UnitPlanner::addUses(std::vector<uint32_t> &wanted,
                          llvm::ArrayRef<AliasUse> uses,
                          llvm::ArrayRef<Span> locations) {
  llvm::SmallVector<uint32_t> open;
  auto add = [&](uint32_t alias, Need need) {
    if (alias == unknownAlias || needs[alias] >= need)
      return;
    if (needs[alias] == Nobody)
      wanted.push_back(alias);
    needs[alias] = need;
    open.push_back(alias);
  };
  for (const AliasUse &use : uses) {
    size_t begin = syntax.tokens()[use.token].begin;
    while (!locations.empty() && locations.front().end <= begin)
      locations = locations.drop_front();
    bool isBlank = !locations.empty() && locations.front().begin <= begin;
    bool isRead =
        isBlank && use.alias != unknownAlias && aliases[use.alias].isPlain;
    add(use.alias, isRead ? Reader : Parser);
  }
  while (!open.empty()) {
    uint32_t alias = open.pop_back_val();
    for (uint32_t used : aliases[alias].uses)
      add(used, needs[alias]);
  }
}

/// Defines aliases for the parser that nothing else defines.
void UnitPlanner::declareMissing(FragmentRequest &request,
                                 llvm::ArrayRef<AliasUse> uses) {
  llvm::StringSet<> declared;
  for (const AliasUse &use : uses) {
    if (use.alias != unknownAlias)
      continue;
    StringRef name = syntax.text(syntax.tokens()[use.token]);
    undeclared[name].insert(use.token);
    request.lacksAlias(name);
    if (!declared.insert(name).second)
      continue;
    bool isLocation =
        use.token >= 2 && syntax.text(syntax.tokens()[use.token - 2]) == "loc";
    request.parts.insert(
        request.parts.begin(),
        {{}, name.str() + placeholderFor(name, isLocation), noSyntax});
  }
}

/// Those that name only plain ones before them.
void UnitPlanner::findPlainLocations() {
  for (auto [index, alias] : llvm::enumerate(aliases)) {
    if (!alias.isLocation || alias.isRedefined)
      continue;
    std::optional<PlainLocation> plain =
        readPlainLocation(syntax, syntax.statement(alias.statement));
    alias.isPlain = plain && plain->aliases.size() == alias.uses.size() &&
                    llvm::all_of(alias.uses, [&, index = index](uint32_t use) {
                      return use < index && aliases[use].isPlain;
                    });
  }
}

/// The plain locations that only ops name.
llvm::DenseSet<SyntaxId> UnitPlanner::locationsOfOps() {
  llvm::DenseSet<SyntaxId> found;
  for (const Alias &alias : aliases)
    if (alias.isPlain)
      found.insert(alias.statement);
  std::vector<uint32_t> wanted;
  for (SyntaxId id : syntax.region(containers.front().region).statements) {
    const Statement &statement = syntax.statement(id);
    if (isModule(statement)) {
      size_t end = syntax.region(statement.regions.front()).body.end;
      addUses(wanted, usesIn(statement.firstToken, statement.header(syntax)));
      addUses(wanted, usesIn(syntax.tokenAfter(end), statement.span));
    } else if (statement.kind == Statement::Metadata ||
               (statement.kind == Statement::Alias && !found.contains(id))) {
      addUses(wanted, usesIn(statement.firstToken, statement.span));
    }
  }
  for (uint32_t alias : wanted) {
    found.erase(aliases[alias].statement);
    needs[alias] = Nobody;
  }
  return found;
}
