//===- AsyncFlow.h - What asynchronous copies write -------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_ASYNCFLOW_H
#define KERNELSCOPE_PASSES_ANALYSIS_ASYNCFLOW_H

#include "mlir/IR/Operation.h"

namespace kernelscope {

/// The shared memory that `op` starts to write, which is there only after a
/// wait; none for other ops.
llvm::SmallVector<mlir::Value, 1> destinationsOf(mlir::Operation *op);

/// A copy to shared memory that something must wait for.
bool startsCopy(mlir::Operation *op);

/// Whether `op` waits for copies to shared memory, by any means.
bool waitsForCopies(mlir::Operation *op);

/// A load that AMD's lowering takes as guarded by a wait.
bool isSyncedLoad(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_ASYNCFLOW_H
