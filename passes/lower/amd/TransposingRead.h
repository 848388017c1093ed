//===- TransposingRead.h - Reads of LDS that transpose ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_TRANSPOSINGREAD_H
#define KERNELSCOPE_PASSES_LOWER_AMD_TRANSPOSINGREAD_H

#include "passes/lower/support/SharedAccess.h"
#include "passes/lower/support/TransposingReadPlan.h"

namespace kernelscope::lower {

/// Elements that lie together between gaps of `places`; at most as many as a
/// piece of `read` has.
unsigned alignmentOf(const TransposingRead &read, const SharedPlaces &places);

/// Emits the reads of `op`, which loads LDS, and calls `take` with the vector
/// that each yields and its number in the plan. `pieces` are the plan's, in
/// elements of `inMemory`.
void emitTransposingReads(Builder &b, const TargetHooks &hooks,
                          mlir::Operation *op, const TransposingRead &read,
                          const SharedPlaces &pieces, mlir::Type inMemory,
                          llvm::function_ref<void(mlir::Value, unsigned)> take);

/// Gives each of `values`, by register, that no read yielded that of the
/// register which it copies: `copies` are the register bits that move nothing.
void fillCopies(llvm::MutableArrayRef<mlir::Value> values, unsigned copies);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_TRANSPOSINGREAD_H
