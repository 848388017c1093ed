//===- Values.h - How values are stored ------------------------*- C++ -*-===//
//
// The storage of tensors and scalars, and the executor's own records for values
// that stand for memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_VALUES_H
#define KERNELSCOPE_EXECUTOR_PLAN_VALUES_H

#include "executor/plan/Element.h"
#include "llvm/ADT/SmallVector.h"

namespace kernelscope::executor {

/// How a value is stored: `count` elements in row-major order of `shape`.
struct Storage {
  Element element;
  llvm::SmallVector<int64_t, 4> shape;
  size_t count = 1;
};

/// One tensor in shared memory as a memdesc sees it: `strides` in elements.
struct View {
  static constexpr unsigned maxRank = 8;
  char *base = nullptr;   ///< first element
  char *buffer = nullptr; ///< first element of the allocation that it is of
  int64_t strides[maxRank] = {};
};

/// A tensor in global memory as a tensor descriptor sees it, slowest dimension
/// first.
struct Descriptor {
  static constexpr unsigned maxRank = 5;
  int64_t address = 0;
  int64_t shape[maxRank] = {};
  int64_t strides[maxRank] = {}; ///< in elements
  /// Of an im2col descriptor: how far the box of pixels is from the first and
  /// from the last pixel, in each dimension but batch and channel.
  int16_t lower[maxRank - 2] = {}, upper[maxRank - 2] = {};
  /// From an element of the block to its neighbour, in each dimension.
  uint8_t steps[maxRank] = {1, 1, 1, 1, 1};
  bool padWithNan = false;
  bool enabled = true; ///< its copies do something
};

/// A block of a tensor in global memory: the form of Triton up to 3.7.
struct BlockPointer {
  Descriptor tensor;
  int64_t offsets[Descriptor::maxRank] = {}; ///< of its first element
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_VALUES_H
