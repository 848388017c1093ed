//===- DocumentSymbols.cpp - the outline of a file ------------------------===//
//
// Uses only the text, so the outline survives any error.
//
//===----------------------------------------------------------------------===//

#include "server/features/DocumentSymbols.h"

#include "server/analysis/Syntax.h"

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
    symbol.detail = shorten(syntax.text(rest));
    for (SyntaxId inner : statement.regions)
      addSymbols(syntax, inner, symbol.children);
    symbols.push_back(std::move(symbol));
  }
}

std::vector<DocumentSymbol>
kernelscope::documentSymbols(const Document &document) {
  std::vector<DocumentSymbol> symbols;
  for (SyntaxId root : document.syntax().chunks())
    addSymbols(document.syntax(), root, symbols);
  return symbols;
}
