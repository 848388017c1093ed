//===- AsyncFlow.h - Which asynchronous copies are in flight ----*- C++ -*-===//
//
// Follows copies to shared memory through loops and branches, to the waits that
// they are done after and to the loads that read what they write.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_ASYNCFLOW_H
#define KERNELSCOPE_PASSES_ANALYSIS_ASYNCFLOW_H

#include "dialects/ttg/MemoryAccess.h"

namespace kernelscope {

/// The shared memory that `op` starts to write, which is there only after a
/// wait; none for other ops.
llvm::SmallVector<mlir::Value, 1> destinationsOf(mlir::Operation *op);

/// A copy to shared memory that something must wait for.
bool startsCopy(mlir::Operation *op);

/// A load that AMD's lowering takes as guarded by a wait.
bool isSyncedLoad(mlir::Operation *op);

/// A load of shared memory that may come before its data.
struct EarlyLoad {
  mlir::Operation *load;
  /// What writes the data; null for a load that is marked as guarded and has no
  /// wait before it, of whatever.
  mlir::Operation *copy;
  /// A wait between the two that does not cover the copy; null for none.
  mlir::Operation *wait;
  /// How many groups were closed after that of the copy, of a wait that counts
  /// groups and leaves too many, or how many copies or instructions started
  /// after it, of one that counts those; nothing for one of another kind.
  std::optional<int64_t> newer;
  /// The group of the copy was closed.
  bool isClosed = false;
};

/// What a wait counts: "groups", "copies" or "instructions".
llvm::StringRef unitOf(mlir::Operation *wait);

/// The loads of `function` of whose data it is certain that on a path through
/// the function nothing waits for it.
llvm::SmallVector<EarlyLoad> findEarlyLoads(mlir::Operation *function);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_ASYNCFLOW_H
