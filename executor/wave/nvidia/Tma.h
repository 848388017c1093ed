//===- Tma.h - Blocks of tensors, row by row --------------------*- C++ -*-===//
//
// Which rows of global memory a bulk copy of a tensor moves, and where each is
// in shared memory. PTX ISA, "Tensors".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TMA_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TMA_H

#include "executor/wave/nvidia/TensorMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace kernelscope::wave::nvidia {

/// A block of a tensor: where it begins, from the fastest dimension on.
struct TensorBlock {
  enum class Mode { Tile, Rows, Im2Col };

  TensorMap map;
  Mode mode = Mode::Tile;
  /// Of Rows the column, then the rows.
  llvm::SmallVector<int64_t, 5> start;
  /// Of Im2Col, how far the pixels that are read are from those of the block.
  llvm::SmallVector<int64_t, 3> offsets;

  /// An error says what TMA does not take.
  llvm::Error check() const;

  /// Of a row in shared memory.
  uint64_t rowBytes() const;
  /// What a copy completes on its mbarrier: where shared memory has gaps
  /// between packed elements, the bytes without them, which is what Triton
  /// announces.
  uint64_t bytes() const;

  /// A row of elements along the fastest dimension.
  struct Row {
    /// Of the first element that is inside of the tensor.
    uint64_t global;
    /// From the start of the block in shared memory.
    uint64_t shared;
    /// How far the first is from the row's start, and how many there are, in
    /// units of the map; none where the row is outside.
    uint64_t first, count;
  };
  /// Calls `fn` for each; stops when that is false.
  void forRows(llvm::function_ref<bool(const Row &)> fn) const;

private:
  uint64_t rows() const;
  uint64_t along(unsigned dim) const;
  std::optional<uint64_t> outerPlace(uint64_t row) const;
  std::optional<uint64_t> pixelPlace(uint64_t pixel) const;
};

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TMA_H
