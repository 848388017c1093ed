//===- MemDesc.cpp - Descriptors of shared memory in LLVM -----------------===//

#include "passes/lower/support/MemDesc.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/Indices.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

MemDesc MemDesc::unpack(lower::Builder &b, Value packed) {
  SmallVector<Value> fields = b.splitStruct(packed);
  return {fields.front(), SmallVector<Value>(llvm::drop_begin(fields))};
}

Value MemDesc::pack(lower::Builder &b) const {
  SmallVector<Value> fields{base};
  fields.append(offsets);
  return b.makeStruct(fields);
}

/// Where in `space` the window of `type` begins that `offsets` say, an offset
/// per dimension of its layout.
static Value startIn(lower::Builder &b, StringAttr space, ValueRange offsets,
                     ttg::MemDescType type) {
  LinearLayout placeOf = ttg::toLinearLayout(type).pseudoinvert();
  SmallVector<std::pair<StringAttr, Value>> place;
  for (auto [dim, offset] : llvm::zip_equal(placeOf.getInDimNames(), offsets))
    if (tt::constantOf(offset) != 0)
      place.push_back({dim, offset});
  return place.empty()
             ? Value()
             : applyLayout(b,
                           placeOf.sublayout(placeOf.getInDimNames(), {space}),
                           place)
                   .front();
}

Value lower::windowStart(lower::Builder &b, const MemDesc &memory,
                         ttg::MemDescType type) {
  ttg::LayoutDims names(b.getContext());
  LinearLayout buffer = ttg::toLinearLayout(type);
  // What comes before the dimensions of the layout counts whole buffers.
  ArrayRef<Value> offsets = memory.offsets;
  size_t rings = offsets.size() - buffer.getOutDims().size();
  Value start = startIn(b, names.offset, offsets.drop_front(rings), type);
  if (!start)
    start = b.i32(0);
  int64_t buffers = buffer.getInDimSize(names.offset);
  for (size_t dim = rings; dim-- > 0;) {
    start =
        b.add(start, b.mul(offsets[dim], b.i32(static_cast<int32_t>(buffers))));
    buffers *= type.getAllocShape()[dim];
  }
  return withGaps(b, start, ttg::gapsOf(type.getEncoding()));
}

/// The bits of `space` that the start of a window may set; `placeOf` gives
/// where an element of the buffer around it is.
static int32_t windowMaskOf(const LinearLayout &placeOf, ValueRange offsets,
                            ttg::MemDescType type, StringAttr space) {
  int32_t mask = 0;
  if (!placeOf.hasOutDim(space))
    return mask;
  for (auto [dim, offset, size] :
       llvm::zip_equal(placeOf.getInDimNames(), offsets,
                       type.getShape().take_back(offsets.size())))
    if (tt::constantOf(offset) != 0)
      for (unsigned bit = llvm::Log2_64(size);
           bit < placeOf.getInDimSizeLog2(dim); ++bit)
        mask |= placeOf.getBasis(dim, bit, space);
  return mask;
}

WindowPlace lower::placeOfWindow(lower::Builder &b, const MemDesc &memory,
                                 ttg::MemDescType type) {
  ttg::LayoutDims names(b.getContext());
  LinearLayout placeOf = ttg::toLinearLayout(type).pseudoinvert();
  auto offsets =
      ArrayRef<Value>(memory.offsets).take_back(placeOf.getInDims().size());
  // A window begins at a multiple of its size, so that its offset and those
  // inside it have no bits in common in the tensor, nor, by linearity, in
  // memory.
  WindowPlace place{startIn(b, names.offset, offsets, type),
                    windowMaskOf(placeOf, offsets, type, names.offset),
                    {}};
  if (windowMaskOf(placeOf, offsets, type, names.block))
    place.owner = startIn(b, names.block, offsets, type);
  return place;
}

FailureOr<SharedPlaces> lower::placesIn(lower::Builder &b, Operation *op,
                                        RankedTensorType tensor,
                                        const MemDesc &memory,
                                        ttg::MemDescType type) {
  if (type.getRank() != tensor.getRank())
    return op->emitOpError(
        "accesses a ring of buffers; select one with ttg.memdesc_index first");
  const auto parts = ttg::partitionBytes(type);
  if (parts && !isa<ttg::LocalAllocOp, ttg::LocalLoadOp, ttg::LocalStoreOp,
                    amdg::LocalLoadPackedTransposedOp>(op))
    return op->emitOpError("accesses a partitioned_shared buffer, which is not "
                           "lowered yet");
  ttg::LayoutDims names(op->getContext());
  LinearLayout buffer = ttg::toLinearLayout(type);
  LinearLayout registers = ttg::toLinearLayout(tensor);
  SmallVector<LinearLayout::NamedValue> sizes = buffer.getOutDimSizes();
  for (auto [name, size] : sizes)
    registers = registers.resizeOut(name, size);
  std::optional<LinearLayout> map = registers.invertAndCompose(buffer);
  if (!map)
    return op->emitOpError("needs elements that the buffer does not hold");
  SmallVector<StringAttr> ins = map->getInDimNames();
  const int32_t copiesMask =
      buffer.getZeroMask(names.block) & ~registers.getZeroMask(names.block);
  bool isOther = false;
  for (StringAttr in : ins)
    for (unsigned bit = 0; bit < map->getInDimSizeLog2(in); ++bit)
      isOther |= map->hasOutDim(names.block) &&
                 map->getBasis(in, bit, names.block) !=
                     (in == names.block ? (1 << bit) & ~copiesMask : 0);
  const WindowPlace window = placeOfWindow(b, memory, type);
  isOther |= bool(window.owner);
  if (isOther && parts)
    return op->emitOpError("accesses a partitioned_shared buffer of another "
                           "CTA, which is not lowered yet");
  if (isOther &&
      !isa<ttg::LocalAllocOp, ttg::LocalLoadOp, ttg::LocalStoreOp>(op))
    return op->emitOpError("accesses shared memory of another CTA, which its "
                           "instructions cannot reach; ttg.local_load and "
                           "ttg.local_store can");
  if (parts && window.offset)
    return op->emitOpError("accesses a window of a partitioned_shared "
                           "buffer, which is not lowered yet");

  SharedPlaces places{
      map->sublayout(ins, {names.offset}), memory.base, {}, 0, {}};
  places.window = window.offset;
  places.windowMask = window.mask;
  places.ownerWindow = window.owner;
  places.gaps = ttg::gapsOf(type.getEncoding());
  if (isOther) {
    places.owner = map->sublayout(ins, {names.block});
    places.copiesMask = copiesMask;
  }
  if (parts) {
    places.owner =
        map->sublayout(ins, {StringAttr::get(op->getContext(), "partition")});
    places.partStride = static_cast<int32_t>(parts->stride);
  }
  return places;
}
