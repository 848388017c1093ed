//===- ViewReach.cpp - Which part of its buffer a view covers -------------===//

#include "passes/memory/ViewReach.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttg/TTG.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;

namespace {

/// A descriptor whose place is known: `offsets` are the coordinates at which it
/// begins in the buffer that begins at byte `base` of the allocation.
struct KnownView {
  int64_t base = 0;
  SmallVector<int64_t> offsets;
};

} // namespace

/// Where element `index`, counted without the gaps of `type`, begins.
static int64_t byteOf(int64_t index, ttg::MemDescType type) {
  int64_t place = index;
  for (auto [interval, padding] : ttg::gapsOf(type.getEncoding()))
    place += index / interval * padding;
  return place * tt::bytesInMemory(type.getElementType());
}

/// The first and the last element of its buffer that a view of type `type` at
/// `offsets` reaches.
static std::optional<std::pair<int64_t, int64_t>>
elementsOf(ttg::MemDescType type, ArrayRef<int64_t> offsets) {
  LinearLayout buffer = ttg::toLinearLayout(type);
  StringAttr inBuffer = ttg::LayoutDims(type.getContext()).offset;
  LinearLayout offsetOf = buffer.pseudoinvert();
  // What comes before the dimensions of the layout counts whole buffers.
  const size_t rings = offsets.size() - offsetOf.getInDimNames().size();
  int64_t first = 0, last = 0, buffers = 1;
  for (size_t dim = rings; dim-- > 0;) {
    first += offsets[dim] * buffers;
    last += (offsets[dim] + type.getShape()[dim] - 1) * buffers;
    buffers *= type.getAllocShape()[dim];
  }
  int64_t begin = 0, inside = 0;
  for (auto [dim, name] : llvm::enumerate(offsetOf.getInDimNames())) {
    const int64_t offset = offsets[rings + dim];
    const int64_t size = type.getShape()[rings + dim];
    if (offset % size || offset + size > offsetOf.getInDimSize(name))
      return std::nullopt;
    for (unsigned bit = 0; bit < offsetOf.getInDimSizeLog2(name); ++bit) {
      const int64_t basis = offsetOf.getBasis(name, bit, inBuffer);
      if (int64_t(1) << bit < size)
        inside |= basis;
      else if (offset >> bit & 1)
        begin ^= basis;
    }
  }
  const int64_t each = buffer.getInDimSize(inBuffer);
  return std::pair(first * each + (begin & ~inside),
                   last * each + (begin | inside));
}

/// Replaces `known`, the source of the view `op`, by the view itself; false if
/// its place is not a constant.
static bool step(KnownView &known, Operation *op) {
  auto source = cast<ttg::MemDescType>(op->getOperand(0).getType());
  auto type = cast<ttg::MemDescType>(op->getResult(0).getType());
  if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
    auto constant = tt::constantOf(index.getIndex());
    if (!constant || *constant < 0 || *constant >= source.getShape()[0])
      return false;
    const int64_t each = ttg::toLinearLayout(type).getInDimSize(
        ttg::LayoutDims(op->getContext()).offset);
    known.base += byteOf((known.offsets[0] + *constant) * each, type);
    known.offsets.erase(known.offsets.begin());
    return true;
  }
  if (auto slice = dyn_cast<ttg::MemDescSubsliceOp>(op)) {
    for (auto [offset, by] : llvm::zip_equal(known.offsets, slice.getOffsets()))
      offset += by;
    return true;
  }
  if (auto trans = dyn_cast<ttg::MemDescTransOp>(op)) {
    known.offsets = llvm::map_to_vector(
        trans.getOrder(), [&](int32_t dim) { return known.offsets[dim]; });
    return true;
  }
  // A whole buffer, or memory that is read as another type.
  auto elements = elementsOf(source, known.offsets);
  if (!elements)
    return false;
  known.base += byteOf(elements->first, source);
  known.offsets.assign(type.getRank(), 0);
  return true;
}

static std::optional<KnownView> findView(Value view) {
  SmallVector<Operation *> views;
  Operation *op = view.getDefiningOp();
  for (; op && !isa<ttg::LocalAllocOp>(op);
       op = op->getOperand(0).getDefiningOp()) {
    if (!isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp,
             ttg::MemDescReshapeOp, ttg::MemDescReinterpretOp>(op))
      return std::nullopt;
    views.push_back(op);
  }
  if (!op)
    return std::nullopt;
  auto rank = cast<ttg::MemDescType>(op->getResult(0).getType()).getRank();
  KnownView known{0, SmallVector<int64_t>(rank, 0)};
  for (Operation *each : llvm::reverse(views))
    if (!step(known, each))
      return std::nullopt;
  return known;
}

std::optional<Interval> memory::reachOf(Value view) {
  auto type = dyn_cast<ttg::MemDescType>(view.getType());
  if (!type || ttg::partitionBytes(type))
    return std::nullopt;
  auto known = findView(view);
  if (!known)
    return std::nullopt;
  auto elements = elementsOf(type, known->offsets);
  if (!elements)
    return std::nullopt;
  return Interval{unsigned(known->base + byteOf(elements->first, type)),
                  unsigned(known->base + byteOf(elements->second, type) +
                           tt::bytesInMemory(type.getElementType()))};
}
