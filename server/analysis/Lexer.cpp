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
      skipWhile(isOf<IdentifierPart>);
      return Token::Identifier;
    }
    if (isDigit(c))
      return scanNumber(c);
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

  void countBracket(char c) {
    constexpr llvm::StringRef openers = "([{<", closers = ")]}>";
    if (size_t kind = openers.find(c); kind != llvm::StringRef::npos) {
      ++open[kind];
      size_t depth = open[0] + open[1] + open[2] + open[3];
      result.deepestBracket = std::max(result.deepestBracket, depth);
    } else if (size_t kind = closers.find(c);
               kind != llvm::StringRef::npos && open[kind]) {
      --open[kind];
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
  std::array<size_t, 4> open{}; ///< Brackets of each kind.
  LexedText result;
};

} // namespace

LexedText kernelscope::lex(llvm::StringRef text) { return Lexer(text).run(); }
