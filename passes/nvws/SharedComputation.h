//===- SharedComputation.h - What several partitions compute ----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_SHAREDCOMPUTATION_H
#define KERNELSCOPE_PASSES_NVWS_SHAREDCOMPUTATION_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelscope::nvws {

/// Lets a partition of `loop` compute a value that others compute, too: a
/// number that follows from others of the loop, such as the turn of a
/// reference. False where it depends on more than pure ops.
bool shareComputation(mlir::LoopLikeOpInterface loop, int32_t partition,
                      mlir::Value value);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_SHAREDCOMPUTATION_H
