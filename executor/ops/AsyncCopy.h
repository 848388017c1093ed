//===- AsyncCopy.h - Asynchronous work of threads --------------*- C++ -*-===//
//
// Copies that threads start, and waits for whatever an agent has started.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_ASYNCCOPY_H
#define KERNELSCOPE_EXECUTOR_OPS_ASYNCCOPY_H

#include "executor/ops/Access.h"

namespace kernelscope::executor {

/// The tensor that `memory` views = global memory, once a wait for the op's
/// group, or for its `instructions`, orders it.
Step planCopyToShared(Planner &planner, tt::GlobalAccessOpInterface op,
                      mlir::Value memory, size_t instructions);

/// Instructions that a copy of a tensor like `addresses` becomes, each of
/// `contiguity` elements per lane. Where the lowering can prove that more are
/// contiguous there are fewer, and then this has them done too early, not too
/// late.
size_t instructionsOf(mlir::Value addresses, uint32_t contiguity);

/// The step of an op with `ttg::AsyncWaitOpInterface`: all that it does not
/// leave in flight takes effect.
Step planAsyncWait(Planner &planner, mlir::Operation *op);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_ASYNCCOPY_H
