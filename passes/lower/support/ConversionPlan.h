//===- ConversionPlan.h - Plans for moving data -----------------*- C++ -*-===//
//
// How the elements of a tensor get from one distributed layout to another,
// worked out from the two linear maps alone. No IR is made here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONPLAN_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONPLAN_H

#include "dialects/layout/LinearLayout.h"

namespace kernelscope::lower {

/// The farthest that a conversion moves data.
enum class Reach { Thread, Warp, Block, Cluster };

/// A conversion between two layouts of one tensor (in-dims register, lane,
/// warp, block).
struct Conversion {
  /// From each place of the new layout to one of the old that has its element.
  LinearLayout map;
  Reach reach;
};

/// Nothing if `source` does not hold every element that `result` needs.
std::optional<Conversion> planConversion(const LinearLayout &source,
                                         const LinearLayout &result);

/// A conversion of reach Thread: for each register of the result, the register
/// of the source that it is.
llvm::SmallVector<unsigned> registerSources(const Conversion &conversion);

/// A conversion of reach Warp, as one shuffle for each register of the result:
/// in round `t` lane `l` sends its register `send(t, l, ...)`, receives from
/// lane `from(t, l, ...)`, and has got its register `t ^ receive(l)` of the
/// result.
struct WarpExchange {
  /// (register, lane, warp, block) -> register.
  LinearLayout send;
  /// (register, lane, warp, block) -> lane.
  LinearLayout from;
  /// lane -> register.
  LinearLayout receive;
};

/// Nothing if no such exchange exists: the lanes that hold the data are fewer
/// than those that want it.
std::optional<WarpExchange> planWarpExchange(const Conversion &conversion,
                                             const LinearLayout &source,
                                             const LinearLayout &result);

/// A conversion of reach Block, through shared memory: the offset, in elements,
/// where (register, lane, warp) stores and where (register, lane, warp, block)
/// loads. The offsets are swizzled such that both have no bank conflicts, and
/// vectors go together where the registers of both layouts, or else of the
/// source, allow it. Of reach Cluster, too: then `owner` says from which
/// block's memory (register, lane, warp, block) loads.
struct SharedExchange {
  LinearLayout store, load, owner;
  int32_t numElements() const { return store.getOutDims().front().size(); }
};

/// `elementBits` is what an element takes in memory: 8, 16, 32 or 64.
SharedExchange planSharedExchange(const Conversion &conversion,
                                  const LinearLayout &source,
                                  const LinearLayout &result,
                                  unsigned elementBits);

/// A conversion of reach Block in rounds through the same memory. Each halving
/// doubles the rounds: the first of them have the registers of the source whose
/// bit `source` is 0, and those of the result whose bit `result` is.
struct ExchangeInRounds {
  struct Halving {
    /// Of the registers that the halvings before this one leave.
    unsigned source, result;
  };
  llvm::SmallVector<Halving> halvings;
  SharedExchange each;
};

/// With up to `halvings`: each needs a bit of the registers that is the same
/// one in both layouts.
ExchangeInRounds planExchangeInRounds(const Conversion &conversion,
                                      const LinearLayout &source,
                                      const LinearLayout &result,
                                      unsigned elementBits, unsigned halvings);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONPLAN_H
