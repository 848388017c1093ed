//===- LaneSwaps.h - Chips whose lanes trade registers ----------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_LANESWAPS_H
#define KERNELSCOPE_DIALECTS_TARGET_LANESWAPS_H

#include "dialects/target/Target.h"

namespace kernelscope {

/// The bits of a lane id by which one instruction makes lanes trade: of
/// registers `a` and `b`, the lanes with the bit set give their `a` for the `b`
/// of those without. 16 and 32 are AMD's `V_PERMLANE16_SWAP_B32` and
/// `V_PERMLANE32_SWAP_B32`.
unsigned swappedLaneBits(const Target &target);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_LANESWAPS_H
