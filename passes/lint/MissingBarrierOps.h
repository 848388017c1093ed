//===- MissingBarrierOps.h - waits and announcements to insert --*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LINT_MISSINGBARRIEROPS_H
#define KERNELSCOPE_PASSES_LINT_MISSINGBARRIEROPS_H

#include "passes/lint/Lint.h"

namespace kernelscope {

/// A wait before `reader` for what `filler` fills, with which all waits of the
/// function end and no buffer is read early. Barriers and phases that the text
/// has at that place are tried, and constant phases; nothing where none of the
/// nearest does it.
std::optional<MissingOps> findMissingWait(LintInput &input,
                                          mlir::Operation *reader,
                                          mlir::Operation *filler);

/// What announces the bytes of all copies on `ring`, of the same kind.
std::optional<MissingOps> findMissingExpect(LintInput &input,
                                            const BarrierRing &ring);

/// What initialises the barrier that `use` uses: after its allocation, or after
/// `beside`, which initialises another one of its ring; null for none.
std::optional<MissingOps> findMissingInit(LintInput &input,
                                          mlir::Operation *use,
                                          mlir::Operation *beside);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_MISSINGBARRIEROPS_H
