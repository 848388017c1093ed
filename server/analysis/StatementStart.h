//===- StatementStart.h - what a token may begin ----------------*- C++ -*-===//
//
// Where statements and regions begin, as far as the words next to them tell.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_STATEMENTSTART_H
#define KERNELSCOPE_SERVER_ANALYSIS_STATEMENTSTART_H

#include "server/analysis/Syntax.h"

namespace kernelscope {

/// What a token begins.
struct StatementStart {
  bool isStart = false;
  bool isCertain = false; ///< Even inside open brackets.
  Statement::Kind kind = Statement::Other;
};

/// The tokens of one chunk, by their numbers in the whole text.
class ChunkTokens {
public:
  ChunkTokens() = default;
  ChunkTokens(const Syntax &syntax, size_t first, size_t last)
      : source(syntax.text()), tokens(syntax.tokens().data()), first(first),
        last(last) {}

  size_t end() const { return last; }
  const Token &operator[](size_t i) const { return tokens[i]; }
  llvm::StringRef text(size_t i) const {
    return source.slice(tokens[i].begin, tokens[i].end);
  }
  /// The text from a token on.
  llvm::StringRef from(size_t i) const {
    return source.substr(tokens[i].begin);
  }
  /// The first character of a token.
  char head(size_t i) const { return source[tokens[i].begin]; }
  bool is(size_t i, char c) const {
    return i < last && tokens[i].kind == Token::Punctuation && head(i) == c;
  }
  bool is(size_t i, Token::Kind kind) const {
    return i < last && tokens[i].kind == kind;
  }

  /// How many bytes stand before a token on its line.
  size_t columnOf(size_t i) const;
  /// What token `i` begins. `isAtTop`: no bracket is open. `mayFollow`: the
  /// token before it opens a region or ends a label.
  StatementStart startAt(size_t i, bool isAtTop, bool mayFollow) const;
  /// Whether the `{` at `i` begins a region, not a dictionary of attributes.
  bool isRegionBrace(size_t i) const;
  /// Whether a function begins at `i`, in the syntax of its op.
  bool isFunction(size_t i) const;
  /// Up to which token braces decide how the function at `i` nests, although
  /// those of its chunk do not match: to its end, if they match there; to the
  /// next function, if its body is not indented; else `i`.
  size_t endOfBraces(size_t i, bool isInModule) const;

private:
  bool mayFollowFunction(size_t i, bool isInModule, bool endsInLine) const;
  bool isAtLineStart(size_t i) const {
    return tokens[i].begin == 0 || source[tokens[i].begin - 1] == '\n';
  }
  size_t skipResults(size_t i) const;

  llvm::StringRef source;
  const Token *tokens = nullptr;
  size_t first = 0, last = 0;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_STATEMENTSTART_H
