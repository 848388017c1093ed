//===- TensorMap.h - Tensors as TMA finds them ------------------*- C++ -*-===//
//
// The 128 bytes that describe a tensor to a kernel, or that it writes with
// tensormap.replace. How the chip uses them is not known; here they are a
// record of our own. PTX ISA, "Tensor-map", "tensormap.replace".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORMAP_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORMAP_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace kernelscope::wave::nvidia {

/// Dimensions from the fastest on.
struct TensorMap {
  static constexpr size_t bytes = 128;

  uint64_t address = 0;
  /// In bytes, of all dimensions but the first.
  std::array<uint64_t, 4> strides{};
  std::array<uint32_t, 5> sizes{};
  /// Elements of a block; of an im2col block, channels and pixels.
  std::array<uint16_t, 5> box{};
  /// From one element that is moved to the next.
  std::array<uint8_t, 5> steps{};
  /// Of the pixels of an im2col block: how far the first and the last are
  /// inside of the image, from its fastest dimension on.
  std::array<int16_t, 3> lower{}, upper{};
  /// Codes of the PTX ISA; `lastDim` is the rank less one.
  uint8_t elementType = 0, lastDim = 0, interleave = 0, swizzle = 0, fill = 0,
          swizzleAtom = 0;
  bool isIm2Col = false;

  unsigned rank() const { return lastDim + 1u; }
  /// Bytes whose 16-byte pieces are swizzled; 0 for none.
  unsigned swizzleBytes() const { return swizzle ? 16u << swizzle : 0; }

  /// How elements lie in memory: of so many, which are moved together, bytes in
  /// global and in shared memory.
  struct Unit {
    uint8_t elements, global, shared;
  };
  /// None for a code that there is no element for.
  std::optional<Unit> unit() const;
};
static_assert(sizeof(TensorMap) <= TensorMap::bytes);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORMAP_H
