//===- AttributeErrors.cpp - errors about a module's attributes -----------===//

#include "server/analysis/AttributeErrors.h"

#include "llvm/ADT/Twine.h"

using namespace kernelscope;
using llvm::StringRef;

/// From the name of an attribute, at token `first`, to the end of its value.
static Span entryAt(const Syntax &syntax, size_t first, size_t end) {
  Span entry = syntax.tokens()[first].span();
  int depth = 0;
  for (size_t i = first; i < end; ++i) {
    const Token &token = syntax.tokens()[i];
    StringRef text = syntax.text(token);
    if (token.kind == Token::Punctuation) {
      if (depth == 0 && (text == "," || text == "}"))
        break;
      depth += StringRef("([{<").contains(text);
      depth -= StringRef(")]}>").contains(text);
    }
    entry.end = token.end;
  }
  return entry;
}

void kernelscope::tellAtAttribute(Diagnostic &error, const Syntax &syntax) {
  if (error.code != "verify.builtin.module")
    return;
  SyntaxId id = syntax.statementAt(error.span.begin);
  if (id == noSyntax)
    return;
  const size_t end = syntax.tokenAfter(syntax.statement(id).header(syntax).end);
  StringRef message = error.message;
  for (size_t i = syntax.tokenAfter(error.span.end); i + 1 < end; ++i) {
    if (syntax.text(syntax.tokens()[i + 1]) != "=")
      continue;
    StringRef name = syntax.text(syntax.tokens()[i]).trim('"');
    if (!message.contains((name + " = ").str()) &&
        !message.contains((name + "' = ").str()))
      continue;
    error.span = entryAt(syntax, i, end);
    return;
  }
}
