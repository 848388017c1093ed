//===- Partitions.h - Partitions of ttg.warp_specialize ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_PARTITIONS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_PARTITIONS_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/support/ExecutionScope.h"

namespace kernelscope::lower {

/// Barriers of the block, by number: 0 is that of the default warps, 1 is where
/// all warps meet when partitions start and end, the others are the
/// partitions'.
constexpr unsigned switchBarrier = 1;
constexpr unsigned firstPartitionBarrier = 2;
constexpr unsigned numBarriers = 16;

/// Warps that are scheduled, and given registers, together.
constexpr unsigned warpGroupSize = 4;

/// The warps of each partition of `op`, whose `warpGroupStartIds` are set.
llvm::SmallVector<ExecutionScope> partitionScopes(ttg::WarpSpecializeOp op);

/// Whether a partition is handed `capture` through shared memory. Arguments of
/// the kernel, constants and the addresses of buffers every warp knows by
/// itself.
bool isPassedInMemory(mlir::Value capture);

/// Bytes of shared memory between the fields of what partitions are handed.
constexpr unsigned captureFieldBytes = 8;

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_PARTITIONS_H
