//===- SharedBanks.h - bank conflicts of accesses to shared memory --------===//
//
// From a map of a warp's registers to offsets in shared memory: how wide one
// access can be, and in how many wavefronts the memory serves it.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_LAYOUT_SHAREDBANKS_H
#define KERNELSCOPE_DIALECTS_LAYOUT_SHAREDBANKS_H

#include "dialects/layout/LinearLayout.h"

namespace kernelscope {

/// After every `first` elements lie `second` that are not used; powers of two.
using SharedGaps = llvm::ArrayRef<std::pair<unsigned, unsigned>>;

/// The bits of the in-dim `reg` that step 1, 2, 4, ... in the only out-dim of
/// `offsets`, and that no other input, nor a bit of `taken`, steps within: so
/// many registers go in one access. At most `maxElements`, a power of two, of
/// which the gaps leave every vector whole and aligned.
llvm::SmallVector<unsigned> vectorBits(const LinearLayout &offsets,
                                       mlir::StringAttr reg,
                                       unsigned maxElements, SharedGaps gaps,
                                       int32_t taken = 0);

/// Shared memory as the lanes of a warp see it.
struct SharedBanks {
  /// Banks, each of which gives one 32-bit word in a wavefront.
  unsigned banks = 32;
  /// The widest access of a lane.
  unsigned maxBits = 128;
  /// The lanes that a 128-bit load serves at once, as a basis over F2 of their
  /// numbers; empty where they are neighbours, as for all other accesses.
  llvm::SmallVector<unsigned> wideLoadLanes;
};

/// What moving a warp's registers to or from shared memory takes.
struct AccessCost {
  /// Elements of one access of a lane.
  unsigned vectorElements = 1;
  /// Accesses of a lane, without copies in registers.
  unsigned instructions = 1;
  /// Wavefronts of the slowest of these: the largest number of words per bank
  /// among lanes that are served together, summed.
  unsigned wavefronts = 1;
  /// As many as there must be with so many bytes for each lane.
  unsigned fewest = 1;
  /// The bits of a register index that one access takes together.
  unsigned vectorMask = 0;
  /// The lanes that the memory serves together; each group takes a wavefront if
  /// no two of its words are in one bank.
  llvm::SmallVector<llvm::SmallVector<unsigned>> groups;

  /// 1 without bank conflicts.
  unsigned ways() const { return wavefronts / fewest; }
};

/// `offsets` maps register, lane and warp to `offset`, in elements of
/// `elementBits` (8 or more). The work is bounded: of many accesses and warps
/// the first few are looked at. One stands for all where there are no gaps.
AccessCost accessCost(const LinearLayout &offsets, SharedGaps gaps,
                      unsigned elementBits, const SharedBanks &memory,
                      bool isLoad);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_SHAREDBANKS_H
