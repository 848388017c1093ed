//===- SemanticTokens.cpp - the meaning of each word ----------------------===//

#include "server/features/SemanticTokens.h"

#include "server/analysis/Syntax.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace kernelscope;
using llvm::StringRef;

/// `f32`, `i1`, `index`, `tensor` and the like.
static bool isBuiltinType(StringRef word) {
  if (llvm::is_contained(
          {"index", "tensor", "vector", "memref", "none", "tuple", "complex"},
          word))
    return true;
  StringRef digits = word;
  for (StringRef prefix : {"bf", "tf", "si", "ui", "f", "i"})
    if (digits.consume_front(prefix))
      break;
  return digits.size() < word.size() && !digits.empty() &&
         digits.front() >= '0' && digits.front() <= '9';
}

namespace {

class Classifier {
public:
  explicit Classifier(const Syntax &syntax) : syntax(syntax) {
    for (const Statement &statement : syntax.statements()) {
      for (const ResultName &result : statement.results)
        definitions.insert({result.name.begin, true});
      if (statement.kind == Statement::Operation) {
        operations.insert({statement.name.begin, true});
        if (!statement.regions.empty())
          if (const Token *symbol = syntax.symbolOf(statement))
            definitions.insert({symbol->begin, true});
      } else if (statement.kind != Statement::Other) {
        definitions.insert({statement.name.begin, true});
      }
    }
  }

  std::optional<SemanticToken> classify(const Token &token) const {
    std::optional<TokenKind> kind = kindOf(token);
    if (!kind)
      return std::nullopt;
    return SemanticToken{token.span(), *kind,
                         definitions.contains(token.begin)};
  }

private:
  std::optional<TokenKind> kindOf(const Token &token) const {
    if (operations.contains(token.begin))
      return TokenKind::Operation;
    switch (token.kind) {
    case Token::Value:
      return TokenKind::Value;
    case Token::Symbol:
      return TokenKind::Symbol;
    case Token::Block:
      return TokenKind::Block;
    case Token::Hash:
      return TokenKind::Attribute;
    case Token::Bang:
      return TokenKind::Type;
    case Token::String:
    case Token::UnterminatedString:
      return TokenKind::String;
    case Token::Number:
      return TokenKind::Number;
    case Token::Identifier:
      if (isBuiltinType(syntax.text(token)))
        return TokenKind::Type;
      return std::nullopt;
    case Token::Arrow:
    case Token::Punctuation:
      return std::nullopt;
    }
    return std::nullopt;
  }

  const Syntax &syntax;
  llvm::DenseMap<size_t, bool> operations, definitions;
};

} // namespace

std::vector<SemanticToken> kernelscope::semanticTokens(const Document &document,
                                                       Span span) {
  const Syntax &syntax = document.syntax();
  Classifier classifier(syntax);
  std::vector<SemanticToken> result;
  for (size_t i = syntax.tokenAfter(span.begin);
       i < syntax.tokens().size() && syntax.tokens()[i].begin < span.end; ++i)
    if (auto token = classifier.classify(syntax.tokens()[i]))
      result.push_back(*token);
  for (Span comment : syntax.comments())
    if (comment.begin < span.end && comment.end > span.begin)
      result.push_back({comment, TokenKind::Comment, false});
  std::sort(result.begin(), result.end(),
            [](const SemanticToken &a, const SemanticToken &b) {
              return a.span.begin < b.span.begin;
            });
  return result;
}
