//===- Dialects.h - all dialects that Kernelscope knows ---------*- C++ -*-===//
//
// One place to register them, one to look up their documentation.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_DIALECTS_H
#define KERNELSCOPE_DIALECTS_DIALECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace kernelscope {

/// Registers the dialects of Triton and Gluon and the upstream ones they lean
/// on: arith, math, scf, cf, ub, gpu, llvm, nvvm, rocdl; and func, for plain
/// MLIR files. A dialect is loaded when a text first names it.
void registerDialects(mlir::DialectRegistry &registry);

enum class DocKind { Op, Type, Attribute };

/// What ODS says of an op, type or attribute.
struct Doc {
  DocKind kind;
  /// With its dialect: `tt.load`.
  llvm::StringLiteral name;
  /// A few words; may be empty for upstream dialects.
  llvm::StringLiteral summary;
  /// Markdown; may be empty for upstream dialects.
  llvm::StringLiteral description;
  /// Of an op: a line `kind<TAB>name<TAB>constraint` for each operand,
  /// attribute and result, where kind is `operand`, `attribute` or `result`.
  llvm::StringLiteral signature;
};

/// The documentation of `name` (`tt.load`, `ttg.blocked`); null when there is
/// none.
const Doc *findDoc(DocKind kind, llvm::StringRef name);

/// All documentation, sorted by kind and name.
llvm::ArrayRef<Doc> getDocs();

} // namespace kernelscope

#endif
