//===- TensorMemoryCopy.cpp - From shared memory to tensor memory ---------===//
//
// tcgen05.cp. PTX ISA, "tcgen05.cp" and "Optional Decompression".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/TensorMemory.h"
#include "llvm/Support/Endian.h"
#include <array>

using namespace llvm;

namespace kernelscope::wave::nvidia {

std::optional<TensorMemoryCopy> TensorMemoryCopy::parse(StringRef modifiers) {
  using enum Spread;
  TensorMemoryCopy copy;
  SmallVector<StringRef> parts;
  modifiers.split(parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    if (part == "128x256b")
      copy.rows = 128, copy.bytes = 32;
    else if (part == "128x128b")
      copy.rows = 128, copy.bytes = 16;
    else if (part == "4x256b")
      copy.rows = 4, copy.bytes = 32, copy.spread = FourRows;
    else if (part == "64x128b")
      copy.rows = 64, copy.bytes = 16;
    else if (part == "32x128b")
      copy.rows = 32, copy.bytes = 16;
    else if (part == "warpx4")
      copy.spread = Quarters;
    else if (part == "warpx2::02_13")
      copy.spread = Halves02And13;
    else if (part == "warpx2::01_23")
      copy.spread = Halves01And23;
    else if (part == "b4x16_p64")
      copy.elementBits = 4;
    else if (part == "b6x16_p32")
      copy.elementBits = 6;
  }
  const bool isHalves =
      copy.spread == Halves02And13 || copy.spread == Halves01And23;
  // Only these two go to several places, and must.
  if (!copy.rows || (copy.rows == 32) != (copy.spread == Quarters) ||
      (copy.rows == 64) != isHalves)
    return std::nullopt;
  return copy;
}

/// The lanes that a row goes to, from that of the address on.
static SmallVector<uint32_t, 4> lanesFor(const TensorMemoryCopy &copy,
                                         uint32_t row) {
  using enum TensorMemoryCopy::Spread;
  switch (copy.spread) {
  case None:
    return {row};
  case Quarters:
    return {row, row + 32, row + 64, row + 96};
  case Halves02And13:
    return {row, row + 64};
  case Halves01And23: // warps 0 and 1 have the first 32 rows, 2 and 3 the rest
    return {row % 32 + row / 32 * 64, row % 32 + row / 32 * 64 + 32};
  case FourRows: // one for each warp
    return {row * 32};
  }
  llvm_unreachable("all spreads are there");
}

/// Sixteen narrow floats, which follow each other, as bytes.
static std::array<uint8_t, 16> decompress(ArrayRef<uint8_t> piece,
                                          unsigned bits) {
  std::array<uint8_t, 16> bytes{};
  for (unsigned i = 0; i < bytes.size(); ++i) {
    const unsigned first = i * bits;
    const unsigned pair = piece[first / 8] | piece[(first / 8 + 1) % 16] << 8;
    bytes[i] = static_cast<uint8_t>(((pair >> first % 8) & ((1u << bits) - 1))
                                    << narrowFloatShift(bits));
  }
  return bytes;
}

Error copyMatrix(TensorMemory &memory, const TensorMemoryCopy &copy,
                 uint32_t address, const SharedView &shared,
                 uint64_t descriptor) {
  Expected<SharedMatrix> matrix = SharedMatrix::ofTensorCore(descriptor);
  if (!matrix)
    return matrix.takeError();
  const uint32_t lane = laneOf(address), column = columnOf(address);
  const uint32_t extent =
      copy.spread == TensorMemoryCopy::Spread::FourRows ? 3 * 32 + 1 : 128;
  if (Error error = memory.checkWrite("tcgen05.cp",
                                      {lane, extent, column, copy.bytes / 4}))
    return error;
  for (uint32_t row = 0; row < copy.rows; ++row)
    for (uint32_t byte = 0; byte < copy.bytes; byte += 16) {
      auto piece = shared.piece(matrix->at(/*isKMajor=*/true, row, byte));
      if (!piece)
        return piece.takeError();
      const auto wide = copy.elementBits ? decompress(*piece, copy.elementBits)
                                         : std::array<uint8_t, 16>{};
      const uint8_t *from = copy.elementBits ? wide.data() : piece->data();
      for (uint32_t to : lanesFor(copy, row))
        for (uint32_t i = 0; i < 4; ++i)
          memory.at(lane + to, column + byte / 4 + i) =
              support::endian::read32le(from + size_t{4} * i);
    }
  return Error::success();
}

} // namespace kernelscope::wave::nvidia
