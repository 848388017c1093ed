//===- ExecutionScope.h - The warps that execute an op ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_EXECUTIONSCOPE_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_EXECUTIONSCOPE_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace kernelscope::lower {

/// The warps of a block that execute an op together. Thread and warp ids are
/// counted within them, and a barrier waits for them alone.
struct ExecutionScope {
  /// The first of them in the block, and how many follow one another.
  unsigned firstWarp = 0;
  unsigned warps = 1;
  /// The hardware barrier that they share, by number.
  unsigned barrier = 0;
  /// Whether the block has no other warps.
  bool isWholeBlock = true;
  /// How many 32-bit registers each of their threads can have; 0: no limit is
  /// known but the chip's.
  unsigned registers = 0;
  /// In a kernel with partitions: where in shared memory, in bytes, its warps
  /// announce to the others what is next.
  std::optional<unsigned> announcements = std::nullopt;
  /// Set if other warps of the block run partitions in the meantime, so that
  /// they cannot be reached by an announcement: which default region of the
  /// kernel it is; 0 in a partition.
  std::optional<unsigned> besidePartitions = std::nullopt;

  bool operator==(const ExecutionScope &) const = default;

  /// The scope of the function around `op`: the one recorded on it, else the
  /// warps that a kernel starts with, `ttg.num-warps` of `ttg.total-num-warps`.
  static ExecutionScope of(mlir::Operation *op);

  /// Records on `function`, in the attribute `execution.scope`, that these
  /// warps execute it.
  void noteOn(mlir::Operation *function) const;
  /// Records on `op`, which is in default region `region`, that other warps run
  /// partitions in the meantime.
  static void noteBesidePartitions(mlir::Operation *op, unsigned region);
  /// Records the scope of `from` on `to`, the function that replaces it.
  static void copyNote(mlir::Operation *from, mlir::Operation *to);
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_EXECUTIONSCOPE_H
