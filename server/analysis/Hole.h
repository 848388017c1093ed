//===- Hole.h - the op that stands for a broken statement -------*- C++ -*-===//
//
// `%a, %b:2 = kernelscope.hole` at the end of a region defines values whose
// statement could not be parsed, with the types that their uses expect. So each
// use keeps its meaning. `kernelscope.hole {...} {...}` keeps the regions of an
// op whose header could not be parsed. Never written by a person.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_HOLE_H
#define KERNELSCOPE_SERVER_ANALYSIS_HOLE_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

namespace kernelscope {

class HoleOp
    : public mlir::Op<HoleOp, mlir::OpTrait::VariadicRegions,
                      mlir::OpTrait::VariadicResults,
                      mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::ZeroOperands, mlir::OpTrait::NoTerminator,
                      mlir::OpAsmOpInterface::Trait> {
public:
  using Op::Op;
  static llvm::StringRef getOperationName() { return "kernelscope.hole"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  /// `return` in the kept body of a broken `func.func` stays what it was.
  static llvm::StringRef getDefaultDialect() { return "func"; }
  static mlir::ParseResult parse(mlir::OpAsmParser &parser,
                                 mlir::OperationState &result);
  void print(mlir::OpAsmPrinter &printer);
};

class HoleDialect : public mlir::Dialect {
public:
  explicit HoleDialect(mlir::MLIRContext *context);
  static llvm::StringRef getDialectNamespace() { return "kernelscope"; }
};

} // namespace kernelscope

MLIR_DECLARE_EXPLICIT_TYPE_ID(kernelscope::HoleOp)
MLIR_DECLARE_EXPLICIT_TYPE_ID(kernelscope::HoleDialect)

#endif // KERNELSCOPE_SERVER_ANALYSIS_HOLE_H
