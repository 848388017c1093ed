//===- Reinterpret.cpp - Shared memory as another type --------------------===//
//
// The bytes stay where the layout of the source has put them, and the layout of
// the result says which of its elements they are. Here an allocation is kept in
// row-major order, so that a view can show the result only where that amounts
// to strides.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// Where each byte of `type` is in row-major order, by its offset in shared
/// memory; -1 for padding. None when the type has no such layout.
std::optional<std::vector<int64_t>> placesOfBytes(ttg::MemDescType type) {
  const auto shape =
                 ttg::dropPipeliningDim(type.getShape(), type.getEncoding()),
             whole = ttg::dropPipeliningDim(type.getAllocShape(),
                                            type.getEncoding());
  std::string error;
  auto layout = ttg::toLinearLayout(shape, type.getEncoding(), error);
  const ttg::LayoutDims dims(type.getContext());
  if (!layout || !layout->hasInDim(dims.offset) ||
      (layout->hasInDim(dims.block) && layout->getInDimSize(dims.block) != 1))
    return std::nullopt;
  // A window is like an allocation of its own where its bytes adjoin.
  if (shape != whole) {
    auto outer = ttg::toLinearLayout(whole, type.getEncoding(), error);
    for (int32_t i = 1; outer && i < layout->getInDimSize(dims.offset); i *= 2)
      if (outer->apply({{dims.offset, i}}) != layout->apply({{dims.offset, i}}))
        return std::nullopt;
  }
  const auto names = ttg::tensorDims(type.getContext(), shape.size());
  const auto strides = rowMajor(shape);
  const auto size = static_cast<int64_t>(bytesInMemory(type.getElementType()));
  auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(type.getEncoding());
  std::vector<int64_t> places;
  for (int32_t offset = 0; offset < layout->getInDimSize(dims.offset);
       ++offset) {
    int64_t at = 0;
    for (auto [name, value] : layout->apply({{dims.offset, offset}}))
      at += value * strides[llvm::find(names, name) - names.begin()];
    for (int64_t byte = 0; byte < size; ++byte)
      places.push_back(at * size + byte);
    if (!padded)
      continue;
    for (auto [interval, padding] :
         llvm::zip(padded.getIntervals(), padded.getPaddings()))
      if ((offset + 1) % interval == 0)
        places.insert(places.end(), padding * size, -1);
  }
  // The buffers of a ring follow each other.
  const int64_t count = strides.empty() ? 1 : strides[0] * shape[0],
                bytes = places.size();
  const int64_t buffers = type.getNumElements() / count;
  for (int64_t i = bytes; i < buffers * bytes; ++i)
    places.push_back(places[i - bytes] < 0 ? -1
                                           : places[i - bytes] + count * size);
  return places;
}

/// Where each element of `to`, in row-major order, is in that of `from`, in
/// bytes. None when an
/// element's bytes do not follow each other there.
std::optional<std::vector<int64_t>> elementPlaces(ttg::MemDescType from,
                                                  ttg::MemDescType to) {
  auto source = placesOfBytes(from), result = placesOfBytes(to);
  if (!source || !result)
    return std::nullopt;
  const size_t size = bytesInMemory(to.getElementType());
  std::vector<int64_t> places(to.getNumElements(), -1);
  for (size_t offset = 0; offset < result->size(); offset += size) {
    const int64_t element = (*result)[offset];
    if (element < 0)
      continue;
    for (size_t byte = 0; byte < size; ++byte)
      if (offset + byte >= source->size() || (*source)[offset + byte] < 0 ||
          (*source)[offset + byte] !=
              (*source)[offset] + static_cast<int64_t>(byte))
        return std::nullopt;
    places[element / size] = (*source)[offset];
  }
  return places;
}

/// The strides, in elements of `size` bytes, with which a tensor of `shape` is
/// at `places`; none when there are no such strides.
std::optional<SmallVector<int64_t, 4>>
stridesOf(ArrayRef<int64_t> places, ArrayRef<int64_t> shape, int64_t size) {
  const auto dense = rowMajor(shape);
  SmallVector<int64_t, 4> strides(shape.size(), 0);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] > 1)
      strides[dim] = (places[dense[dim]] - places[0]) / size;
  int64_t index = 0;
  bool fits = true;
  Strides{SmallVector<int64_t, 4>(shape), strides}.forEachRow(
      [&](int64_t offset, int64_t stride, int64_t length) {
        for (int64_t i = 0; i < length; ++i)
          fits &= places[index++] == places[0] + (offset + i * stride) * size;
      });
  return fits ? std::optional(strides) : std::nullopt;
}

} // namespace

Step planReinterpretShared(Planner &planner, ttg::MemDescReinterpretOp op) {
  ttg::MemDescType from = op.getSrc().getType(), to = op.getResult().getType();
  const SmallVector<int64_t, 4> oldShape = shapeOf(op.getSrc()),
                                newShape = shapeOf(op.getResult());
  const auto size = static_cast<int64_t>(elementBytes(op.getResult()));
  SmallVector<int64_t, 4> strides = rowMajor(newShape);
  int64_t first = 0;
  // Another ring of the same buffers has them where they were.
  const bool isSame =
      from.getEncoding() == to.getEncoding() &&
      from.getElementType() == to.getElementType() &&
      ttg::dropPipeliningDim(from.getShape(), from.getEncoding()) ==
          ttg::dropPipeliningDim(to.getShape(), to.getEncoding());
  if (!isSame) {
    auto places = elementPlaces(from, to);
    auto found = places ? stridesOf(*places, newShape, size) : std::nullopt;
    if (!found) {
      op.emitError("the CPU executor keeps ")
          << from << " in row-major order, in which the elements of " << to
          << " are not at regular distances";
      return {};
    }
    first = places->front();
    strides = *found;
  }
  return [=, source = planner.slot(op.getSrc()),
          result = planner.slot(op.getResult()),
          oldStrides = rowMajor(oldShape),
          operation = op.getOperation()](Frame &frame) {
    const View &view = *frame.at<View>(source);
    for (size_t dim = 0; dim < oldShape.size(); ++dim)
      if (oldShape[dim] != 1 && view.strides[dim] != oldStrides[dim])
        return frame.fault(operation,
                           "the CPU executor cannot reinterpret a window of a "
                           "buffer whose elements do not follow each other");
    View &made = *frame.at<View>(result);
    made.base = view.base + first;
    std::copy(strides.begin(), strides.end(), made.strides);
    return true;
  };
}

} // namespace kernelscope::executor
