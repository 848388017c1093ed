//===- ArefFixes.h - edits that mend regions of references ------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LINT_AREFFIXES_H
#define KERNELSCOPE_PASSES_LINT_AREFFIXES_H

#include "passes/lint/Lint.h"

namespace kernelscope {

/// The stage of an enter or exit of a reference; null for none.
mlir::Value stageOf(mlir::Operation *op);

/// Takes the stage of `enter` for that of `exit`.
std::optional<LintFix> fixStage(mlir::Operation *enter, mlir::Operation *exit);

/// Puts `op` into the partition of `enter`, if each is in just one.
std::optional<LintFix> fixPartition(mlir::Operation *op,
                                    mlir::Operation *enter);

/// Lets the region end after the last of `users` that is in the block of `exit`
/// or below.
std::optional<LintFix> fixEarlyExit(llvm::ArrayRef<mlir::Operation *> users,
                                    mlir::Operation *exit);

/// The exit of `enter`, after the last of `users` in its block; nothing where
/// its token goes elsewhere.
std::optional<LintFix> fixMissingExit(mlir::Operation *enter, mlir::Value token,
                                      llvm::ArrayRef<mlir::Operation *> users);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_AREFFIXES_H
