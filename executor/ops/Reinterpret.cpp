//===- Reinterpret.cpp - Shared memory as another type --------------------===//
//
// The bytes stay where the layout of the source has put them, and the layout of
// the result says which of its elements they are. Here an allocation is kept in
// row-major order: where that does not amount to strides, the result is an
// image of its bytes.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// What a buffer that memdescs of `type` are of has in memory: the dimensions
/// of a ring of buffers, then those of the allocation.
struct Whole {
  SmallVector<int64_t, 4> shape;
  size_t ring; ///< leading dimensions that the layout does not place

  explicit Whole(ttg::MemDescType type) {
    const auto window =
        ttg::dropPipeliningDim(type.getShape(), type.getEncoding());
    ring = type.getRank() - window.size();
    shape.assign(type.getShape().begin(), type.getShape().begin() + ring);
    llvm::append_range(shape, ttg::dropPipeliningDim(type.getAllocShape(),
                                                     type.getEncoding()));
  }
};

/// For each byte that CTA `cta` has of `type`, by its offset in shared memory,
/// where it is in row-major order of the whole; -1 for padding. None when the
/// type has no such layout.
std::optional<std::vector<int64_t>> placesOfBytes(ttg::MemDescType type,
                                                  unsigned cta) {
  const Whole whole(type);
  const auto shape = ArrayRef(whole.shape).drop_front(whole.ring);
  std::string error;
  auto layout = ttg::toLinearLayout(shape, type.getEncoding(), error);
  const ttg::LayoutDims dims(type.getContext());
  if (!layout || !layout->hasInDim(dims.offset))
    return std::nullopt;
  const auto names = ttg::tensorDims(type.getContext(), shape.size());
  const auto strides = rowMajor(shape);
  const int32_t offsets = layout->getInDimSize(dims.offset);
  const bool isCluster = layout->hasInDim(dims.block);
  if (isCluster && layout->getInDimSize(dims.block) <= int32_t(cta))
    cta = 0;
  // Sizes are powers of two, so that places are sums without carries.
  auto placeOf = [&](int32_t offset, int32_t block) {
    SmallVector<std::pair<StringAttr, int32_t>> in{{dims.offset, offset}};
    if (isCluster)
      in.emplace_back(dims.block, block);
    int64_t at = 0;
    for (auto [name, value] : layout->apply(in))
      at += value * strides[llvm::find(names, name) - names.begin()];
    return at;
  };
  std::vector<int64_t> elements{placeOf(0, int32_t(cta))};
  for (int32_t bit = 1; bit < offsets; bit *= 2) {
    const int64_t basis = placeOf(bit, 0);
    for (int32_t i = 0; i < bit; ++i)
      elements.push_back(elements[i] ^ basis);
  }
  const auto size = static_cast<int64_t>(bytesInMemory(type.getElementType()));
  auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(type.getEncoding());
  std::vector<int64_t> places;
  for (int32_t offset = 0; offset < offsets; ++offset) {
    for (int64_t byte = 0; byte < size; ++byte)
      places.push_back(elements[offset] * size + byte);
    if (!padded)
      continue;
    for (auto [interval, padding] :
         llvm::zip(padded.getIntervals(), padded.getPaddings()))
      if ((offset + 1) % interval == 0)
        places.insert(places.end(), padding * size, -1);
  }
  // The buffers of a ring follow each other.
  const int64_t count = ShapedType::getNumElements(shape),
                bytes = places.size();
  const int64_t buffers =
      ShapedType::getNumElements(ArrayRef(whole.shape).take_front(whole.ring));
  for (int64_t i = bytes; i < buffers * bytes; ++i)
    places.push_back(places[i - bytes] < 0 ? -1
                                           : places[i - bytes] + count * size);
  return places;
}

/// The buffer that a memdesc is a window of, whose bytes are numbered in
/// row-major order.
struct BytesOfWhole {
  Whole whole;
  SmallVector<int64_t, 4> strides;
  int64_t size; ///< of an element

  explicit BytesOfWhole(Value memory)
      : whole(cast<ttg::MemDescType>(memory.getType())),
        strides(rowMajor(whole.shape)), size(elementBytes(memory)) {}

  /// The index, in each dimension, of the first element of `view`.
  SmallVector<int64_t, 4> start(const View &view) const {
    SmallVector<int64_t, 4> at(whole.shape.size(), 0);
    SmallVector<size_t, 4> dims;
    for (size_t dim = 0; dim < at.size(); ++dim)
      if (whole.shape[dim] > 1 && view.strides[dim] > 0)
        dims.push_back(dim);
    llvm::sort(dims, [&](size_t a, size_t b) {
      return view.strides[a] > view.strides[b];
    });
    // A ring that the memdesc is an element of has several such buffers.
    int64_t left = (view.base - view.buffer) / size %
                   ShapedType::getNumElements(whole.shape);
    for (size_t dim : dims) {
      at[dim] = left / view.strides[dim];
      left %= view.strides[dim];
    }
    return at;
  }
  /// The number of the first byte of `view`.
  int64_t firstByte(const View &view) const {
    int64_t first = 0;
    for (auto [at, stride] : llvm::zip(start(view), strides))
      first += at * stride * size;
    return first;
  }
  /// Where these bytes are kept; null for -1.
  Images::Places of(const View &view, ArrayRef<int64_t> bytes,
                    const Images &images) const {
    const SmallVector<int64_t, 4> window = start(view);
    Images::Places places;
    for (int64_t byte : bytes) {
      char *at = byte < 0 ? nullptr : view.base + byte % size;
      for (size_t dim = 0; at && dim < strides.size(); ++dim)
        at += (byte / size / strides[dim] % whole.shape[dim] - window[dim]) *
              view.strides[dim] * size;
      places.push_back(images.resolve(at));
    }
    return places;
  }
};

/// The bytes of one CTA's part of a buffer, in the order of their addresses, by
/// their numbers (-1 for padding), as its source and its result see it.
struct SameBytes {
  std::vector<int64_t> source, result;

  /// For each byte of the result, which of the source's it is, or -1, when the
  /// source begins at byte `first`.
  std::vector<int64_t> from(int64_t first, size_t count) const {
    std::vector<int64_t> bytes(count, -1);
    for (auto [from, place] : llvm::zip(
             llvm::make_range(llvm::find(source, first), source.end()), result))
      if (place >= 0)
        bytes[place] = from;
    return bytes;
  }
};

/// The strides, in elements of `size` bytes, with which a tensor of `shape` has
/// these bytes; none when there are no such strides.
std::optional<SmallVector<int64_t, 4>>
stridesOf(ArrayRef<int64_t> bytes, ArrayRef<int64_t> shape, int64_t size) {
  const auto dense = rowMajor(shape);
  SmallVector<int64_t, 4> strides(shape.size(), 0);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] > 1)
      strides[dim] = (bytes[dense[dim] * size] - bytes[0]) / size;
  int64_t index = 0;
  bool fits = bytes[0] >= 0;
  Strides{SmallVector<int64_t, 4>(shape), strides}.forEachRow(
      [&](int64_t offset, int64_t stride, int64_t length) {
        for (int64_t i = 0; i < length; ++i)
          for (int64_t byte = 0; byte < size; ++byte)
            fits &= bytes[index++] ==
                    bytes[0] + (offset + i * stride) * size + byte;
      });
  return fits ? std::optional(strides) : std::nullopt;
}

} // namespace

Step planReinterpretShared(Planner &planner, ttg::MemDescReinterpretOp op) {
  ttg::MemDescType from = op.getSrc().getType(), to = op.getResult().getType();
  const BytesOfWhole kept(op.getSrc());
  const Whole &whole = kept.whole;
  const SmallVector<int64_t, 4> newShape = shapeOf(op.getResult());
  const auto size = static_cast<int64_t>(elementBytes(op.getResult()));
  const size_t count = to.getNumElements() * size;
  std::optional<SmallVector<int64_t, 4>> strides;
  int64_t first = 0;
  std::vector<SameBytes> bytes; // of each CTA
  // Another ring of the same buffers has them where they were.
  const bool isWhole = whole.shape == from.getShape();
  if (from.getEncoding() == to.getEncoding() &&
      from.getElementType() == to.getElementType() && isWhole &&
      ttg::dropPipeliningDim(from.getShape(), from.getEncoding()) ==
          ttg::dropPipeliningDim(to.getShape(), to.getEncoding())) {
    strides = rowMajor(newShape);
  } else {
    for (unsigned cta = 0; cta < planner.plan.ctas; ++cta) {
      auto source = placesOfBytes(from, cta), result = placesOfBytes(to, cta);
      if (!source || !result) {
        op.emitError("the CPU executor does not know where the bytes of ")
            << (source ? to : from) << " are in its allocation";
        return {};
      }
      bytes.push_back({std::move(*source), std::move(*result)});
    }
    if (bytes.size() == 1 && isWhole) {
      const std::vector<int64_t> same = bytes.front().from(0, count);
      strides = stridesOf(same, newShape, size);
      first = same.front();
    }
  }
  return [=, source = planner.slot(op.getSrc()),
          result = planner.slot(op.getResult()), bytes = std::move(bytes),
          owners = planner.owners(to),
          operation = op.getOperation()](Frame &frame) {
    const View &view = *frame.at<View>(source);
    View &made = *frame.at<View>(result);
    bool isDense = strides.has_value();
    for (size_t dim = 0; isDense && dim < kept.whole.shape.size(); ++dim)
      isDense =
          kept.whole.shape[dim] == 1 || view.strides[dim] == kept.strides[dim];
    if (!isDense && bytes.empty())
      return frame.fault(operation,
                         "the CPU executor cannot reinterpret a ring of "
                         "buffers whose elements are not consecutive");
    if (isDense) {
      made.base = made.buffer = view.base + first;
      std::copy(strides->begin(), strides->end(), made.strides);
      return true;
    }
    Images &images = frame.program.images;
    made.base = made.buffer = images.of(operation, view, [&] {
      return kept.of(view, bytes[frame.cta].from(kept.firstByte(view), count),
                     images);
    });
    if (frame.program.cluster)
      frame.program.cluster->allocate(
          frame.cta, {operation, 0, made.base, count, size_t(size), owners});
    llvm::copy(rowMajor(newShape), made.strides);
    return true;
  };
}

std::function<AddressedBytes(Frame &)> planBytes(Planner &planner,
                                                 Operation *op, Value memdesc) {
  std::vector<std::vector<int64_t>> bytes; // of each CTA
  for (unsigned cta = 0; cta < planner.plan.ctas; ++cta) {
    auto places = placesOfBytes(cast<ttg::MemDescType>(memdesc.getType()), cta);
    if (!places) {
      op->emitError("the CPU executor does not know where the bytes of ")
          << memdesc.getType() << " are in its allocation";
      return {};
    }
    bytes.push_back(std::move(*places));
  }
  return [op, from = planner.slot(memdesc), kept = BytesOfWhole(memdesc),
          bytes = std::move(bytes)](Frame &frame) {
    const View &view = *frame.at<View>(from);
    Images &images = frame.program.images;
    const ArrayRef<int64_t> all = bytes[frame.cta];
    const auto own =
        all.drop_front(llvm::find(all, kept.firstByte(view)) - all.begin());
    return AddressedBytes{
        images.of(op, view, [&] { return kept.of(view, own, images); }),
        own.size()};
  };
}

} // namespace kernelscope::executor
