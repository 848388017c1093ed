//===- Verifier.h - every broken op, not the first --------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_VERIFIER_H
#define KERNELSCOPE_SERVER_ANALYSIS_VERIFIER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kernelscope {

struct VerifierHooks {
  /// Before each op is verified; messages that follow are about it. False: stop
  /// as soon as possible.
  llvm::function_ref<bool(mlir::Operation *)> enter;
  /// Emits an error that is no rule of the op's own, under a diagnostic code.
  llvm::function_ref<void(mlir::Operation *, llvm::StringRef code,
                          const llvm::Twine &message)>
      report;
  /// Whether the text has an op in the generic form, in which anything can be
  /// missing.
  llvm::function_ref<bool(mlir::Operation *)> isGeneric;
  /// Blocks whose arguments are not known: branches to them are not checked.
  llvm::SmallPtrSet<mlir::Block *, 4> brokenBlocks;
  /// Whether what is inside the root counts as absent.
  bool isHeaderOnly = false;
  /// The string that stands for a layout that is not known, if there may be
  /// one: ops with it have an error already.
  llvm::StringRef unknownLayout = "";
};

/// Checks what MLIR's verifier checks on `root` and all ops in it, but goes on
/// after an error. An op's own errors come as MLIR diagnostics. Leaves out what
/// only follows from a `kernelscope.hole` or from an error further in. True if
/// there was no error.
bool verifyAll(mlir::Operation *root, const VerifierHooks &hooks);

/// Whether `op`, alone, keeps its rules, so that it has the attributes,
/// operands and types that its accessors promise. Says nothing.
bool verifies(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_VERIFIER_H
