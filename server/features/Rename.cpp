//===- Rename.cpp - a name changed wherever it stands ---------------------===//

#include "server/features/Rename.h"

#include "server/features/Name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

/// Whether `name` may follow a sigil without quotes (MLIR's suffix-id).
static bool isSuffixId(StringRef name) {
  auto isPunctuation = [](char c) { return StringRef("_$.-").contains(c); };
  if (name.empty())
    return false;
  if (llvm::isDigit(name.front()))
    return llvm::all_of(name, llvm::isDigit);
  return llvm::all_of(
      name, [&](char c) { return llvm::isAlnum(c) || isPunctuation(c); });
}

static const char *kindName(Name::Kind kind) {
  switch (kind) {
  case Name::Value:
    return "value";
  case Name::Block:
    return "block";
  case Name::Symbol:
    return "function";
  case Name::Alias:
    return "alias";
  }
  __builtin_unreachable();
}

namespace {

class Renamer {
public:
  Renamer(const Document &document, const Name &name)
      : document(document), syntax(document.syntax()), name(name),
        sigil(syntax.text(name.origin).take_front()) {}

  Renaming run(StringRef wanted) const {
    wanted.consume_front(sigil);
    Renaming renaming;
    std::string word = wanted.str();
    if (name.kind == Name::Symbol && !isSuffixId(wanted) && !wanted.empty() &&
        llvm::none_of(wanted, [](char c) {
          return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ';
        }))
      word = ("\"" + wanted + "\"").str();
    else if (!isSuffixId(wanted) ||
             (name.kind == Name::Alias && wanted.contains('.')))
      return refuse("'" + wanted + "' cannot name " +
                    (name.kind == Name::Alias ? "an " : "a ") +
                    kindName(name.kind) + "; it must be a number or consist " +
                    (name.kind == Name::Alias
                         ? "of letters, digits, '_', '$' and '-'"
                         : "of letters, digits, '_', '$', '.' and '-'") +
                    ", with no digit first");
    word = (sigil + word).str();
    if (word == syntax.text(name.origin))
      return renaming;
    if (const Token *other = findConflict(word)) {
      size_t line = document.text().lineAt(other->begin) + 1;
      return refuse("line " + llvm::Twine(line) + " already has " +
                    (name.kind == Name::Alias ? "an " : "a ") +
                    kindName(name.kind) + " named '" + word + "'");
    }
    for (Span span : places())
      renaming.edits.push_back({span, word});
    return renaming;
  }

private:
  static Renaming refuse(const llvm::Twine &why) { return {{}, why.str()}; }

  std::vector<Span> places() const {
    std::vector<Span> spans = name.uses;
    if (name.definition)
      spans.push_back(*name.definition);
    llvm::sort(spans, [](Span a, Span b) { return a.begin < b.begin; });
    return spans;
  }

  /// A token that is called `word` where the two names would be confused.
  const Token *findConflict(StringRef word) const {
    Span within = chunkAt(document, name.origin.begin);
    if (name.kind == Name::Value || name.kind == Name::Block)
      if (const Unit *unit = document.unitAt(name.origin.begin))
        within = unit->span;
    const std::vector<Token> &tokens = syntax.tokens();
    for (size_t i = syntax.tokenAfter(within.begin);
         i < tokens.size() && tokens[i].begin < within.end; ++i) {
      if (syntax.text(tokens[i]) != word)
        continue;
      // `%x#1` is a result of `%x`, not an alias.
      if (tokens[i].kind == Token::Hash && i > 0 &&
          tokens[i - 1].kind == Token::Value &&
          tokens[i - 1].end == tokens[i].begin)
        continue;
      if (name.kind != Name::Value || isVisibleTogether(tokens[i]))
        return &tokens[i];
    }
    return nullptr;
  }

  /// Whether one of the two values can be seen where the other is: what regions
  /// beside each other define does not meet.
  bool isVisibleTogether(const Token &other) const {
    std::vector<SyntaxId> ours =
        scopesOf(name.definition.value_or(name.origin));
    for (SyntaxId theirs : scopesOf(other.span()))
      for (SyntaxId scope : ours)
        if (isIn(theirs, scope) || isIn(scope, theirs))
          return true;
    return false;
  }

  /// The regions in which what is named at `place` can be seen: those of the op
  /// for a name in its header, such as an argument.
  std::vector<SyntaxId> scopesOf(Span place) const {
    SyntaxId id = syntax.statementAt(place.begin);
    if (id != noSyntax) {
      const Statement &statement = syntax.statement(id);
      bool isInHeader = statement.kind == Statement::Operation &&
                        place.begin > statement.name.begin &&
                        statement.header(syntax).contains(place) &&
                        !statement.regions.empty();
      if (isInHeader)
        return {statement.regions.begin(), statement.regions.end()};
    }
    return {syntax.regionAt(place.begin)};
  }

  bool isIn(SyntaxId region, SyntaxId outer) const {
    while (region != outer) {
      SyntaxId owner = syntax.region(region).owner;
      if (owner == noSyntax)
        return false;
      region = syntax.statement(owner).parent;
    }
    return true;
  }

  const Document &document;
  const Syntax &syntax;
  const Name &name;
  StringRef sigil;
};

} // namespace

std::optional<RenameTarget> kernelscope::prepareRename(const Document &document,
                                                       size_t offset) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name || name->origin.size() < 2)
    return std::nullopt;
  // A function of another file cannot be renamed there.
  if (!name->definition && name->uses.empty())
    return std::nullopt;
  Span span = {name->origin.begin + 1, name->origin.end};
  return RenameTarget{span, document.syntax().text(span).trim('"').str()};
}

Renaming kernelscope::rename(const Document &document, size_t offset,
                             std::string newName) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name)
    return {{}, "there is no name of a value, block, function or alias here"};
  return Renamer(document, *name).run(StringRef(newName).trim());
}
