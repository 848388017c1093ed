//===- ThreadIds.h - Scalars that differ between threads -------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_THREADIDS_H
#define KERNELSCOPE_EXECUTOR_OPS_THREADIDS_H

#include "dialects/tt/TT.h"
#include "executor/plan/Registry.h"

namespace kernelscope::executor {

/// Whether `scalar` is computed from the id of a warp or thread of which an
/// agent has several.
bool differsBetweenThreads(mlir::Value scalar);

/// result[i] = the scalar in the first thread that holds element i. Null after
/// an error on `op`.
Step planSplatOfIds(Planner &planner, tt::SplatOp op);

/// The ops of OneThread.cpp.
void registerOneThread(Registry &registry);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_THREADIDS_H
