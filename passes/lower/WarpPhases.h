//===- WarpPhases.h - Order between warps that are out of phase -*- C++ -*-===//
//
// In a warp pipeline the second half of the warps is one barrier behind the
// first. What one half does between two barriers, the other does between the
// next two:
//
//   first half    stage 0 | stage 1 | stage 2 | ...
//   second half           | stage 0 | stage 1 | stage 2 | ...
//
// So an access is ordered against a later one only if two barriers lie between
// them, and its warp has waited for it before it reached the second to last.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_WARPPHASES_H
#define KERNELSCOPE_PASSES_LOWER_WARPPHASES_H

#include "dialects/target/Target.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/memory/Buffers.h"

namespace kernelscope::lower {

/// What runs out of phase: `loop`, or without one what is between `shift` and
/// `join`, by which the second half of the warps falls back, and the first
/// waits for it.
struct OutOfPhase {
  mlir::Operation *shift, *join;
  mlir::scf::ForOp loop;
};

/// Makes barriers of `region` wait for shared memory, and adds more, where its
/// accesses need it.
void orderOutOfPhase(const OutOfPhase &region, const memory::Buffers &buffers,
                     const Target &target);

/// Whether `call` is of a function that a warp executes without meeting others,
/// and without shared memory.
bool isCallForOneWarp(mlir::Operation *call);

/// A barrier that makes no access visible.
mlir::Operation *createPlainBarrier(mlir::OpBuilder &builder,
                                    mlir::Location loc);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_WARPPHASES_H
