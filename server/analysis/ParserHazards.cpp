//===- ParserHazards.cpp - what MLIR's parser does not survive ------------===//

#include "server/analysis/ParserHazards.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace kernelscope;
using llvm::StringRef;

/// Whether `token` is `index` or an alias of it.
static bool isIndexType(const Syntax &syntax, const Token &token) {
  StringRef word = syntax.text(token);
  // Aliases of aliases may form a cycle.
  for (unsigned links = 0; word.starts_with("!") && links < 8; ++links) {
    auto alias =
        llvm::find_if(syntax.statements(), [&](const Statement &other) {
          return other.kind == Statement::Alias &&
                 syntax.text(other.name) == word;
        });
    if (alias == syntax.statements().end() ||
        alias->endToken != alias->firstToken + 3)
      return false;
    word = syntax.text(syntax.tokens()[alias->firstToken + 2]);
  }
  return word == "index";
}

std::vector<Span> kernelscope::findIndexArrays(const Syntax &syntax,
                                               Span span) {
  std::vector<Span> found;
  if (!syntax.hasArrays())
    return found;
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t i = syntax.tokenAfter(span.begin);
       i + 2 < tokens.size() && tokens[i].begin < span.end; ++i)
    if (tokens[i].kind == Token::Identifier &&
        tokens[i].end - tokens[i].begin == 5 &&
        syntax.text(tokens[i]) == "array" &&
        syntax.text(tokens[i + 1]) == "<" && isIndexType(syntax, tokens[i + 2]))
      found.push_back(tokens[i + 2].span());
  return found;
}

std::vector<size_t> kernelscope::findDeepBrackets(const Syntax &syntax,
                                                  Span span) {
  std::vector<size_t> found;
  if (syntax.deepestBracket() <= deepestNesting)
    return found;
  const std::vector<Token> &tokens = syntax.tokens();
  constexpr StringRef openers = "([{<", closers = ")]}>";
  std::string open; // what closes each
  size_t counts[4] = {};
  auto [first, last] = syntax.tokensIn(span);
  for (size_t i = first; i < last; ++i) {
    if (tokens[i].kind != Token::Punctuation)
      continue;
    char c = syntax.text()[tokens[i].begin];
    if (size_t kind = openers.find(c); kind != StringRef::npos) {
      if (open.size() == deepestNesting)
        found.push_back(i);
      open += closers[kind];
      ++counts[kind];
    } else if (size_t kind = closers.find(c);
               kind != StringRef::npos && counts[kind]) {
      // Also leaves brackets without a closer.
      char last;
      do {
        last = open.back();
        open.pop_back();
        --counts[closers.find(last)];
      } while (last != c);
    }
  }
  return found;
}

std::vector<size_t> kernelscope::findLargePacks(const Syntax &syntax,
                                                Span span) {
  std::vector<size_t> found;
  if (!syntax.hasLargePacks())
    return found;
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t i = syntax.tokenAfter(span.begin);
       i + 2 < tokens.size() && tokens[i].begin < span.end; ++i) {
    if (tokens[i + 2].kind != Token::Number || tokens[i].kind != Token::Value ||
        syntax.text(tokens[i + 1]) != ":")
      continue;
    // A number with too many digits counts as too large.
    unsigned count = 0;
    if (syntax.text(tokens[i + 2]).getAsInteger(0, count) ||
        count > mostResults)
      found.push_back(i + 2);
  }
  return found;
}

namespace {

/// Follows the names of values as the parser does.
class ForeignUseFinder {
public:
  explicit ForeignUseFinder(const Syntax &syntax)
      : syntax(syntax), tokens(syntax.tokens()) {}

  std::vector<ForeignUse> run(SyntaxId root) {
    const Statement &statement = syntax.statement(root);
    // A line of a dump has twenty tokens or so, and defines a name.
    ids.reserve((statement.endToken - statement.firstToken) / 16);
    visit(root);
    return std::move(found);
  }

private:
  using NameId = uint32_t; ///< An index into `names`.
  struct Pending {
    size_t token;
    SyntaxId region;
  };
  struct Name {
    unsigned visible = 0;                  ///< In how many of the open regions.
    llvm::SmallVector<Pending, 0> pending; ///< Uses before any definition.
  };

  void visit(SyntaxId id) {
    const Statement &statement = syntax.statement(id);
    if (statement.kind == Statement::Label) {
      for (size_t i = statement.firstToken; i < statement.endToken; ++i)
        if (tokens[i].kind == Token::Value)
          define(i, statement.parent);
      return;
    }
    size_t next = tokenAt(statement.name.begin, statement.firstToken);
    if (statement.regions.empty())
      for (size_t i = next, end = statement.endToken; i < end; ++i)
        if (tokens[i].kind == Token::Value)
          use(i, statement.parent);
    for (SyntaxId region : statement.regions)
      visitRegion(region, next);
    size_t at = statement.firstToken;
    for (const ResultName &result : statement.results) {
      at = tokenAt(result.name.begin, at);
      define(at, statement.parent);
    }
  }

  /// The first token from `near` on that begins at or after `offset`.
  size_t tokenAt(size_t offset, size_t near) const {
    while (near < tokens.size() && tokens[near].begin < offset)
      ++near;
    return near;
  }

  /// `next` is the first token before the region, then the first one after it.
  void visitRegion(SyntaxId id, size_t &next) {
    const Region &region = syntax.region(id);
    size_t outer = scope.size();
    // Only the op knows which of the names are arguments of the region. All of
    // them are visible in it, and names without a mark may be uses, which do
    // not see the arguments.
    llvm::SmallVector<size_t> arguments, others;
    // `scf.reduce(%x : f32) {`: an operand, although it is written like one.
    const bool hasArguments =
        syntax.text(syntax.statement(region.owner).name) != "scf.reduce";
    for (; next < tokens.size() && tokens[next].begin < region.openBrace();
         ++next) {
      if (tokens[next].kind != Token::Value)
        continue;
      (hasArguments && isArgument(next) ? arguments : others).push_back(next);
    }
    for (size_t token : others)
      use(token, syntax.statement(region.owner).parent);
    for (size_t token : others)
      show(idOf(token));
    for (size_t token : arguments)
      define(token, id);
    for (SyntaxId statement : region.statements)
      visit(statement);
    for (NameId name : llvm::ArrayRef(scope).drop_front(outer))
      --names[name].visible;
    scope.resize(outer);
    next = syntax.tokenAfter(region.body.end);
  }

  /// Whether the value is followed like an argument: `%i = ...`, `(%x: i32)`.
  /// In `step %n : i32` it is an operand.
  bool isArgument(size_t token) const {
    if (token == 0 || token + 1 == tokens.size())
      return false;
    StringRef before = syntax.text(tokens[token - 1]);
    StringRef after = syntax.text(tokens[token + 1]);
    return after == "=" || (after == ":" && (before == "(" || before == ","));
  }

  void use(size_t token, SyntaxId region) {
    Name &name = names[idOf(token)];
    if (name.visible == 0)
      name.pending.push_back({token, region});
  }

  void define(size_t token, SyntaxId region) {
    NameId id = idOf(token);
    show(id);
    Name &name = names[id];
    for (const Pending &use : name.pending)
      if (!encloses(region, use.region))
        found.push_back({use.token, use.region, tokens[token].span(),
                         encloses(use.region, region)});
    name.pending.clear();
  }

  NameId idOf(size_t token) {
    auto [entry, isNew] =
        ids.try_emplace(syntax.text(tokens[token]), names.size());
    if (isNew)
      names.emplace_back();
    return entry->second;
  }

  void show(NameId name) {
    ++names[name].visible;
    scope.push_back(name);
  }

  bool encloses(SyntaxId outer, SyntaxId inner) const {
    while (inner != outer) {
      SyntaxId owner = syntax.region(inner).owner;
      if (owner == noSyntax)
        return false;
      inner = syntax.statement(owner).parent;
    }
    return true;
  }

  const Syntax &syntax;
  const llvm::ArrayRef<Token> tokens;
  llvm::DenseMap<StringRef, NameId> ids;
  std::vector<Name> names;
  std::vector<NameId> scope; ///< The names of the open regions.
  std::vector<ForeignUse> found;
};

} // namespace

std::vector<ForeignUse> kernelscope::findForeignUses(const Syntax &syntax,
                                                     SyntaxId statement) {
  return ForeignUseFinder(syntax).run(statement);
}
