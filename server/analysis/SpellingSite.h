//===- SpellingSite.h - an old word, and the text around it -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGSITE_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGSITE_H

#include "server/analysis/OlderSpellings.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace kernelscope {

/// A token that a row of the table names, and ways to look around it and to
/// edit it.
class SpellingSite {
public:
  SpellingSite(const Syntax &syntax, mlir::MLIRContext &context, size_t token)
      : syntax(syntax), context(context), at(token) {}

  using Edits = std::vector<TextEdit>;

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
  /// The first `word` outside brackets in `[begin, end)`, or `end`.
  size_t find(llvm::StringRef word, size_t begin, size_t end) const;
  /// The comma-separated parts of `[begin, end)`, each without the commas.
  llvm::SmallVector<std::pair<size_t, size_t>> split(size_t begin,
                                                     size_t end) const;
  /// The number that `%value` is by an `arith.constant` before this place.
  std::optional<int64_t> constant(llvm::StringRef value) const;

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

/// Calls `visit` at each identifier of `span`.
void forEachIdentifier(const Syntax &syntax, Span span,
                       mlir::MLIRContext &context,
                       llvm::function_ref<void(const SpellingSite &)> visit);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGSITE_H
