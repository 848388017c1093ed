//===- Lexer.h - the words of MLIR's textual form ---------------*- C++ -*-===//
//
// Our own lexer, since MLIR's stops at the first error. It gives every byte of
// any text to some token, a comment or white space.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_LEXER_H
#define KERNELSCOPE_SERVER_ANALYSIS_LEXER_H

#include "server/text/Span.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace kernelscope {

struct Token {
  enum Kind : uint8_t {
    Value,              ///< `%name`
    Hash,               ///< `#alias`, `#dialect.attr`, or `#2` of `%name#2`
    Bang,               ///< `!alias`, `!dialect.type`
    Block,              ///< `^name`
    Symbol,             ///< `@name`, `@"any name"`
    Identifier,         ///< `tt.load`, `attributes`
    Number,             ///< `12`, `0x1F`, `1.5e3`
    String,             ///< With its quotes.
    UnterminatedString, ///< From the quote to the end of the line.
    Arrow,              ///< `->`
    Punctuation,        ///< One character.
  };
  uint32_t begin;
  uint32_t end;
  Kind kind;
  bool firstOnLine;
  bool lastOnLine;
  bool isStructural; ///< One of `(){}[]:`.

  Span span() const { return {begin, end}; }
  /// Whether it is of one of these kinds; one test, as scans ask it of each.
  template <Kind... kinds> bool isAny() const {
    return (((1U << kinds) | ...) >> kind) & 1;
  }
};

struct LexedText {
  std::vector<Token> tokens;
  std::vector<Span> comments; ///< Without the end of their line.
  /// No place is inside more open brackets, whichever closer closes which.
  size_t deepestBracket = 0;
  size_t arrays = 0;     ///< How many words are `array`.
  size_t largePacks = 0; ///< How many `%name:2` have more than two digits.
};

/// Texts must be shorter than 4 GiB.
LexedText lex(llvm::StringRef text);

/// Which tokens an edit changed: those of the lines that differ.
struct ChangedTokens {
  size_t begin = 0; ///< In both texts; those before it are the same.
  /// Those from here on are the same, at other places.
  size_t oldEnd = 0, newEnd = 0;
};

/// The same, for a text that is `oldText` with an edit: only lines that differ
/// are read.
LexedText lex(llvm::StringRef text, llvm::StringRef oldText,
              const LexedText &old, ChangedTokens &changed);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_LEXER_H
