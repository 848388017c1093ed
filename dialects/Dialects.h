//===- Dialects.h - all dialects that Kernelscope knows ---------*- C++ -*-===//
//
// Registers the dialects and looks up their documentation.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_DIALECTS_H
#define KERNELSCOPE_DIALECTS_DIALECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace kernelscope {

/// Registers the dialects of Triton and Gluon and the upstream ones they depend
/// on: arith, math, scf, cf, ub, gpu, llvm, nvvm, rocdl; and func, for plain
/// MLIR files. A dialect is loaded when a text first names it.
void registerDialects(mlir::DialectRegistry &registry);

enum class DocKind { Op, Type, Attribute };

/// The ODS documentation of an op, type or attribute.
struct Doc {
  DocKind kind;
  /// With its dialect: `tt.load`.
  llvm::StringLiteral name;
  /// A few words; may be empty for upstream dialects.
  llvm::StringLiteral summary;
  /// Markdown; may be empty for upstream dialects.
  llvm::StringLiteral description;
  /// A line for each operand, attribute and result of an op, and each key in
  /// the braces of an attribute; `readSignature` reads it.
  llvm::StringLiteral signature;
  /// What is typed for an op, as cmake/op_syntax.py says; `readSyntax` of
  /// server/features/OpSyntax.h reads it.
  llvm::StringLiteral syntax;
};

/// An operand, attribute or result of an op, or a key of an attribute.
struct SignatureEntry {
  /// A value that an attribute may have.
  struct Choice {
    llvm::StringRef word;     ///< In the op's own syntax: `evict_last`.
    llvm::StringRef spelling; ///< In a dictionary: `3 : i32`.
  };
  llvm::StringRef kind; ///< `operand`, `attribute`, `result` or `parameter`.
  llvm::StringRef name;
  llvm::StringRef constraint;
  /// What precedes a choice in the op's own syntax: `word=`, `word<`, or
  /// `@n` after n commas; empty if only a dictionary has it.
  llvm::StringRef introducer;
  std::vector<Choice> choices; ///< Empty if there are too many.
};

/// Reads `doc.signature`.
std::vector<SignatureEntry> readSignature(const Doc &doc);

/// The documentation of `name` (`tt.load`, `ttg.blocked`); null when there is
/// none.
const Doc *findDoc(DocKind kind, llvm::StringRef name);

/// All documentation, sorted by kind and name.
llvm::ArrayRef<Doc> getDocs();

} // namespace kernelscope

#endif
