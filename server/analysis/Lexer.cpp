//===- Lexer.cpp - the words of MLIR's textual form -----------------------===//

#include "server/analysis/Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

using namespace kernelscope;
using llvm::isDigit;

namespace {

enum WordClass : uint8_t {
  IdentifierStart = 1,
  IdentifierPart = 2,
  SuffixPart = 4, ///< What may follow `%`, `#`, `!` and `^`.
  Structural = 8, ///< See `Token::isStructural`.
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
  for (unsigned char c : {'(', ')', '{', '}', '[', ']', ':'})
    classes[c] = Structural;
  return classes;
}();

template <WordClass wanted> bool isOf(char c) {
  return wordClasses[static_cast<unsigned char>(c)] & wanted;
}

/// The kinds of brackets from 1, closers negative; 0: none.
constexpr std::array<int, 256> bracketKinds = [] {
  std::array<int, 256> kinds{};
  constexpr std::string_view openers = "([{<", closers = ")]}>";
  for (size_t i = 0; i < openers.size(); ++i) {
    kinds[static_cast<unsigned char>(openers[i])] = int(i + 1);
    kinds[static_cast<unsigned char>(closers[i])] = -int(i + 1);
  }
  return kinds;
}();

/// No token and no comment goes beyond the end of its line, and none depends on
/// the lines before it.
class Lexer {
public:
  Lexer(llvm::StringRef text, LexedText &result) : text(text), result(result) {}

  /// Appends the tokens from `begin`, where a line begins, to `end`.
  void run(size_t begin, size_t end) {
    text = text.take_front(end);
    position = begin;
    while (skipBlanks())
      lexToken();
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
    result.tokens.push_back(
        {static_cast<uint32_t>(begin), static_cast<uint32_t>(position), kind,
         atLineStart, false,
         kind == Token::Punctuation && isOf<Structural>(text[begin])});
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
  LexedText &result;
};

/// How many brackets are open, whichever closer closes which.
class BracketDepth {
public:
  void take(char bracket) {
    const int kind = bracketKinds[static_cast<unsigned char>(bracket)];
    if (kind > 0) {
      ++open[kind];
      deepest = std::max(deepest, ++depth);
    } else if (open[-kind]) {
      --open[-kind];
      --depth;
    }
  }
  size_t deepest = 0;

private:
  std::array<size_t, 5> open{}; ///< Of each kind.
  size_t depth = 0;             ///< All of them.
};

/// See `LexedText`.
struct Counts {
  size_t arrays = 0, largePacks = 0;
};

} // namespace

/// Counts in the tokens from `begin` to `end`; calls `onBracket` with each
/// bracket.
template <typename OnBracket>
static Counts count(llvm::StringRef text, const std::vector<Token> &tokens,
                    size_t begin, size_t end, OnBracket onBracket) {
  Counts counts;
  for (size_t i = begin; i < end; ++i) {
    const Token &token = tokens[i];
    const size_t size = token.end - token.begin;
    if (token.kind == Token::Punctuation) {
      const char c = text[token.begin];
      if (bracketKinds[static_cast<unsigned char>(c)])
        onBracket(c);
    } else if (token.kind == Token::Identifier) {
      counts.arrays += size == 5 && text.substr(token.begin, size) == "array";
    } else if (token.kind == Token::Number && size > 2 && i >= 2) {
      counts.largePacks += text[tokens[i - 1].begin] == ':' &&
                           tokens[i - 2].kind == Token::Value;
    }
  }
  return counts;
}

LexedText kernelscope::lex(llvm::StringRef text) {
  LexedText result;
  // A dump has about one token per four bytes.
  result.tokens.reserve(text.size() / 4);
  Lexer(text, result).run(0, text.size());
  BracketDepth depth;
  const Counts counts = count(text, result.tokens, 0, result.tokens.size(),
                              [&](char bracket) { depth.take(bracket); });
  result.deepestBracket = depth.deepest;
  result.arrays = counts.arrays;
  result.largePacks = counts.largePacks;
  return result;
}

/// How many bytes at the beginning of two texts of the same size are equal.
static size_t commonPrefix(llvm::StringRef a, llvm::StringRef b) {
  constexpr size_t block = 256;
  size_t same = 0;
  while (same + block <= a.size() &&
         memcmp(a.data() + same, b.data() + same, block) == 0)
    same += block;
  while (same < a.size() && a[same] == b[same])
    ++same;
  return same;
}

/// The same at their ends.
static size_t commonSuffix(llvm::StringRef a, llvm::StringRef b) {
  constexpr size_t block = 256;
  size_t left = a.size();
  while (left >= block &&
         memcmp(a.data() + left - block, b.data() + left - block, block) == 0)
    left -= block;
  while (left > 0 && a[left - 1] == b[left - 1])
    --left;
  return a.size() - left;
}

namespace {
/// The whole lines in which two texts differ; outside of them they are equal.
struct DifferentLines {
  size_t begin;          ///< In both texts.
  size_t oldEnd, newEnd; ///< Where a line ends, or the text.

  DifferentLines(llvm::StringRef oldText, llvm::StringRef text) {
    const size_t shorter = std::min(oldText.size(), text.size());
    begin = commonPrefix(oldText.take_front(shorter), text.take_front(shorter));
    const size_t suffix = commonSuffix(oldText.take_back(shorter - begin),
                                       text.take_back(shorter - begin));
    const size_t newline = text.take_front(begin).find_last_of("\r\n");
    begin = newline == llvm::StringRef::npos ? 0 : newline + 1;
    newEnd =
        std::min(text.find_first_of("\r\n", text.size() - suffix), text.size());
    oldEnd = oldText.size() - (text.size() - newEnd);
  }
};
} // namespace

/// Appends what begins at or after `lines.oldEnd`, at its new place.
template <typename Piece>
static void appendRest(std::vector<Piece> &pieces,
                       const std::vector<Piece> &old, size_t rest,
                       const DifferentLines &lines) {
  const size_t first = pieces.size();
  pieces.insert(pieces.end(), old.begin() + rest, old.end());
  const size_t move = lines.newEnd - lines.oldEnd;
  for (size_t i = first; i < pieces.size(); ++i) {
    pieces[i].begin += move;
    pieces[i].end += move;
  }
}

/// The first of the pieces that begins at or after `offset`.
template <typename Piece>
static size_t firstAt(const std::vector<Piece> &pieces, size_t offset) {
  return llvm::partition_point(
             pieces, [&](const Piece &piece) { return piece.begin < offset; }) -
         pieces.begin();
}

LexedText kernelscope::lex(llvm::StringRef text, llvm::StringRef oldText,
                           const LexedText &old, ChangedTokens &changed) {
  const DifferentLines lines(oldText, text);
  changed.begin = firstAt(old.tokens, lines.begin);
  changed.oldEnd = firstAt(old.tokens, lines.oldEnd);
  LexedText result;
  result.tokens.reserve(old.tokens.size() + (lines.newEnd - lines.begin) / 4);
  result.tokens.assign(old.tokens.begin(), old.tokens.begin() + changed.begin);
  result.comments.assign(old.comments.begin(),
                         old.comments.begin() +
                             firstAt(old.comments, lines.begin));
  Lexer(text, result).run(lines.begin, lines.newEnd);
  changed.newEnd = result.tokens.size();
  appendRest(result.tokens, old.tokens, changed.oldEnd, lines);
  appendRest(result.comments, old.comments, firstAt(old.comments, lines.oldEnd),
             lines);

  // Whether a number is the size of a pack depends on two tokens before it.
  std::string oldBrackets, newBrackets;
  const Counts before = count(oldText, old.tokens, changed.begin,
                              std::min(changed.oldEnd + 2, old.tokens.size()),
                              [&](char bracket) { oldBrackets += bracket; });
  const Counts after = count(text, result.tokens, changed.begin,
                             std::min(changed.newEnd + 2, result.tokens.size()),
                             [&](char bracket) { newBrackets += bracket; });
  result.arrays = old.arrays - before.arrays + after.arrays;
  result.largePacks = old.largePacks - before.largePacks + after.largePacks;
  result.deepestBracket = old.deepestBracket;
  if (oldBrackets != newBrackets) {
    BracketDepth depth;
    count(text, result.tokens, 0, result.tokens.size(),
          [&](char bracket) { depth.take(bracket); });
    result.deepestBracket = depth.deepest;
  }
  return result;
}
