//===- MemDescViews.cpp - Views of memory ---------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttg/TTG.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

Value ttg::lookThroughViews(Value memory) {
  // Broken IR may go in circles.
  for (unsigned steps = 0; steps < 1000; ++steps) {
    Operation *op = memory.getDefiningOp();
    if (!op || !op->hasTrait<MemDescView>() || op->getNumOperands() == 0)
      break;
    memory = op->getOperand(0);
  }
  return memory;
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// The rank that the layout covers is a window of its allocation.
static bool isWindow(MemDescType memory) {
  return dropPipeliningDim(memory.getShape(), memory.getEncoding()) !=
         dropPipeliningDim(memory.getAllocShape(), memory.getEncoding());
}

static LogicalResult verifySameSpace(Operation *op, MemDescType src,
                                     MemDescType dst) {
  if (src.getMemorySpace() == dst.getMemorySpace())
    return success();
  return op->emitOpError() << "views " << src.getMemorySpace() << " as "
                           << dst.getMemorySpace()
                           << "; the memory space must stay the same";
}

/// A view of the whole keeps the memory space and whether it may be written.
static LogicalResult verifySameMemory(Operation *op, MemDescType src,
                                      MemDescType dst) {
  if (failed(verifySameSpace(op, src, dst)))
    return failure();
  if (src.getMutableMemory() != dst.getMutableMemory())
    return op->emitOpError() << "views " << src << " as " << dst
                             << "; both must be mutable, or neither";
  return success();
}

static PaddedSharedEncodingAttr paddingOf(MemDescType memory) {
  return dyn_cast<PaddedSharedEncodingAttr>(memory.getEncoding());
}

/// The layout of the allocation, without its ring, or an error on the op.
static std::optional<LinearLayout> allocationLayout(Operation *op,
                                                    MemDescType memory) {
  std::string error;
  auto layout = toLinearLayout(
      dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  if (!layout)
    op->emitOpError() << "has memory " << memory << ": " << error;
  return layout;
}

//===----------------------------------------------------------------------===//
// Index
//===----------------------------------------------------------------------===//

LogicalResult MemDescIndexOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifySameSpace(*this, src, dst)))
    return failure();
  if (src.getElementType() != dst.getElementType() ||
      src.getEncoding() != dst.getEncoding())
    return emitOpError() << "indexes " << src << " but returns " << dst
                         << "; element type and layout must be equal";
  if (src.getRank() != dst.getRank() + 1 ||
      src.getShape().drop_front() != dst.getShape())
    return emitOpError()
           << "indexes shape [" << src.getShape() << "] but returns ["
           << dst.getShape()
           << "]; it must drop the first dimension and keep the others";
  if (int64_t(src.getAllocShape().size()) != src.getRank())
    return emitOpError()
           << "indexes a single buffer; it needs a ring of buffers";
  if (isWindow(src))
    return emitOpError() << "indexes a window [" << src.getShape() << "] of ["
                         << src.getAllocShape()
                         << "]; it needs a whole ring of buffers";
  if (dst.getAllocShape() != dst.getShape())
    return emitOpError() << "returns a window [" << dst.getShape() << "] of ["
                         << dst.getAllocShape()
                         << "]; the two shapes must be equal";
  return success();
}

//===----------------------------------------------------------------------===//
// Subslice
//===----------------------------------------------------------------------===//

OpFoldResult MemDescSubsliceOp::fold(FoldAdaptor) {
  auto outer = getSrc().getDefiningOp<MemDescSubsliceOp>();
  if (!outer)
    return {};
  SmallVector<int32_t> offsets;
  for (auto [a, b] : llvm::zip_equal(outer.getOffsets(), getOffsets()))
    offsets.push_back(a + b);
  getSrcMutable().assign(outer.getSrc());
  setOffsets(offsets);
  return getResult();
}

/// The cut must not divide elements that the layout mixes: the image of every
/// bit above the window, along every cut dimension, is one bit of the offset.
static LogicalResult verifyCut(MemDescSubsliceOp op, size_t ring) {
  MemDescType src = op.getSrc().getType(), dst = op.getType();
  auto layout = allocationLayout(op, src);
  if (!layout)
    return failure();
  if (ring != 0 && paddingOf(src))
    return op.emitOpError()
           << "slices padded memory of " << counted(src.getRank(), "dimension")
           << " whose layout has " << src.getRank() - ring
           << "; select one buffer of the ring first";
  LinearLayout inverse = layout->pseudoinvert();
  auto dims = tensorDims(op.getContext(), src.getRank() - ring);
  auto offset = StringAttr::get(op.getContext(), "offset");
  for (auto [i, name] : llvm::enumerate(dims))
    for (int64_t bit = dst.getDimSize(ring + i); bit < src.getDimSize(ring + i);
         bit *= 2)
      if (int32_t moved = inverse.getBasis(name, llvm::Log2_64(bit), offset);
          moved != 0 && !llvm::isPowerOf2_32(moved))
        return op.emitOpError()
               << "slices dimension " << ring + i << " at " << bit
               << ", which divides the swizzle of " << src.getEncoding();
  return success();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifySameSpace(*this, src, dst)))
    return failure();
  if (!isa<SharedEncodingTrait>(src.getEncoding()))
    return emitOpError() << "slices shared memory, not " << src;
  bool saysNothing =
      dst.getAllocShape() == dst.getShape() && isOlderDump(*this);
  if (src.getElementType() != dst.getElementType() ||
      src.getEncoding() != dst.getEncoding() ||
      (src.getAllocShape() != dst.getAllocShape() && !saysNothing))
    return emitOpError()
           << "slices " << src << " but returns " << dst
           << "; element type, layout and allocation shape must be equal";
  ArrayRef<int32_t> offsets = getOffsets();
  if (src.getRank() != dst.getRank() ||
      int64_t(offsets.size()) != src.getRank())
    return emitOpError() << "slices memory of "
                         << counted(src.getRank(), "dimension") << " with "
                         << counted(offsets.size(), "offset")
                         << " to a result of rank " << dst.getRank();
  size_t ring = src.getRank() -
                dropPipeliningDim(src.getShape(), src.getEncoding()).size();
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    int64_t whole = src.getDimSize(dim), part = dst.getDimSize(dim);
    if (offset < 0 || part > whole || offset > whole - part)
      return emitOpError() << "slices " << counted(part, "element")
                           << " at offset " << offset << " of dimension " << dim
                           << ", whose size is " << whole;
    if (dim >= ring && offset % part != 0)
      return emitOpError() << "slices dimension " << dim << " at offset "
                           << offset
                           << "; it must be a multiple of the slice's size, "
                           << part;
  }
  if (src.getShape() == dst.getShape())
    return success();
  return verifyCut(*this, ring);
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

OpFoldResult MemDescTransOp::fold(FoldAdaptor) {
  if (llvm::is_sorted(getOrder()) && getSrc().getType() == getType())
    return getSrc();
  auto inner = getSrc().getDefiningOp<MemDescTransOp>();
  if (!inner)
    return {};
  SmallVector<int32_t> order;
  for (int32_t dim : getOrder())
    order.push_back(inner.getOrder()[dim]);
  getSrcMutable().assign(inner.getSrc());
  setOrder(order);
  return getResult();
}

LogicalResult MemDescTransOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  ArrayRef<int32_t> order = getOrder();
  if (failed(verifySameMemory(*this, src, dst)))
    return failure();
  SmallVector<unsigned> dims(order.begin(), order.end());
  if (int64_t(order.size()) != src.getRank() || !isPermutation(dims))
    return emitOpError() << "has order [" << order
                         << "]; it must be a permutation of ["
                         << ArrayRef<int32_t>(llvm::to_vector(
                                llvm::seq<int32_t>(src.getRank())))
                         << "]";
  auto permuted = [&](ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> result(sizes.drop_back(order.size()));
    ArrayRef<int64_t> last = sizes.take_back(order.size());
    for (int32_t dim : order)
      result.push_back(last[dim]);
    return result;
  };
  SmallVector<int64_t> shape = permuted(src.getShape());
  SmallVector<int64_t> allocShape = permuted(src.getAllocShape());
  if (dst.getShape() != ArrayRef(shape) ||
      dst.getAllocShape() != ArrayRef(allocShape))
    return emitOpError() << "returns shape [" << dst.getShape() << "] of ["
                         << dst.getAllocShape() << "]; with order [" << order
                         << "] it must be [" << shape << "] of [" << allocShape
                         << "]";
  const tt::LayoutInterface *layouts =
      tt::getLayoutInterface(src.getEncoding());
  if (!layouts)
    return success();
  auto inferred =
      layouts->inferTrans(src.getEncoding(), src.getShape(), order, getLoc());
  if (failed(inferred))
    return failure();
  if (!layouts->areEquivalent(shape, *inferred, dst.getEncoding(),
                              /*ignoreRegisterBroadcast=*/false))
    return emitOpError() << "returns the layout " << dst.getEncoding()
                         << "; the transposed source has " << *inferred;
  return success();
}

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

LogicalResult MemDescReshapeOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifySameMemory(*this, src, dst)))
    return failure();
  if (product(src.getShape()) != product(dst.getShape()))
    return emitOpError() << "reshapes [" << src.getShape() << "] to ["
                         << dst.getShape()
                         << "]; both need the same number of elements";
  if (src.getAllocShape().take_back(src.getRank()) != src.getShape())
    return emitOpError() << "reshapes a window [" << src.getShape() << "] of ["
                         << src.getAllocShape()
                         << "]; it must be a whole buffer";
  SmallVector<int64_t> allocShape(src.getAllocShape().drop_back(src.getRank()));
  allocShape.append(dst.getShape().begin(), dst.getShape().end());
  if (dst.getAllocShape() != ArrayRef(allocShape))
    return emitOpError() << "returns the allocation shape ["
                         << dst.getAllocShape() << "]; it must be ["
                         << allocShape << "]";
  const tt::LayoutInterface *layouts =
      tt::getLayoutInterface(src.getEncoding());
  if (!layouts)
    return success();
  auto inferred = layouts->inferReshape(src.getEncoding(), src.getShape(),
                                        dst.getShape(), dst.getEncoding(),
                                        /*allowReorder=*/false, getLoc());
  if (failed(inferred))
    return failure();
  if (*inferred != dst.getEncoding())
    return emitOpError() << "returns the layout " << dst.getEncoding()
                         << "; the reshaped source has " << *inferred;
  return success();
}

//===----------------------------------------------------------------------===//
// Reinterpret
//===----------------------------------------------------------------------===//

OpFoldResult MemDescReinterpretOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? getSrc() : Value();
}

/// Gaps must lie at the same bytes before and after.
static LogicalResult verifySameGaps(Operation *op, MemDescType src,
                                    MemDescType dst) {
  if (!paddingOf(src) && !paddingOf(dst))
    return success();
  auto gaps = [](MemDescType memory) {
    SmallVector<std::pair<int64_t, int64_t>> bytes;
    const int64_t size = tt::bytesInMemory(memory.getElementType());
    if (auto padded = paddingOf(memory))
      for (auto [interval, padding] :
           llvm::zip_equal(padded.getIntervals(), padded.getPaddings()))
        bytes.emplace_back(interval * size, padding * size);
    llvm::sort(bytes);
    return bytes;
  };
  if (gaps(src) != gaps(dst))
    return op->emitOpError()
           << "reinterprets memory with different padding: " << src << " as "
           << dst;
  if (isWindow(src))
    return op->emitOpError()
           << "reinterprets a window of padded memory: " << src;
  return success();
}

LinearLayout ttg::cropToWindow(const LinearLayout &allocation,
                               MemDescType memory) {
  ArrayRef<int64_t> shape =
      dropPipeliningDim(memory.getShape(), memory.getEncoding());
  SmallVector<LinearLayout::Bases> cropped;
  for (StringAttr in : allocation.getInDimNames()) {
    auto bases = allocation.getBases(in);
    for (auto &basis : bases)
      for (auto [value, size] : llvm::zip_equal(basis, shape))
        if (value >= size) {
          basis.assign(basis.size(), 0);
          break;
        }
    cropped.emplace_back(in, std::move(bases));
  }
  std::string error;
  auto layout =
      LinearLayout::create(cropped, allocation.getOutDimSizes(), error);
  return layout ? *layout : allocation;
}

int64_t ttg::ownedPlaces(const LinearLayout &allocation, MemDescType window,
                         StringAttr place) {
  LinearLayout inverse = allocation.pseudoinvert();
  ArrayRef<int64_t> shape =
      dropPipeliningDim(window.getShape(), window.getEncoding());
  unsigned bits = allocation.getInDimSizeLog2(place);
  // Places reached, as vectors reduced so that each has its own highest bit.
  SmallVector<uint64_t> basis(bits, 0);
  auto add = [&](uint64_t vector) {
    for (unsigned bit = bits; bit-- > 0 && vector;)
      if (vector >> bit & 1) {
        if (!basis[bit]) {
          basis[bit] = vector;
          return;
        }
        vector ^= basis[bit];
      }
  };
  for (auto [name, size] : llvm::zip_equal(inverse.getInDimNames(), shape))
    for (unsigned bit = 0; (int64_t(1) << bit) < size; ++bit)
      add(inverse.getBasis(name, bit, place));
  for (unsigned bit = 0; bit < bits; ++bit)
    if (llvm::all_of(allocation.getBasis(place, bit),
                     [](int32_t value) { return value == 0; }))
      add(uint64_t(1) << bit);
  unsigned owned = 0;
  while (owned < bits && basis[owned])
    ++owned;
  return int64_t(1) << owned;
}

/// What lies in other CTAs cannot be seen as something else.
static LogicalResult verifySameCTAs(Operation *op, MemDescType window) {
  auto allocation = allocationLayout(op, window);
  if (!allocation)
    return failure();
  ArrayRef<int64_t> shape =
      dropPipeliningDim(window.getShape(), window.getEncoding());
  for (const auto &basis :
       allocation->getBases(LayoutDims(op->getContext()).block))
    for (auto [value, size] : llvm::zip_equal(basis, shape))
      if (value >= size)
        return withOrigin(
            op->emitOpError()
                << "reinterprets a window [" << window.getShape() << "] of ["
                << window.getAllocShape()
                << "] of which some CTAs hold no part; elements from " << value
                << " on are in another CTA",
            op->getOperand(0), "the window");
  return success();
}

LogicalResult MemDescReinterpretOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(verifySameMemory(*this, src, dst)))
    return failure();
  if (isWindow(dst))
    return emitOpError() << "returns a window [" << dst.getShape() << "] of ["
                         << dst.getAllocShape()
                         << "]; it must be a whole buffer";
  if (failed(verifySameCTAs(*this, src)))
    return failure();
  // The rules of other memory are in its own layouts.
  if (auto memory = dyn_cast<MemoryEncodingTrait>(src.getEncoding()))
    return memory.verifyReinterpret(*this, src, dst);
  if (!isa<SharedEncodingTrait>(dst.getEncoding()) ||
      isa<PartitionedSharedEncodingAttr>(src.getEncoding()) ||
      isa<PartitionedSharedEncodingAttr>(dst.getEncoding()))
    return emitOpError() << "cannot reinterpret " << src << " as " << dst;
  if (failed(verifySameGaps(*this, src, dst)))
    return failure();

  auto from = allocationLayout(*this, src), to = allocationLayout(*this, dst);
  if (!from || !to)
    return failure();
  auto offset = StringAttr::get(getContext(), "offset");
  auto bytes = [&](const LinearLayout &layout, MemDescType memory) {
    int64_t ring = product(memory.getShape().drop_back(
        dropPipeliningDim(memory.getShape(), memory.getEncoding()).size()));
    return ring * layout.getInDimSize(offset) *
           tt::bytesInMemory(memory.getElementType());
  };
  int64_t have = bytes(*from, src), need = bytes(*to, dst);
  if (isWindow(src))
    if (int64_t owned = ownedPlaces(*from, src, offset);
        owned != from->getInDimSize(offset))
      have = owned * tt::bytesInMemory(src.getElementType());
  if (need > have)
    return withOrigin(emitOpError()
                          << "needs " << need << " bytes; the source has "
                          << have << " in one contiguous piece",
                      getSrc(), "the source");
  return success();
}
