//===- Block.h - Blocks of tensors in global memory ------------*- C++ -*-===//
//
// What all ops on tensor descriptors share: where the elements of a block are.
// Elements outside the tensor read as padding and are not written.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_BLOCK_H
#define KERNELSCOPE_EXECUTOR_OPS_BLOCK_H

#include "executor/ops/Access.h"
#include "executor/plan/Values.h"

namespace kernelscope::executor {

/// The block that one run of an op moves.
struct Block {
  mlir::Operation *op;
  Descriptor tensor;
  /// Index of the first element, in each dimension of the tensor.
  llvm::SmallVector<int64_t, 5> first;
  /// Of a gathered block, the row of the tensor that each of its rows is.
  std::optional<std::vector<int64_t>> rows;
  /// Of an im2col block, the place in the window: how far its pixels are from
  /// those that are counted, in each dimension but batch and channel.
  std::optional<llvm::SmallVector<int64_t, 3>> window;
  llvm::SmallVector<int64_t, 4> shape;
  size_t elementBytes;
  uint64_t nan; ///< bits of the padding, when that is NaN
  /// Of each element, whether it is moved; empty: all are.
  std::vector<bool> isMoved = {};

  size_t count() const;
  size_t bytes() const { return count() * elementBytes; }
  /// The elements, in row-major order. False after a fault.
  bool read(Frame &frame, char *values) const;
  bool write(Frame &frame, const char *values) const;
  /// Each element in memory = itself combined with the value.
  bool combine(Frame &frame, const char *values, const Combiner &with) const;

  /// Reports to the sanitizer that the block is read or written, or combined
  /// with what is there if `isAtomic`, by asynchronous work until the moment
  /// `end`.
  void note(Frame &frame, bool isStore, sanitize::Moment end = {},
            bool isAtomic = false) const;

private:
  /// Where a row of the block begins in the tensor, minus its first element.
  struct Row {
    int64_t offset;
    bool inside;
  };
  Row row(int64_t index) const;
  Row pixel(int64_t index) const;
  /// Calls `fn(i, address)` for each element inside the tensor and
  /// `outside(i)` for the others, until one returns false.
  template <typename Fn, typename Outside>
  bool forEach(Fn fn, Outside outside) const;
};

/// The operands of an op that say which block it moves.
struct BlockOperands {
  mlir::Value descriptor;
  mlir::ValueRange indices; ///< of the first element; none: zeros
  mlir::Value rows = {};    ///< of a gather: a tensor
  std::optional<mlir::ValueRange> window = {}; ///< of an im2col copy
};

/// Where a planned op finds its block.
struct BlockSource {
  mlir::Operation *op;
  Slot descriptor;
  llvm::SmallVector<Slot> indices;
  std::optional<Slot> rows;
  bool wideRows = false; ///< 32 bits, not 16
  std::optional<llvm::SmallVector<Slot>> window;
  llvm::SmallVector<int64_t, 4> shape;
  unsigned rank; ///< of the tensor
  size_t elementBytes;
  uint64_t nan;
  /// What the last index counts, of each element: 2 for padded 4-bit floats
  /// that are packed in bytes, where it counts floats.
  int64_t indicesPerElement = 1;

  Block at(Frame &frame) const;
};

/// None after an error on `op`.
std::optional<BlockSource> planBlock(Planner &planner, mlir::Operation *op,
                                     const BlockOperands &operands);

/// How memory and a value become one in a reducing store to `descriptor`. Null
/// after an error on `op`.
Combiner planReduction(mlir::Operation *op, tt::DescriptorReduceKind kind,
                       mlir::Value descriptor);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_BLOCK_H
