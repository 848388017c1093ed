//===- ConversionPlan.h - Plans for moving data -----------------*- C++ -*-===//
//
// How the elements of a tensor get from one distributed layout to another,
// computed from the two linear maps alone. No IR is created here.
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

/// Nothing if no such exchange exists: fewer lanes hold the data than need it.
std::optional<WarpExchange> planWarpExchange(const Conversion &conversion,
                                             const LinearLayout &source,
                                             const LinearLayout &result);

/// Elements that are together in a thread before and after a conversion.
struct RegisterPairs {
  /// The bits of the register numbers in which the elements of a pair differ.
  unsigned sourceBit, resultBit;
  /// The layouts of the pairs.
  LinearLayout source, result;
};

/// Nothing if there are no pairs that differ in one bit of one dimension.
std::optional<RegisterPairs> pairRegisters(const LinearLayout &source,
                                           const LinearLayout &result);

/// The columns of `candidates`, with `rows` bits, that are independent of
/// `known` and of each other, first come first served.
llvm::SmallVector<uint64_t>
independentColumns(unsigned rows, llvm::ArrayRef<uint64_t> known,
                   llvm::ArrayRef<uint64_t> candidates);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONPLAN_H
