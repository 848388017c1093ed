//===- CudaTensorMap.cpp - Tensors described to TMA -----------------------===//

#include "server/run/CudaTensorMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using namespace llvm;

namespace kernelscope::run {

/// CUtensorMapDataType of an element; nothing if TMA has none.
static std::optional<int> tensorMapType(executor::Element element,
                                        bool isFp4Padded) {
  using executor::Element;
  if (isFp4Padded)
    return 14; // CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B
  switch (element) {
  case Element::F16:
    return 6;
  case Element::F32:
    return 7;
  case Element::F64:
    return 8;
  case Element::BF16:
    return 9;
  case Element::I32:
    return 3;
  case Element::I64:
    return 5;
  default:
    break;
  }
  switch (executor::sizeOf(element)) {
  case 1:
    return 0;
  case 2:
    return 1;
  default:
    return std::nullopt;
  }
}

Expected<CudaTensorMap> CudaTensorMap::of(const ArgumentValue &argument,
                                          const KernelArgument &parameter) {
  const ArgumentInfo &info = argument.info;
  auto fail = [&](const Twine &what) {
    return createStringError("argument '" + info.name + "' " + what);
  };
  if (!parameter.tensorMap)
    return fail("describes blocks that TMA cannot lay out in shared memory");
  const TensorMapInfo &blocks = *parameter.tensorMap;
  std::optional<int> type = tensorMapType(info.element, blocks.isFp4Padded);
  if (!type)
    return fail("is a tensor descriptor of " + info.dtype +
                ", which TMA cannot copy");

  CudaTensorMap map{*type, {}, {}, {}, 0, blocks.isIm2Col};
  map.sizes.assign(argument.shape.rbegin(), argument.shape.rend());
  const uint64_t bytes = executor::sizeOf(info.element);
  const std::vector<int64_t> strides = denseStrides(argument.shape);
  for (int64_t stride : drop_begin(reverse(strides)))
    map.strides.push_back(stride * bytes);
  constexpr uint64_t multiple = 16;
  for (auto [dim, stride] : enumerate(map.strides))
    if (stride % multiple)
      return fail(formatv("has a stride of {0} bytes along dimension {1}; TMA "
                          "needs a multiple of {2}",
                          stride, map.sizes.size() - 2 - dim, multiple));
  map.box.assign(blocks.box.rbegin(), blocks.box.rend());
  // Elements of 4 bits, of which memory has two in a byte.
  if (blocks.isFp4Padded) {
    map.sizes.front() *= 2;
    map.box.front() *= 2;
  }
  // 1, 2 and 3 for 32, 64 and 128 bytes.
  if (blocks.swizzleBytes)
    map.swizzle = static_cast<int>(Log2_32(blocks.swizzleBytes)) - 4;
  return map;
}

int CudaTensorMap::encode(const CudaTensorMapFunctions &driver,
                          uint64_t pointer, TensorMap &encoded) const {
  // No interleaving, 128 bytes at once into L2, zeros outside the tensor.
  constexpr int interleave = 0, promotion = 2, fill = 0;
  auto *address = std::bit_cast<void *>(pointer);
  const auto rank = static_cast<uint32_t>(sizes.size());
  const std::vector<uint32_t> steps(rank, 1);
  if (!isIm2Col)
    return driver.encodeTiled(&encoded, type, rank, address, sizes.data(),
                              strides.data(), box.data(), steps.data(),
                              interleave, swizzle, promotion, fill);
  // The window has the size of the image.
  const std::vector<int> corners(rank - 2, 0);
  return driver.encodeIm2col(&encoded, type, rank, address, sizes.data(),
                             strides.data(), corners.data(), corners.data(),
                             box.front(), box.back(), steps.data(), interleave,
                             swizzle, promotion, fill);
}

} // namespace kernelscope::run
