//===- Symbols.cpp - the names of functions and the like ------------------===//

#include "server/analysis/Symbols.h"

using namespace kernelscope;
using llvm::StringRef;

std::string kernelscope::plainSymbol(StringRef symbol) {
  return "@" + symbol.drop_front().trim('"').str();
}

std::pair<std::string, Span>
kernelscope::definedSymbol(const Syntax &syntax, const Statement &statement) {
  if (statement.kind != Statement::Operation)
    return {};
  bool isGeneric = syntax.text(statement.name).starts_with("\"");
  if (!isGeneric) {
    const Token *token = syntax.symbolOf(statement);
    if (!token)
      return {};
    return {plainSymbol(syntax.text(*token)), token->span()};
  }
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t i = statement.firstToken; i + 2 < statement.endToken; ++i)
    if (syntax.text(tokens[i]) == "sym_name" &&
        tokens[i + 2].kind == Token::String)
      return {"@" + syntax.text(tokens[i + 2]).trim('"').str(),
              tokens[i + 2].span()};
  return {};
}
