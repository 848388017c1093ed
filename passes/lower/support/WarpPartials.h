//===- WarpPartials.h - Partial results of warps, exchanged -----*- C++ -*-===//
//
// The step of reductions and scans that goes through shared memory: every
// thread gets the partial results of the warps that lie along the axis.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_WARPPARTIALS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_WARPPARTIALS_H

#include "passes/lower/support/CombineRegion.h"
#include "passes/lower/support/SharedAccess.h"

namespace kernelscope::lower {

/// How the bits of one in-dim of a layout move the place along an axis.
struct AxisBits {
  /// Bits that move along the axis, and bits that move along other dimensions.
  /// Those that do neither hold copies.
  uint32_t along = 0, across = 0;
};

/// The bits of all in-dims of a distributed layout.
struct AxisSplit {
  AxisBits registers, lanes, warps, blocks;
  /// True if no bit moves along the axis and across it at once, and each place
  /// along the axis is reached by one combination of the bits along it.
  bool isSeparable = true;
};
AxisSplit splitAlong(const LinearLayout &layout, mlir::StringAttr axis);

/// An error on `op`, which combines along the axis, where bits move both ways
/// at once.
llvm::LogicalResult checkSplit(mlir::Operation *op, const AxisSplit &split);

/// Where warps keep partial results for each other.
class WarpPartials {
public:
  /// One result for each combination of `registers` bits of the register index
  /// (given by how many there are), of the `lanes` bits, of the warps, and of
  /// the blocks of a cluster. With `spread`, which has a bit of the lane for
  /// each bit of the warps along the axis, and none of `lanes`, each lane gets
  /// the result of the one warp that these bits name.
  WarpPartials(const LinearLayout &layout, unsigned registers, uint32_t lanes,
               const AxisBits &warps, const AxisBits &blocks,
               uint32_t spread = 0);

  /// Bytes of shared memory for operands of these element types.
  unsigned bytes(llvm::ArrayRef<mlir::Type> elements) const;

  /// Stores this thread's `results`, one tuple for each combination of register
  /// bits, at `base`, waits for all threads, and gives for each of them the
  /// tuples of all warps along the axis, in order, block by block, or the one
  /// that this lane gets if they are spread over lanes. With blocks
  /// along the axis, only where `checkClusterExchange` succeeds.
  std::vector<std::vector<Tuple>> exchange(Builder &b, const TargetHooks &hooks,
                                           mlir::Value base,
                                           llvm::ArrayRef<mlir::Type> elements,
                                           llvm::ArrayRef<Tuple> results) const;

private:
  unsigned bytesOf(mlir::Type element) const;

  /// (register, lane, warp, block) -> the partial result's number: as threads
  /// have them, and as they need them. The register index of the latter has
  /// those of the warp and of the block along the axis in front.
  LinearLayout source, result;
  /// Where blocks are along the axis, from which block's memory (register,
  /// lane, warp, block) loads.
  std::optional<LinearLayout> owner;
  unsigned numAlong; ///< log2 of the tuples that a thread gets for a result
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_WARPPARTIALS_H
