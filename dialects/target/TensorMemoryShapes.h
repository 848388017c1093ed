//===- TensorMemoryShapes.h - What tcgen05.ld and .st move ------*- C++ -*-===//
//
// Places in tensor memory, and the shapes of messages between it and the
// registers of a warp, as data: lowering and the simulator ask here. PTX ISA,
// "Tensor Memory Addressing" and "Data Movement Shape".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_TENSORMEMORYSHAPES_H
#define KERNELSCOPE_DIALECTS_TARGET_TENSORMEMORYSHAPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace kernelscope {

/// A place in tensor memory: a row, which PTX calls a lane, and a column of 32
/// bits.
struct TensorMemoryPlace {
  int32_t row = 0, column = 0;

  /// As in an address.
  int32_t bits() const { return row << 16 | column; }
  TensorMemoryPlace operator^(TensorMemoryPlace other) const {
    return {row ^ other.row, column ^ other.column};
  }
  bool operator==(const TensorMemoryPlace &) const = default;
};

/// The rows that a warp sees: those from 32 times its number in its group on.
constexpr int32_t rowsOfWarp = 32;
/// The rows and columns of a CTA.
constexpr int32_t tensorMemoryRows = 128, tensorMemoryColumns = 512;

/// A data movement shape, as PTX draws it: where the bits of the lane and of
/// the register go. What it repeats follows `columns` further on.
struct TensorMemoryShape {
  llvm::StringLiteral name; ///< ".32x32b", and so on
  int32_t rows, columns;
  unsigned maxRepeat;
  std::array<TensorMemoryPlace, 5> lanes;
  std::array<TensorMemoryPlace, 2> registers;
  unsigned registerBits;
};

/// The place of a bit of the lane that goes wherever the instruction says.
constexpr TensorMemoryPlace placeInInstruction{-1, 0};

llvm::ArrayRef<TensorMemoryShape> tensorMemoryShapes();

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_TENSORMEMORYSHAPES_H
