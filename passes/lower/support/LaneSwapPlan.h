//===- LaneSwapPlan.h - Conversions by lanes that trade ---------*- C++ -*-===//
//
// Whether a conversion is a few exchanges of a bit of the register index with
// one of the lane's, each of which is an instruction for two registers
// (LaneSwaps.h). No IR is created here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_LANESWAPPLAN_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_LANESWAPPLAN_H

#include "passes/lower/support/ConversionPlan.h"

namespace kernelscope::lower {

struct LaneSwapPlan {
  /// The lanes whose bit `laneBit` is set trade with those without: registers
  /// whose bit `registerBit` is clear for those that have it set.
  struct Swap {
    unsigned registerBit, laneBit;
  };
  /// Of the source's registers, one after the other.
  llvm::SmallVector<Swap> swaps;
  /// For each register of the result, where it is then.
  llvm::SmallVector<unsigned> registers;
};

/// Nothing if the conversion is something else, or needs no swap.
/// `swappedLanes` has the values of the lane's bits that swaps can exchange.
std::optional<LaneSwapPlan> planLaneSwaps(const Conversion &conversion,
                                          unsigned swappedLanes);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_LANESWAPPLAN_H
