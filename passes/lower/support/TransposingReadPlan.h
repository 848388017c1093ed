//===- TransposingReadPlan.h - LDS by transposing reads ---------*- C++ -*-===//
//
// Whether the registers of a thread can be loaded by a read that transposes,
// computed from where they are in memory. No IR is created here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_TRANSPOSINGREADPLAN_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_TRANSPOSINGREADPLAN_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/target/TransposingReads.h"

namespace kernelscope::lower {

struct TransposingReadPlan {
  /// From (register, lane, warp, block) to the offset, in elements, of the
  /// piece whose address the lane gives. Each register is one read.
  LinearLayout pieces;
  /// For each read, in the order of its elements, the registers that it fills.
  std::vector<llvm::SmallVector<unsigned>> registers;
};

/// The plan for registers at `offsets` (in-dims register, lane, warp, block,
/// out-dim offset, in elements). Bits of `windowMask` may be set in all
/// offsets; gaps begin at multiples of `aligned` elements and are multiples of
/// it themselves. Nothing if neighbours in memory are not in the lanes where
/// `read` puts them.
std::optional<TransposingReadPlan>
planTransposingRead(const TransposingRead &read, const LinearLayout &offsets,
                    int32_t windowMask, unsigned aligned);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_TRANSPOSINGREADPLAN_H
