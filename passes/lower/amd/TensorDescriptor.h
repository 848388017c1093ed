//===- TensorDescriptor.h - Tensors described to the data mover -*- C++ -*-===//
//
// A `!tt.tensordesc` on gfx1250 is the words that its tensor data mover takes:
// groups 0 and 1, and for more than two dimensions groups 2 and 3. Where a
// block lies in LDS, its size and its gaps are filled in by each copy.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_TENSORDESCRIPTOR_H
#define KERNELSCOPE_PASSES_LOWER_AMD_TENSORDESCRIPTOR_H

#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// A descriptor, taken apart.
struct TensorDescriptor {
  /// Not zero where copies do something; an i32.
  mlir::Value enabled;
  /// In global memory; an i64.
  mlir::Value address;
  /// The tensor's, i32, and from one element to the next along each dimension,
  /// i64, of which the mover knows 48 bits and the last is 1. Outermost first.
  llvm::SmallVector<mlir::Value> sizes, strides;
  unsigned elementBytes;

  static TensorDescriptor unpack(Builder &b, mlir::Value words, unsigned rank,
                                 unsigned elementBytes);
  mlir::Value pack(Builder &b) const;

  /// Moves the start by `offsets`, i32; with `clamps` sizes shrink, at most to
  /// zero, so that the end of the tensor stays where it is, and are zero where
  /// an offset is negative.
  void advance(Builder &b, llvm::ArrayRef<mlir::Value> offsets, bool clamps);
};

/// One message to the mover.
struct TensorMessage {
  TensorDescriptor tensor;
  /// Of LDS, in bytes; an i32.
  mlir::Value lds;
  /// Outermost first.
  llvm::SmallVector<int64_t> tile;
  /// After so many bytes of LDS skip so many; none for 0.
  unsigned gapInterval = 0, gapBytes = 0;
  /// Rows to gather or to scatter to, i16 or i32; none for a block.
  llvm::SmallVector<mlir::Value> rows = {};
  /// A bit for each CTA of the cluster that loads the same at the same time, an
  /// i32; null for none.
  mlir::Value multicast = {};
  /// The barrier in LDS to arrive at, a pointer; null for none.
  mlir::Value barrier = {};

  /// The words of all four groups; i32.
  llvm::SmallVector<mlir::Value> words(Builder &b) const;
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_TENSORDESCRIPTOR_H
