//===- TripCount.h - How often a loop runs ----------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_TRIPCOUNT_H
#define KERNELSCOPE_PASSES_NVWS_TRIPCOUNT_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelscope::nvws {

/// Whether `loop` runs at least once each time that it is reached: by constant
/// bounds, or by an `llvm.intr.assume` before it about the upper bound.
bool runsAtLeastOnce(mlir::scf::ForOp loop);

/// Whether the bounds of `loop` are the same in every iteration of `outer`,
/// which contains it: pure ops compute them from values outside of `outer`.
bool hasSameBoundsIn(mlir::scf::ForOp loop, mlir::LoopLikeOpInterface outer);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_TRIPCOUNT_H
