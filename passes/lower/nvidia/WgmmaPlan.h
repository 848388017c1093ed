//===- WgmmaPlan.h - Operands of wgmma, by their layouts --------*- C++ -*-===//
//
// Which registers go into one wgmma, computed from linear maps alone. No IR is
// created here. PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAPLAN_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAPLAN_H

#include "dialects/layout/LinearLayout.h"
#include <map>

namespace kernelscope::lower {

/// The parts of a tensor in registers that one instruction takes.
struct WarpGroupTiles {
  /// The registers in the order of the instruction's, by the coordinates of
  /// the part for the first warp group.
  std::map<std::pair<unsigned, unsigned>, llvm::SmallVector<unsigned>> tiles;
  /// For each register the one in `tiles` that holds the same element.
  llvm::SmallVector<unsigned> sources;
};

/// The accumulators of instructions that are `n` wide. `layout` is of the
/// result. Nothing if lanes and warps do not hold what the instruction gives
/// them.
std::optional<WarpGroupTiles> planAccumulators(const LinearLayout &layout,
                                               unsigned n);

/// The registers of A, of elements of `elementBits` that go into words of 32.
std::optional<WarpGroupTiles> planRegistersOfA(const LinearLayout &layout,
                                               unsigned elementBits);

/// The warps of a group.
constexpr unsigned warpsPerGroup = 4;

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAPLAN_H
