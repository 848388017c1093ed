//===- DocumentSymbols.cpp - the outline of a file ------------------------===//
//
// Uses only the text, so the outline survives any error.
//
//===----------------------------------------------------------------------===//

#include "server/features/DocumentSymbols.h"

#include "server/analysis/Syntax.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace kernelscope;
using llvm::StringRef;

static SymbolKind kindOf(StringRef op, bool hasSymbol) {
  if (op == "module" || op.ends_with(".module"))
    return SymbolKind::Module;
  if (hasSymbol)
    return SymbolKind::Function;
  if (op.ends_with(".for") || op.ends_with(".while") ||
      op.ends_with(".parallel") || op.ends_with(".forall"))
    return SymbolKind::Loop;
  if (op.ends_with(".if") || op.ends_with("switch"))
    return SymbolKind::Branch;
  return SymbolKind::Region;
}

/// One line of at most `limit` bytes.
static std::string shorten(StringRef text, size_t limit = 100) {
  std::string line;
  for (char c : text.trim()) {
    bool isBlank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!isBlank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.size() <= limit)
    return line;
  line.resize(limit);
  // Not in the middle of a UTF-8 character.
  while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0x80))
    line.pop_back();
  return line + "...";
}

/// The text of `span` without the `loc(...)` of arguments and ops, which leave
/// no room for the types.
static std::string withoutLocations(const Syntax &syntax, Span span) {
  const std::vector<Token> &tokens = syntax.tokens();
  std::string text;
  size_t kept = span.begin, depth = 0;
  for (size_t i = syntax.tokenAfter(span.begin);
       i < tokens.size() && tokens[i].begin < span.end; ++i) {
    StringRef word = syntax.text(tokens[i]);
    if (depth == 0) {
      if (word != "loc" || i + 1 == tokens.size() ||
          syntax.text(tokens[i + 1]) != "(")
        continue;
      text += syntax.text(Span{kept, tokens[i].begin}).rtrim();
      kept = span.end;
      ++i;
      depth = 1;
      continue;
    }
    depth += word == "(";
    depth -= word == ")";
    if (depth == 0)
      kept = tokens[i].end;
  }
  return text + syntax.text(Span{kept, span.end}).str();
}

static void addSymbols(const Syntax &syntax, SyntaxId region,
                       std::vector<DocumentSymbol> &symbols) {
  for (SyntaxId id : syntax.region(region).statements) {
    const Statement &statement = syntax.statement(id);
    if (statement.kind != Statement::Operation)
      continue;
    StringRef op = syntax.text(statement.name).trim('"');
    const Token *name = syntax.symbolOf(statement);
    bool isDeclaration =
        name && (op.ends_with("func") || op.ends_with("global"));
    if (statement.regions.empty() && !isDeclaration)
      continue;
    // `tt.call @f` in front of a region names a symbol but defines none.
    if (!isDeclaration && !op.ends_with("module"))
      name = nullptr;

    DocumentSymbol symbol;
    symbol.kind = kindOf(op, name);
    symbol.span = statement.span;
    symbol.selection = name ? name->span() : statement.name;
    symbol.name = name ? syntax.text(*name).drop_front().str() : op.str();
    Span rest = {name ? name->end : statement.name.end,
                 statement.header(syntax).end};
    symbol.detail = shorten(withoutLocations(syntax, rest));
    for (SyntaxId inner : statement.regions)
      addSymbols(syntax, inner, symbol.children);
    symbols.push_back(std::move(symbol));
  }
}

/// `Before CSEPass` of a dump's `// -----// IR Dump Before CSEPass (cse) ...`
/// in front of `chunk`; empty without one.
static StringRef passTitle(const Syntax &syntax, const Region &chunk) {
  if (chunk.statements.empty())
    return "";
  size_t begin = syntax.statement(chunk.statements.front()).span.begin;
  const std::vector<Span> &comments = syntax.comments();
  auto after = llvm::partition_point(
      comments, [&](Span comment) { return comment.begin < begin; });
  while (after != comments.begin()) {
    StringRef title = syntax.text(*--after);
    if (!title.consume_front("// -----//"))
      continue;
    StringRef pass = title.split("IR Dump ").second;
    return pass.take_front(std::min(pass.find(" ("), pass.find(" //")));
  }
  return "";
}

std::vector<DocumentSymbol> kernelscope::documentSymbols(const Syntax &syntax) {
  std::vector<DocumentSymbol> symbols;
  for (SyntaxId root : syntax.chunks()) {
    size_t first = symbols.size();
    addSymbols(syntax, root, symbols);
    // In a dump of passes, only the titles distinguish the modules.
    StringRef title = passTitle(syntax, syntax.region(root));
    if (title.empty())
      continue;
    for (DocumentSymbol &symbol : llvm::drop_begin(symbols, first))
      if (symbol.kind == SymbolKind::Module)
        symbol.name = title.str();
  }
  return symbols;
}
