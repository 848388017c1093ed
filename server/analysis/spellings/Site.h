//===- Site.h - a word, and the text around it -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SITE_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SITE_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace kernelscope::spelling {

using Edits = std::vector<TextEdit>;

/// A token that a row of the table names, and ways to look around it and to
/// edit it.
class Site {
public:
  Site(const Syntax &syntax, mlir::MLIRContext &context, size_t token)
      : syntax(syntax), context(context), at(token) {}

  const Syntax &syntax;
  mlir::MLIRContext &context;
  const size_t at; ///< The index of the token.

  llvm::StringRef text(size_t token) const;
  /// The end of the text for an index past the last token.
  Span span(size_t token) const;
  /// The text of tokens `[begin, end)`.
  Span span(size_t begin, size_t end) const {
    return {span(begin).begin, span(end - 1).end};
  }
  llvm::StringRef text(Span span) const { return syntax.text(span); }

  /// The tokens `[first, second)` of the function around this one, or of all.
  std::pair<size_t, size_t> function() const;
  /// The statement whose op this token names, or null.
  const Statement *op() const;
  /// The index past the last token of that statement's first line of text,
  /// regions left out.
  size_t opEnd() const;
  /// The token after the bracket that closes the one at `open`; 0 if nothing
  /// does before `opEnd()`, or near it.
  size_t pastBracket(size_t open) const;
  /// The tokens `[first, second)` in that bracket, or nothing.
  std::optional<std::pair<size_t, size_t>> inside(size_t open) const;
  /// The value of `key` in the attribute or dictionary that follows the token;
  /// 0 if there is none.
  size_t findKey(llvm::StringRef key) const;
  /// The entry `key = ...`, or `key`, of the op's dictionary; 0 without one.
  size_t findEntry(llvm::StringRef key) const;
  /// The first `word` outside brackets in `[begin, end)`, or `end`.
  size_t find(llvm::StringRef word, size_t begin, size_t end) const;
  /// The comma-separated parts of `[begin, end)`, each without the commas.
  llvm::SmallVector<std::pair<size_t, size_t>> split(size_t begin,
                                                     size_t end) const;
  /// What the alias `#name` stands for, if the text before this place defines
  /// it.
  std::optional<Site> aliasedBy(llvm::StringRef name) const;
  /// The number that `%value` is by an `arith.constant` before this place.
  std::optional<int64_t> constant(llvm::StringRef value) const;
  /// The value that an `arith.constant` makes `number` of type i32, if this op
  /// may use it; else empty.
  llvm::StringRef constantOf(llvm::StringRef number) const;

  TextEdit replace(Span span, llvm::StringRef text) const {
    return {span, text.str()};
  }
  TextEdit replace(size_t token, llvm::StringRef text) const {
    return {span(token), text.str()};
  }
  /// Replaces the last occurrence of `from` in this token.
  TextEdit replaceIn(llvm::StringRef from, llvm::StringRef to) const;
  TextEdit insertAfter(size_t token, llvm::StringRef text) const {
    return {{span(token).end, span(token).end}, text.str()};
  }
  /// Takes the entry `key = value` at `key` out of its dictionary, and the
  /// dictionary too if nothing is left. Changes nothing if it is not closed.
  TextEdit dropEntry(size_t key) const;
  /// Another op behind this one, on a line of its own.
  TextEdit insertOpAfter(llvm::StringRef text) const;
  /// Other ops before this one, each on a line of its own.
  TextEdit insertOpsBefore(llvm::ArrayRef<std::string> ops) const;
  /// Takes an op away, and its line with it if nothing else is there.
  TextEdit dropOp(const Statement &op) const;

private:
  std::string newLine() const;
};

} // namespace kernelscope::spelling

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SITE_H
