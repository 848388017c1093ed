//===- Handover.h - One value from partition to partition -------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_HANDOVER_H
#define KERNELSCOPE_PASSES_NVWS_HANDOVER_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelscope::nvws {

/// Lets a value that one partition of `loop` computes go to the others through
/// a reference, if they use it: a tensor or number through shared memory, a
/// filled buffer as what it is. An error for other types.
llvm::LogicalResult handOver(mlir::LoopLikeOpInterface loop, mlir::Value value);

/// Lets a result of `loop` that the first partition does not compute go through
/// a reference to the code after the loop.
void handResultOver(mlir::LoopLikeOpInterface loop, mlir::OpResult result);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_HANDOVER_H
