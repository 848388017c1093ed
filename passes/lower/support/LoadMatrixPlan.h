//===- LoadMatrixPlan.h - Shared memory by ldmatrix -------------*- C++ -*-===//
//
// Whether the registers of a thread can be loaded by `ldmatrix`, or stored by
// `stmatrix`, computed from where they are in memory. No IR is created here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_LOADMATRIXPLAN_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_LOADMATRIXPLAN_H

#include "dialects/layout/LinearLayout.h"

namespace kernelscope::lower {

/// Which of the two instructions a chip has.
struct TileInstructions {
  bool loads = false, stores = false;
  /// Whether instructions take the result's registers several at once, in
  /// order: other accesses that load some further apart cost moves.
  bool keepsOrder = false;
};

/// A load of up to four tiles of 8 x 8 elements of 16 bits by a whole warp:
/// each lane gives the address of one row of 16 bytes, and receives a word of
/// 32 bits from each tile. PTX ISA, "Warp-level matrix load instruction:
/// ldmatrix". A store by "stmatrix" is the same the other way.
struct LoadMatrixPlan {
  /// Lane `l` receives elements of a column rather than of a row.
  bool isTransposed;
  /// 1, 2 or 4 tiles.
  unsigned tiles;
  /// From (register, lane, warp, block) to the offset, in elements, of the row
  /// whose address the lane gives. Each register is one load.
  LinearLayout rows;
  /// For each load, in the order of its words and of the elements in them, the
  /// registers that it fills.
  std::vector<llvm::SmallVector<unsigned>> registers;
};

/// The plan for registers at `offsets` (in-dims register, lane, warp, block,
/// out-dim offset, in elements of `elementBits`). Bits of `windowMask` may be
/// set in all offsets; gaps begin at multiples of `aligned` elements and are
/// multiples of it themselves. Nothing if a tile's rows are not where ldmatrix
/// needs them.
std::optional<LoadMatrixPlan> planLoadMatrix(const LinearLayout &offsets,
                                             unsigned elementBits,
                                             int32_t windowMask,
                                             unsigned aligned);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_LOADMATRIXPLAN_H
