//===- Shadow.cpp - Who accessed which bytes ------------------------------===//

#include "executor/sanitize/Shadow.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope::executor::sanitize;

llvm::SmallVector<Piece, 4>
kernelscope::executor::sanitize::piecesOf(llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<int64_t> strides,
                                          int64_t elementBytes) {
  // The order of dimensions means nothing to bytes: slowest first.
  struct Dim {
    int64_t stride, size;
  };
  llvm::SmallVector<Dim, 8> dims;
  for (auto [size, stride] : llvm::zip(shape, strides))
    if (size > 1)
      dims.push_back({stride * elementBytes, size});
  llvm::sort(dims,
             [](const Dim &a, const Dim &b) { return a.stride > b.stride; });
  int64_t length = elementBytes;
  while (!dims.empty() && dims.back().stride <= length)
    length += dims.back().stride * (dims.pop_back_val().size - 1);
  llvm::SmallVector<Piece, 4> pieces{{0, length}};
  for (const Dim &dim : llvm::reverse(dims)) {
    const size_t inner = pieces.size();
    pieces.reserve(inner * dim.size);
    for (int64_t i = 1; i < dim.size; ++i)
      for (size_t k = 0; k < inner; ++k)
        pieces.push_back(
            {pieces[k].begin + i * dim.stride, pieces[k].end + i * dim.stride});
  }
  return pieces;
}

size_t Allocation::splitAt(int64_t at) {
  auto found = std::partition_point(
      segments.begin(), segments.end(),
      [&](const Segment &segment) { return segment.bytes.end <= at; });
  const size_t index = found - segments.begin();
  if (found == segments.end() || found->bytes.begin >= at)
    return index;
  Segment tail = *found;
  found->bytes.end = tail.bytes.begin = at;
  segments.insert(found + 1, std::move(tail));
  return index + 1;
}

void Allocation::forEach(Piece piece, llvm::function_ref<void(Segment &)> fn) {
  const size_t begin = splitAt(piece.begin), end = splitAt(piece.end);
  for (size_t i = begin; i < end; ++i)
    fn(segments[i]);
}

void Allocation::recordWrite(Piece piece, const Access &write,
                             const Clock &known) {
  const size_t begin = splitAt(piece.begin), end = splitAt(piece.end);
  if (begin == end)
    return;
  llvm::SmallVector<Access, 0> others;
  auto keep = [&](const Access &earlier) {
    auto isIt = [&](const Access &other) {
      return other.moment == earlier.moment;
    };
    if (mayMeet(earlier, write) && !known.knows(earlier.moment) &&
        llvm::none_of(others, isIt))
      others.push_back(earlier);
  };
  for (size_t i = begin; i < end; ++i) {
    keep(segments[i].write);
    llvm::for_each(segments[i].others, keep);
  }
  Segment &kept = segments[begin];
  kept.bytes.end = segments[end - 1].bytes.end;
  kept.write = write;
  kept.others = std::move(others);
  kept.reads.clear();
  kept.isInitialized = true;
  if (end - begin > 1)
    segments.erase(segments.begin() + begin + 1, segments.begin() + end);
}

void Shadow::allocate(Allocation made) {
  auto found = allocations.find(made.base);
  if (found != allocations.end() && found->second.size == made.size) {
    found->second.op = made.op;
    found->second.freedBy = nullptr;
    for (Segment &segment : found->second.segments)
      segment.isInitialized = false;
    return;
  }
  // Another buffer was there before, and its memory has been given back.
  auto first = allocations.upper_bound(made.base);
  if (first != allocations.begin() &&
      std::prev(first)->second.base + std::prev(first)->second.size > made.base)
    --first;
  allocations.erase(first, allocations.lower_bound(made.base + made.size));
  Segment all;
  all.bytes = {0, made.size};
  made.segments = {std::move(all)};
  allocations.emplace(made.base, std::move(made));
}

llvm::SmallVector<Allocation *, 2> Shadow::atPlaceOf(const Allocation &made) {
  llvm::SmallVector<Allocation *, 2> there;
  if (!made.place)
    return there;
  auto functionOf = [](const Allocation &buffer) {
    return buffer.op->getParentOfType<mlir::FunctionOpInterface>();
  };
  for (auto &[base, other] : allocations)
    if (other.place && base != made.base && other.cta == made.cta &&
        other.space == made.space && other.place->begin < made.place->end &&
        made.place->begin < other.place->end &&
        functionOf(other) == functionOf(made))
      there.push_back(&other);
  return there;
}

Allocation *Shadow::find(const char *at) {
  auto after = allocations.upper_bound(at);
  if (after == allocations.begin())
    return nullptr;
  Allocation &found = std::prev(after)->second;
  return at < found.base + found.size ? &found : nullptr;
}
