//===- SharedExchangePlan.h - Conversions through memory --------*- C++ -*-===//
//
// How a conversion goes through shared memory: where each side's registers lie
// in it, and by which instructions they get there. No IR is created here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_SHAREDEXCHANGEPLAN_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_SHAREDEXCHANGEPLAN_H

#include "passes/lower/support/ConversionPlan.h"
#include "passes/lower/support/LoadMatrixPlan.h"

namespace kernelscope::lower {

/// A conversion of reach Block, through shared memory: the offset, in elements,
/// where (register, lane, warp) stores and where (register, lane, warp, block)
/// loads. The offsets are swizzled such that both have as few bank conflicts as
/// can be: none where bits of the layouts are bits of the elements. Of reach
/// Cluster, too: then `owner` says from which block's memory (register, lane,
/// warp, block) loads.
struct SharedExchange {
  LinearLayout store, load, owner;
  /// By `stmatrix` and `ldmatrix`; else by ordinary accesses.
  std::optional<LoadMatrixPlan> storeTiles, loadTiles;
  /// Whether instructions of tiles could do one side and vectors of 128 bits
  /// the other, both without conflicts; ordinary accesses may still be fewer.
  bool fitsTiles = false;
  int32_t numElements() const { return store.getOutDims().front().size(); }
};

/// The plan with the fewest instructions and wavefronts of those in which
/// either the stores or the loads are as wide as they can be, or in tiles of
/// the matrix instructions that there are. `elementBits` is what an element
/// takes in memory: 8, 16, 32 or 64.
SharedExchange planSharedExchange(const Conversion &conversion,
                                  const LinearLayout &source,
                                  const LinearLayout &result,
                                  unsigned elementBits,
                                  TileInstructions tiles = {});

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_SHAREDEXCHANGEPLAN_H
