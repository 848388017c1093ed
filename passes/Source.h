//===- Source.h - An IR file, ready to compile ------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_SOURCE_H
#define KERNELSCOPE_PASSES_SOURCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelscope {

/// Parses and verifies `text`, and checks that a module with layouts says how
/// many warps it has. Each op's location is then its line and column
/// in the text (`FileLineColLoc` of `name`), not what its own `loc` says, so
/// that errors and assembly lead back to the file at hand. Null on an error,
/// which is a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseSource(llvm::StringRef text,
                                              llvm::StringRef name,
                                              mlir::MLIRContext *context);

/// A module whose tensors have layouts says for how many warps: an error on
/// `at` otherwise, once and not at each op that needs the number.
llvm::LogicalResult verifyNumWarps(mlir::ModuleOp module, mlir::Operation *at);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_SOURCE_H
