//===- OpSyntax.h - an op's syntax as words and stops -----------*- C++ -*-===//
//
// Shared by completion, which types the syntax of an op, and of
// signature help, which shows it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_OPSYNTAX_H
#define KERNELSCOPE_SERVER_FEATURES_OPSYNTAX_H

#include "dialects/Dialects.h"
#include "server/analysis/Syntax.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// A piece of an op's syntax: words of the op, or a stop, where a user types.
struct SyntaxPart {
  llvm::StringRef text;                 ///< The words, or the stop's label.
  std::optional<llvm::StringRef> typed; ///< Of a stop: what may stand there.
  unsigned depth = 0;                   ///< Optional parts around it.

  bool isStop() const { return typed.has_value(); }
  /// The operand, attribute or result that the stop is about: `ptr` of `%ptr`
  /// and of `type(ptr)`.
  llvm::StringRef subject() const;
  bool isType() const { return text.starts_with("type"); }
};

/// The parts of `doc.syntax`, which begins with the op's name.
std::vector<SyntaxPart> readSyntax(const Doc &doc);

/// The names of its results, if each such op has as many; else none.
std::vector<llvm::StringRef> resultNames(const Doc &doc);

/// Whether the op has a region in braces.
bool hasRegion(const Doc &doc);

/// The operation that `offset` is in, or after it on the same line; `noSyntax`
/// if there is none.
SyntaxId operationAt(const Syntax &syntax, size_t offset);

/// The index of the stop of `parts` that a cursor at `offset` in or after
/// `statement` is at, judged by the words before it. None if all are done.
std::optional<size_t> stopAt(const std::vector<SyntaxPart> &parts,
                             const Syntax &syntax, const Statement &statement,
                             size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_OPSYNTAX_H
