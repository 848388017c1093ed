//===- WgmmaOperand.h - Operands of matrix units in shared memory *- C++
//-*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAOPERAND_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAOPERAND_H

#include "dialects/ttg/MatrixDescriptor.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// An operand of a matrix unit in shared memory.
struct SharedOperand {
  MatrixDescriptor mode;
  /// From coordinates to offsets in elements.
  LinearLayout offsetOf;
  mlir::StringAttr outer, k;
  unsigned elementBytes;
  /// The halves of the descriptor of this warp group's first tile: an i32 with
  /// the address, and what all tiles share. A tile is an addition of 32 bits
  /// away, which takes one instruction between two products where 64 take four.
  mlir::Value lower;
  uint32_t upper;

  /// That of the tile at these coordinates.
  mlir::Value at(Builder &b, unsigned outerPlace, unsigned kPlace) const;
};

/// An error on `op` if its operand of type `type` is a window that one CTA has,
/// for all of them: a matrix unit reads only the memory of its own CTA.
mlir::LogicalResult checkInOwnCTA(mlir::Operation *op, ttg::MemDescType type);

/// The operand `packed`, a converted memdesc of type `type`, with K along its
/// dimension `kDim`, for instructions that take `outerSize` by `kSize` of it.
/// `groupPlace` is where this warp group begins in the other dimension. Nothing
/// if no descriptor describes it.
std::optional<SharedOperand> describe(Builder &b, mlir::Value packed,
                                      ttg::MemDescType type, unsigned kDim,
                                      mlir::Value groupPlace,
                                      unsigned outerSize, unsigned kSize,
                                      MatrixUnit unit = MatrixUnit::Wgmma);

/// An operand that is found in another way: `mode` describes where `offsetOf`
/// has the elements of `row` and `col`.
SharedOperand describeThrough(Builder &b, mlir::Value packed,
                              ttg::MemDescType type,
                              const LinearLayout &offsetOf,
                              mlir::StringAttr row, mlir::StringAttr col,
                              const MatrixDescriptor &mode, MatrixUnit unit);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAOPERAND_H
