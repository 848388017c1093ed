//===- Lexer.cpp - the words of MLIR's textual form -----------------------===//

#include "server/analysis/Lexer.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <array>

using namespace kernelscope;
using llvm::isDigit;

namespace {

enum WordClass : uint8_t {
  IdentifierStart = 1,
  IdentifierPart = 2,
  SuffixPart = 4, ///< What may follow `%`, `#`, `!` and `^`.
};

constexpr std::array<uint8_t, 256> wordClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (isLetter || c == '_')
      classes[c] = IdentifierStart | IdentifierPart | SuffixPart;
    else if ((c >= '0' && c <= '9') || c == '$' || c == '.')
      classes[c] = IdentifierPart | SuffixPart;
    else if (c == '-')
      classes[c] = SuffixPart;
  }
  return classes;
}();

template <WordClass wanted> bool isOf(char c) {
  return wordClasses[static_cast<unsigned char>(c)] & wanted;
}

/// The kinds of brackets from 1, closers negative; 0: none.
int bracketKind(char c) {
  switch (c) {
  case '(':
    return 1;
  case '[':
    return 2;
  case '{':
    return 3;
  case '<':
    return 4;
  case ')':
    return -1;
  case ']':
    return -2;
  case '}':
    return -3;
  case '>':
    return -4;
  default:
    return 0;
  }
}

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
    size_t at = position;
    while (at < text.size() && predicate(text[at]))
      ++at;
    position = at;
  }

  /// Goes to the next token; false at the end of the text.
  bool skipBlanks() {
    while (position < text.size()) {
      char c = text[position];
      if (c == ' ' || c == '\t') {
        // Comes most often.
      } else if (c == '\n' || c == '\r') {
        endLine();
      } else if (c == '/' && peek(1) == '/') {
        size_t begin = position;
        skipWhile([](char c) { return c != '\n' && c != '\r'; });
        result.comments.push_back({begin, position});
        continue;
      } else {
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
      skipWhile(isOf<IdentifierPart>);
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
    if (isOf<IdentifierStart>(c)) {
      size_t begin = position - 1;
      skipWhile(isOf<IdentifierPart>);
      result.hasArrays |= text.slice(begin, position) == "array";
      return Token::Identifier;
    }
    if (isDigit(c)) {
      size_t begin = position - 1;
      Token::Kind kind = scanNumber(c);
      result.hasLargePacks |= position - begin > 2 && isAfterValueAndColon();
      return kind;
    }
    countBracket(c);
    return Token::Punctuation;
  }

  Token::Kind scanSuffix(Token::Kind kind) {
    // `#-}` ends the metadata of a file.
    if (kind == Token::Hash && peek() == '-' && peek(1) == '}')
      return Token::Punctuation;
    if (isDigit(peek()))
      skipWhile(isDigit);
    else
      skipWhile(isOf<SuffixPart>);
    return kind;
  }

  bool isAfterValueAndColon() const {
    const std::vector<Token> &tokens = result.tokens;
    return tokens.size() >= 2 && text[tokens.back().begin] == ':' &&
           tokens[tokens.size() - 2].kind == Token::Value;
  }

  void countBracket(char c) {
    int kind = bracketKind(c);
    if (kind > 0) {
      ++open[kind];
      result.deepestBracket = std::max(result.deepestBracket, ++depth);
    } else if (kind < 0 && open[-kind]) {
      --open[-kind];
      --depth;
    }
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
  std::array<size_t, 5> open{}; ///< Brackets of each kind.
  size_t depth = 0;             ///< All of them.
  LexedText result;
};

} // namespace

LexedText kernelscope::lex(llvm::StringRef text) { return Lexer(text).run(); }
