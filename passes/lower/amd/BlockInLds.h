//===- BlockInLds.h - Blocks that the data mover fills ----------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_BLOCKINLDS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_BLOCKINLDS_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/ttg/TTG.h"
#include "passes/lower/support/TargetHooks.h"

namespace kernelscope::lower {

/// A block in LDS, row by row, or as many pieces of one in partitions of LDS.
struct BlockInLds {
  ttg::MemDescType type;
  /// The lowered buffer.
  mlir::Value memory;
  /// What this CTA has of it, or of each piece; and how far that is from the
  /// first CTA's.
  llvm::SmallVector<int64_t> shape;
  LinearLayout ctas;
  unsigned elementBytes;
  /// In elements; 0 for none.
  unsigned gapInterval = 0, gap = 0;
  /// Pieces follow each other along `cut`. Of the number of one the lower bits
  /// are its partition; partitions begin as many bytes from each other.
  int64_t pieces = 1, partitions = 1, partitionBytes = 0;
  size_t cut = 0;

  /// An error on `op` if the mover cannot lay it out so.
  static mlir::FailureOr<BlockInLds>
  of(mlir::Operation *op, ttg::MemDescType type, mlir::Value memory);

  /// The address, an i32, of the element that is `elements` from the first of
  /// `piece`; a multiple of the interval of gaps.
  mlir::Value addressOf(Builder &b, mlir::Value elements,
                        mlir::Value piece) const;
  /// How far this CTA's part is from the first's, along each dimension; i32.
  llvm::SmallVector<mlir::Value> ctaOffsets(Builder &b,
                                            const TargetHooks &hooks) const;

private:
  int64_t elementsOfPiece() const;
  mlir::LogicalResult cutIntoPieces(mlir::Operation *op);
};

/// How warps share out a block.
struct Shares {
  /// Of each warp.
  llvm::SmallVector<int64_t> tile;
  /// Warps along each dimension, of which there are `warps` in all.
  llvm::SmallVector<int64_t> split;
  int64_t warps = 1;

  /// With `splitsRows` of single rows, too, for as many warps as can be.
  static Shares of(const BlockInLds &block, int64_t warps, bool splitsRows);
};

/// The place of a warp among those whose bits are set in `hint`, or among all;
/// and whether it is among the first `limit` of them.
struct Turn {
  mlir::Value number, takesPart;

  static Turn of(Builder &b, const TargetHooks &hooks,
                 std::optional<uint32_t> hint, int64_t limit);
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_BLOCKINLDS_H
