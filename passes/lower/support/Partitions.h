//===- Partitions.h - Partitions of ttg.warp_specialize ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_PARTITIONS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_PARTITIONS_H

#include "dialects/target/Target.h"
#include "dialects/ttg/TTG.h"
#include "passes/lower/support/ExecutionScope.h"

namespace kernelscope::lower {

/// Barriers of the block, by number: 0 is that of the default warps, 1 is where
/// all warps meet when partitions start and end, the others are the
/// partitions'.
constexpr unsigned switchBarrier = 1;
constexpr unsigned firstPartitionBarrier = 2;
constexpr unsigned numBarriers = 16;

/// What a kernel's warps announce to the others before a barrier of the
/// cluster, in place of the number of a `ttg.warp_specialize`.
constexpr int32_t clusterAnnouncement = -1;

/// Warps that are scheduled, and given registers, together.
constexpr unsigned warpGroupSize = 4;

/// Whether some of a block's warps can meet without the others, as those of a
/// partition do: NVIDIA's chips by barriers with a count, gfx1250 by named
/// ones.
bool hasPartitionBarriers(const Target &target);

/// The warps of each partition of `op`, whose `warpGroupStartIds` are set.
llvm::SmallVector<ExecutionScope> partitionScopes(ttg::WarpSpecializeOp op);

/// The ops, in their order, that a partition repeats to have `capture`: every
/// warp knows arguments of the kernel, constants, program ids and the addresses
/// of buffers, and can do a little arithmetic with them. Nothing if it must be
/// passed to a partition.
std::optional<llvm::SmallVector<mlir::Operation *>>
repeatedOps(mlir::Value capture);

/// Whether `capture` is passed to a partition through shared memory.
bool isPassedInMemory(mlir::Value capture);

/// Bytes of shared memory of a field of what partitions are passed. Those of 8
/// come before those of 4.
constexpr unsigned captureFieldBytes(unsigned bits) {
  return bits > 32 ? 8 : 4;
}

/// The bytes of all fields of 8, or of 4, that partitions of `op` are passed.
unsigned captureBytes(ttg::WarpSpecializeOp op, unsigned fieldBytes);

/// Turns a partition of `op` into a function `name` of its own, at the builder,
/// for the warps of `scope`.
tt::FuncOp outlinePartition(mlir::OpBuilder &builder, ttg::WarpSpecializeOp op,
                            unsigned partition, llvm::StringRef name,
                            const ExecutionScope &scope);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_PARTITIONS_H
