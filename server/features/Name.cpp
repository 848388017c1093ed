//===- Name.cpp - what a word names, and where else -----------------------===//

#include "server/features/Name.h"

#include "server/analysis/Hole.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;
using SMDefinition = mlir::AsmParserState::SMDefinition;

Span kernelscope::chunkAt(const Document &document, size_t offset) {
  const Syntax &syntax = document.syntax();
  for (SyntaxId root : syntax.chunks())
    if (syntax.region(root).body.touches(offset))
      return syntax.region(root).body;
  return {0, document.text().size()};
}

/// Calls `visit` with each token in `span`.
template <typename Visitor>
static void forTokens(const Syntax &syntax, Span span, Visitor visit) {
  for (size_t i = syntax.tokenAfter(span.begin);
       i < syntax.tokens().size() && syntax.tokens()[i].begin < span.end; ++i)
    visit(i, syntax.tokens()[i]);
}

const Statement *kernelscope::findAlias(const Document &document, size_t offset,
                                        StringRef name) {
  const Syntax &syntax = document.syntax();
  Span chunk = chunkAt(document, offset);
  for (const Statement &statement : syntax.statements())
    if (statement.kind == Statement::Alias && chunk.contains(statement.span) &&
        syntax.text(statement.name) == name)
      return &statement;
  return nullptr;
}

const Statement *kernelscope::findSymbol(const Document &document,
                                         size_t offset, StringRef name) {
  const Syntax &syntax = document.syntax();
  Span chunk = chunkAt(document, offset);
  for (const Unit &unit : document.units()) {
    if (unit.statement == noSyntax || !chunk.contains(unit.span))
      continue;
    const Statement &statement = syntax.statement(unit.statement);
    const Token *symbol = syntax.symbolOf(statement);
    if (symbol && syntax.text(*symbol) == name)
      return &statement;
  }
  return nullptr;
}

mlir::Operation *kernelscope::findOperation(const Document &document,
                                            const Statement &statement) {
  const Unit *unit = document.unitAt(statement.name.begin);
  if (!unit || !unit->fragment->isParsed)
    return nullptr;
  std::optional<mlir::SMLoc> place = unit->toParser(statement.name.begin);
  if (!place)
    return nullptr;
  for (const auto &definition : unit->ops())
    if (definition.loc.Start == *place)
      return definition.op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Values and blocks: the parser knows their scopes
//===----------------------------------------------------------------------===//

static bool mentions(const SMDefinition &definition, mlir::SMLoc place) {
  return definition.loc.Start == place ||
         llvm::any_of(definition.uses,
                      [&](mlir::SMRange use) { return use.Start == place; });
}

/// The word of the document that the parser saw at `range`, if it is one.
static std::optional<Span> wordOf(const Document &document, const Unit &unit,
                                  mlir::SMRange range) {
  if (!range.isValid())
    return std::nullopt;
  size_t buffer = range.Start.getPointer() - unit.fragment->buffer().begin();
  if (!unit.fragment->patched.isCopy(buffer))
    return std::nullopt;
  size_t begin = unit.toDocument(range).begin;
  const Token *token = document.syntax().tokenAt(begin);
  return token && token->begin == begin ? std::optional(token->span())
                                        : std::nullopt;
}

static void fill(Name &name, const Document &document, const Unit &unit,
                 const SMDefinition &definition) {
  name.definition = wordOf(document, unit, definition.loc);
  for (mlir::SMRange use : definition.uses)
    if (std::optional<Span> word = wordOf(document, unit, use))
      if (word != name.definition)
        name.uses.push_back(*word);
}

static bool fillValue(Name &name, const Document &document, const Unit &unit,
                      mlir::SMLoc place) {
  for (const auto &op : unit.ops())
    for (const auto &group : op.resultGroups)
      if (mentions(group.definition, place)) {
        fill(name, document, unit, group.definition);
        if (unit.fragment->isParsed)
          name.value = op.op->getResult(group.startIndex);
        return true;
      }
  for (const auto &block : unit.fragment->state.getBlockDefs())
    for (auto [index, argument] : llvm::enumerate(block.arguments))
      if (mentions(argument, place)) {
        fill(name, document, unit, argument);
        if (unit.fragment->isParsed)
          name.value = block.block->getArgument(index);
        return true;
      }
  return false;
}

static bool fillBlock(Name &name, const Document &document, const Unit &unit,
                      mlir::SMLoc place) {
  for (const auto &block : unit.fragment->state.getBlockDefs())
    if (mentions(block.definition, place)) {
      fill(name, document, unit, block.definition);
      return true;
    }
  return false;
}

/// In a statement that could not be parsed, a name means what it means in the
/// nearest earlier statement with that name, or else in the nearest later one.
static bool fillScoped(Name &name, const Document &document, const Unit &unit,
                       size_t index) {
  const Syntax &syntax = document.syntax();
  const std::vector<Token> &tokens = syntax.tokens();
  auto tryAt = [&](size_t i) {
    if (tokens[i].kind != tokens[index].kind ||
        syntax.text(tokens[i]) != syntax.text(tokens[index]))
      return false;
    std::optional<mlir::SMLoc> place = unit.toParser(tokens[i].begin);
    return place &&
           (name.kind == Name::Value ? fillValue(name, document, unit, *place)
                                     : fillBlock(name, document, unit, *place));
  };
  size_t first = syntax.tokenAfter(unit.span.begin);
  for (size_t i = index + 1; i-- > first;)
    if (tryAt(i))
      return true;
  for (size_t i = index + 1;
       i < tokens.size() && tokens[i].begin < unit.span.end; ++i)
    if (tryAt(i))
      return true;
  return false;
}

/// The uses in statements that could not be parsed.
static void addUnparsedUses(Name &name, const Document &document,
                            const Unit &unit) {
  const Syntax &syntax = document.syntax();
  StringRef word = syntax.text(name.origin);
  forTokens(syntax, unit.span, [&](size_t i, const Token &token) {
    if (syntax.text(token) != word || token.span() == name.definition ||
        unit.toParser(token.begin))
      return;
    Name other;
    other.kind = name.kind;
    bool isSame =
        token.span() == name.origin ||
        (fillScoped(other, document, unit, i) && other.value == name.value &&
         other.definition == name.definition);
    if (isSame)
      name.uses.push_back(token.span());
  });
}

//===----------------------------------------------------------------------===//
// Symbols and aliases: one name space for a chunk
//===----------------------------------------------------------------------===//

static void fillChunkWide(Name &name, const Document &document,
                          const Token &token, const Statement *definition,
                          std::optional<Span> definingWord) {
  const Syntax &syntax = document.syntax();
  if (definition)
    name.definition = definingWord;
  StringRef word = syntax.text(token);
  forTokens(syntax, chunkAt(document, token.begin),
            [&](size_t i, const Token &other) {
              if (other.kind != token.kind || syntax.text(other) != word ||
                  other.span() == name.definition)
                return;
              // `%x#1` is a result of `%x`, not an alias.
              if (i > 0 && syntax.tokens()[i - 1].kind == Token::Value &&
                  syntax.tokens()[i - 1].end == other.begin)
                return;
              name.uses.push_back(other.span());
            });
}

std::optional<Name> kernelscope::nameAt(const Document &document,
                                        size_t offset) {
  const Syntax &syntax = document.syntax();
  const Token *token = syntax.tokenAt(offset);
  if (!token)
    return std::nullopt;
  size_t index = token - syntax.tokens().data();
  // On the `#1` of `%x#1` the name is `%x`.
  if (token->kind == Token::Hash && index > 0 &&
      syntax.tokens()[index - 1].kind == Token::Value &&
      syntax.tokens()[index - 1].end == token->begin)
    token = &syntax.tokens()[--index];

  Name name;
  name.origin = token->span();
  switch (token->kind) {
  case Token::Value:
  case Token::Block: {
    name.kind = token->kind == Token::Value ? Name::Value : Name::Block;
    const Unit *unit = document.unitAt(token->begin);
    if (!unit || !fillScoped(name, document, *unit, index))
      return std::nullopt;
    addUnparsedUses(name, document, *unit);
    break;
  }
  case Token::Symbol: {
    name.kind = Name::Symbol;
    const Statement *definition =
        findSymbol(document, offset, syntax.text(*token));
    fillChunkWide(name, document, *token, definition,
                  definition
                      ? std::optional(syntax.symbolOf(*definition)->span())
                      : std::nullopt);
    break;
  }
  case Token::Hash:
  case Token::Bang: {
    StringRef word = syntax.text(*token);
    if (word.contains('.') || word.size() < 2)
      return std::nullopt;
    name.kind = Name::Alias;
    const Statement *definition = findAlias(document, offset, word);
    fillChunkWide(name, document, *token, definition,
                  definition ? std::optional(definition->name) : std::nullopt);
    break;
  }
  default:
    return std::nullopt;
  }
  llvm::sort(name.uses, [](Span a, Span b) { return a.begin < b.begin; });
  name.uses.erase(std::unique(name.uses.begin(), name.uses.end()),
                  name.uses.end());
  return name;
}
