//===- Tma.cpp - Blocks of tensors, row by row ----------------------------===//
//
// PTX ISA, "Tiled Mode", "tile::gather4", "Im2col Mode", "Element stride".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/nvidia/Tma.h"
#include "executor/PixelWalk.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

Error TensorBlock::check() const {
  auto fail = [](const Twine &what) {
    return createStringError("the tensor map " + what);
  };
  if (!map.unit())
    return fail("has elements of type " + Twine(unsigned{map.elementType}) +
                "; the last is 15");
  if (map.rank() > map.box.size())
    return fail("has rank " + Twine(map.rank()) + "; it must be 1 to 5");
  if (map.interleave || map.swizzle > 3 || map.swizzleAtom)
    return fail("has an interleaved layout or a swizzle that the wave "
                "simulator does not support");
  const size_t needed = mode == Mode::Rows ? 5 : map.rank();
  if (start.size() != needed)
    return fail("needs " + Twine(needed) + " coordinates, but the copy has " +
                Twine(start.size()));
  if (map.isIm2Col != (mode == Mode::Im2Col))
    return fail("and the copy must both be in im2col mode, or neither");
  if (mode == Mode::Im2Col && offsets.size() + 2 != map.rank())
    return fail("needs " + Twine(map.rank() - 2) +
                " im2col offsets, but the copy has " + Twine(offsets.size()));
  for (unsigned dim = 0; dim < map.rank(); ++dim) {
    if (dim && !map.steps[dim])
      return fail("has element stride 0 along dimension " + Twine(dim));
    if (mode == Mode::Tile && !map.box[dim])
      return fail("has a box of 0 elements along dimension " + Twine(dim));
  }
  constexpr uint64_t piece = 16;
  if (map.address % piece)
    return fail("has an address that is not a multiple of 16 bytes");
  for (uint64_t stride : ArrayRef(map.strides).take_front(map.rank() - 1))
    if (stride % piece)
      return fail("has a stride of " + Twine(stride) +
                  " bytes; it must be a multiple of 16");
  const uint64_t bytes = rowBytes(), limit = map.swizzleBytes();
  if (bytes % piece || (limit && bytes > limit))
    return fail(
        "has rows of " + Twine(bytes) +
        " bytes; they must be a multiple of 16 and no longer than the swizzle");
  return Error::success();
}

uint64_t TensorBlock::along(unsigned dim) const {
  // The fastest dimension has no stride between elements, whatever is said.
  return dim ? divideCeil(uint64_t{map.box[dim]}, uint64_t{map.steps[dim]})
             : map.box[0];
}

uint64_t TensorBlock::rowBytes() const {
  const TensorMap::Unit unit = *map.unit();
  return divideCeil(along(0), uint64_t{unit.elements}) * unit.shared;
}

uint64_t TensorBlock::bytes() const {
  const TensorMap::Unit unit = *map.unit();
  return divideCeil(along(0), uint64_t{unit.elements}) * unit.global * rows();
}

uint64_t TensorBlock::rows() const {
  if (mode == Mode::Rows)
    return start.size() - 1;
  if (mode == Mode::Im2Col)
    return map.box[1];
  uint64_t count = 1;
  for (unsigned dim = 1; dim < map.rank(); ++dim)
    count *= along(dim);
  return count;
}

/// Where a row of a box is, from the start of the tensor; none outside of it.
std::optional<uint64_t> TensorBlock::outerPlace(uint64_t row) const {
  uint64_t place = 0, rest = row;
  for (unsigned dim = 1; dim < map.rank(); ++dim) {
    const bool isListed = mode == Mode::Rows;
    const int64_t at =
        isListed ? start[1 + row]
                 : start[dim] +
                       static_cast<int64_t>(rest % along(dim) * map.steps[dim]);
    if (!isListed)
      rest /= along(dim);
    if (at < 0 || at >= int64_t{map.sizes[dim]})
      return std::nullopt;
    place += static_cast<uint64_t>(at) * map.strides[dim - 1];
  }
  return place;
}

/// The same for a pixel, of those from the first one on in the box that the
/// corners leave of the image, line by line, and image by image.
std::optional<uint64_t> TensorBlock::pixelPlace(uint64_t pixel) const {
  const unsigned images = map.rank() - 1;
  uint64_t place = 0;
  auto carry = static_cast<int64_t>(pixel);
  for (unsigned dim = 1; dim <= images; ++dim) {
    const int64_t at =
        dim == images
            ? start[dim] + carry
            : offsets[dim - 1] +
                  walkPixels(start[dim], map.lower[dim - 1],
                             int64_t{map.sizes[dim]} + map.upper[dim - 1],
                             map.steps[dim], carry);
    if (at < 0 || at >= int64_t{map.sizes[dim]})
      return std::nullopt;
    place += static_cast<uint64_t>(at) * map.strides[dim - 1];
  }
  return place;
}

void TensorBlock::forRows(function_ref<bool(const Row &)> fn) const {
  const TensorMap::Unit unit = *map.unit();
  const int64_t elements = unit.elements,
                width = static_cast<int64_t>(along(0)) / elements;
  // Only whole units begin or end outside.
  const int64_t begin = start[0] / elements,
                end = int64_t{map.sizes[0]} / elements;
  const int64_t first = std::clamp<int64_t>(-begin, 0, width),
                last = std::clamp<int64_t>(end - begin, first, width);
  for (uint64_t row = 0; row < rows(); ++row) {
    const auto outer = mode == Mode::Im2Col ? pixelPlace(row) : outerPlace(row);
    Row found{0, row * rowBytes(), static_cast<uint64_t>(first), 0};
    if (outer) {
      found.global = map.address + *outer +
                     static_cast<uint64_t>(begin + first) * unit.global;
      found.count = static_cast<uint64_t>(last - first);
    }
    if (!fn(found))
      return;
  }
}

} // namespace kernelscope::wave::nvidia
