//===- ThreadAccess.h - An access that other threads may meet ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_MEMORY_THREADACCESS_H
#define KERNELSCOPE_PASSES_MEMORY_THREADACCESS_H

#include "passes/memory/Buffers.h"

namespace kernelscope::memory {

using ttg::Completion;

/// Names the cells of tensor memory that an op has each warp load or store: two
/// ops with the same give each warp the same cells. Null pointers if unknown.
using WarpCells = std::pair<const void *, const void *>;

/// What each thread of a CTA does to a piece of shared or tensor memory.
struct ThreadAccess {
  enum Kind : uint8_t {
    Data,
    /// Makes or ends an mbarrier: one thread does all of these.
    Setup,
    /// Counts towards a phase of an mbarrier, atomically.
    Arrive,
    /// The same by one thread for all, who must be through with what they did
    /// before.
    Release,
    /// Waits for a phase of an mbarrier.
    Wait
  };
  MemorySpace space;
  Interval place;
  bool isWrite;
  Kind kind = Data;
  /// What has to tell the thread that it is done: `AtOnce` if it knows.
  Completion awaits = Completion::AtOnce;
  WarpCells cells = {};

  bool isDone() const { return awaits == Completion::AtOnce; }
  bool isArrival() const { return kind == Arrive || kind == Release; }
  /// True if `next` needs a barrier in front, for other threads to be through
  /// with this.
  bool needsBarrierBefore(const ThreadAccess &next) const {
    if (!isDone())
      return false;
    if (kind == Data && next.kind == Release)
      return true;
    // Arrivals are what a wait is for. The other way round, threads that have
    // not seen the end of a phase would miss it if the next one ended too.
    bool areOrdered =
        kind == Data
            ? cells.first && cells == next.cells
            : kind == next.kind ||
                  (isArrival() && (next.isArrival() || next.kind == Wait));
    return !areOrdered && space == next.space && place.overlaps(next.place) &&
           (isWrite || next.isWrite);
  }
  bool operator==(const ThreadAccess &) const = default;
};

/// An access and the descriptor by which it reaches its memory.
struct LocatedAccess {
  ThreadAccess access;
  mlir::Value memory;
};

/// All that `op` itself does to shared and tensor memory that has a place, but
/// not to its scratch memory.
llvm::SmallVector<LocatedAccess> threadAccessesOf(mlir::Operation *op,
                                                  const Buffers &buffers);

/// Whether a wait is for data that others read: they need a barrier right
/// behind it. Where memory was only read, whoever writes next asks for one.
bool publishes(mlir::Operation *op);

/// Marks the `amdg.cond_barrier` from which on warps are out of phase, and the
/// one by which they meet again. What is between is ordered already.
constexpr llvm::StringLiteral shiftName = "warp_pipeline.shift";
constexpr llvm::StringLiteral joinName = "warp_pipeline.join";

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_THREADACCESS_H
