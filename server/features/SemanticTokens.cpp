//===- SemanticTokens.cpp - the meaning of each word ----------------------===//

#include "server/features/SemanticTokens.h"

#include "server/analysis/Syntax.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

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
  /// Of the tokens in `span`.
  Classifier(const Syntax &syntax, Span span) : syntax(syntax) {
    const std::vector<Statement> &all = syntax.statements();
    // They are in the order of the text. The header of one that begins before
    // the span may reach into it: those around it, or the one before it.
    auto first = llvm::partition_point(all, [&](const Statement &statement) {
      return statement.span.begin < span.begin;
    });
    for (SyntaxId id = syntax.statementAt(span.begin); id != noSyntax;
         id = syntax.region(syntax.statement(id).parent).owner)
      note(syntax.statement(id));
    for (auto it = first; it != all.end() && it->span.begin < span.end; ++it)
      note(*it);
  }

  std::optional<SemanticToken> classify(const Token &token) const {
    std::optional<TokenKind> kind = kindOf(token);
    if (!kind)
      return std::nullopt;
    return SemanticToken{token.span(), *kind,
                         definitions.contains(token.begin)};
  }

private:
  void note(const Statement &statement) {
    for (const ResultName &result : statement.results)
      definitions.insert(result.name.begin);
    if (statement.kind == Statement::Operation) {
      operations.insert(statement.name.begin);
      if (!statement.regions.empty())
        if (const Token *symbol = syntax.symbolOf(statement))
          definitions.insert(symbol->begin);
    } else if (statement.kind != Statement::Other) {
      definitions.insert(statement.name.begin);
    }
  }

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
  llvm::DenseSet<size_t> operations, definitions;
};

} // namespace

std::vector<SemanticToken> kernelscope::semanticTokens(const Document &document,
                                                       Span span) {
  const Syntax &syntax = document.syntax();
  Classifier classifier(syntax, span);
  std::vector<SemanticToken> result;
  const std::vector<Span> &comments = syntax.comments();
  auto comment = llvm::partition_point(
      comments, [&](Span comment) { return comment.end <= span.begin; });
  auto addCommentsBefore = [&](size_t end) {
    for (; comment != comments.end() && comment->begin < end; ++comment)
      result.push_back({*comment, TokenKind::Comment, false});
  };
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t i = syntax.tokenAfter(span.begin);
       i < tokens.size() && tokens[i].begin < span.end; ++i) {
    addCommentsBefore(tokens[i].begin);
    if (auto token = classifier.classify(tokens[i]))
      result.push_back(*token);
  }
  addCommentsBefore(span.end);
  return result;
}
