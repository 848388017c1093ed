//===- Lexer.cpp - the words of MLIR's textual form -----------------------===//

#include "server/analysis/Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::isAlnum;
using llvm::isAlpha;
using llvm::isDigit;

namespace {

bool isIdentifierStart(char c) { return isAlpha(c) || c == '_'; }
bool isIdentifierPart(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '.';
}
/// What may follow `%`, `#`, `!` and `^`.
bool isSuffixPart(char c) { return isIdentifierPart(c) || c == '-'; }

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  LexedText run() {
    // A dump has about one token per four bytes.
    result.tokens.reserve(text.size() / 4);
    while (skipBlanks())
      lexToken();
    return std::move(result);
  }

private:
  char peek(size_t ahead = 0) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }
  template <typename Predicate> void skipWhile(Predicate predicate) {
    while (position < text.size() && predicate(text[position]))
      ++position;
  }

  /// Goes to the next token; false at the end of the text.
  bool skipBlanks() {
    while (position < text.size()) {
      char c = text[position];
      if (c == '\n' || c == '\r') {
        endLine();
      } else if (c == '/' && peek(1) == '/') {
        size_t begin = position;
        skipWhile([](char c) { return c != '\n' && c != '\r'; });
        result.comments.push_back({begin, position});
        continue;
      } else if (c != ' ' && c != '\t') {
        return true;
      }
      ++position;
    }
    endLine();
    return false;
  }

  void endLine() {
    if (!atLineStart)
      result.tokens.back().lastOnLine = true;
    atLineStart = true;
  }

  void lexToken() {
    size_t begin = position;
    Token::Kind kind = scan();
    result.tokens.push_back({static_cast<uint32_t>(begin),
                             static_cast<uint32_t>(position), kind, atLineStart,
                             false});
    atLineStart = false;
  }

  /// Moves past one token.
  Token::Kind scan() {
    char c = text[position++];
    switch (c) {
    case '%':
      return scanSuffix(Token::Value);
    case '#':
      return scanSuffix(Token::Hash);
    case '!':
      return scanSuffix(Token::Bang);
    case '^':
      return scanSuffix(Token::Block);
    case '@':
      if (peek() == '"') {
        ++position;
        return scanString() ? Token::Symbol : Token::UnterminatedString;
      }
      skipWhile(isIdentifierPart);
      return Token::Symbol;
    case '"':
      return scanString() ? Token::String : Token::UnterminatedString;
    case '-':
      if (peek() == '>') {
        ++position;
        return Token::Arrow;
      }
      return Token::Punctuation;
    default:
      break;
    }
    if (isIdentifierStart(c)) {
      skipWhile(isIdentifierPart);
      return Token::Identifier;
    }
    if (isDigit(c))
      return scanNumber(c);
    return Token::Punctuation;
  }

  Token::Kind scanSuffix(Token::Kind kind) {
    // `#-}` ends the metadata of a file.
    if (kind == Token::Hash && peek() == '-' && peek(1) == '}')
      return Token::Punctuation;
    if (isDigit(peek()))
      skipWhile(isDigit);
    else
      skipWhile(isSuffixPart);
    return kind;
  }

  /// After the opening quote; false if the line ends before the closing one.
  bool scanString() {
    while (position < text.size()) {
      char c = text[position];
      if (c == '\n' || c == '\r')
        return false;
      ++position;
      if (c == '"')
        return true;
      if (c == '\\' && position < text.size() && text[position] != '\n' &&
          text[position] != '\r')
        ++position;
    }
    return false;
  }

  Token::Kind scanNumber(char first) {
    if (first == '0' && peek() == 'x' && llvm::isHexDigit(peek(1))) {
      ++position;
      skipWhile(llvm::isHexDigit);
      return Token::Number;
    }
    skipWhile(isDigit);
    if (peek() != '.')
      return Token::Number;
    ++position;
    skipWhile(isDigit);
    if (peek() == 'e' || peek() == 'E') {
      bool hasSign = peek(1) == '+' || peek(1) == '-';
      if (isDigit(peek(hasSign ? 2 : 1))) {
        position += hasSign ? 2 : 1;
        skipWhile(isDigit);
      }
    }
    return Token::Number;
  }

  llvm::StringRef text;
  size_t position = 0;
  bool atLineStart = true;
  LexedText result;
};

} // namespace

LexedText kernelscope::lex(llvm::StringRef text) { return Lexer(text).run(); }
