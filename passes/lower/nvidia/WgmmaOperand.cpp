//===- WgmmaOperand.cpp - Operands of wgmma in shared memory --------------===//

#include "passes/lower/nvidia/WgmmaOperand.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/CopyParts.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

Value SharedOperand::at(lower::Builder &b, unsigned outerPlace,
                        unsigned kPlace) const {
  auto offset = offsetOf.apply({{outer, static_cast<int32_t>(outerPlace)},
                                {k, static_cast<int32_t>(kPlace)}});
  return b.add(first, b.i64(offset.front().second * elementBytes / 16));
}

LogicalResult lower::checkInOwnCTA(Operation *op, ttg::MemDescType type) {
  auto parts = ttng::divideCopy(type);
  if (!parts || !parts->inOneCTA)
    return success();
  return op->emitOpError("reads a window that one CTA has in its memory, ")
         << type
         << ", in all CTAs; its instructions read only the memory of their own";
}

/// Where the elements of a buffer are: from indices to the offset.
static LinearLayout offsetsOf(ttg::MemDescType type) {
  LinearLayout inverse = ttg::toLinearLayout(type).pseudoinvert();
  return inverse.sublayout(inverse.getInDimNames(),
                           {ttg::LayoutDims(type.getContext()).offset});
}

/// e2m1 values with gaps: 16 of them, in 8 bytes, take 16. The matrix unit
/// counts them as if each had a byte.
static LinearLayout withoutGaps(const LinearLayout &offsetOf, StringAttr k) {
  constexpr unsigned gapBit = 3;
  std::vector<LinearLayout::Bases> bases;
  for (StringAttr dim : offsetOf.getInDimNames()) {
    auto own = offsetOf.getBases(dim);
    if (dim == k && own.size() >= gapBit) {
      own.erase(own.begin(), own.begin() + gapBit);
      own.insert(own.begin(), {{1}, {2}, {4}, {8}});
    }
    bases.push_back({dim, own});
  }
  std::string error;
  auto made = LinearLayout::create(bases, offsetOf.getOutDimSizes(), error);
  return made ? *made : offsetOf;
}

/// The descriptor's constant part and address; `start` is an offset in bytes.
static Value firstOf(lower::Builder &b, const MemDesc &memory, Value start,
                     uint64_t bits) {
  Value address = b.add(b.ptrtoint(b.intType(32), memory.base), start);
  // 18 bits of address, without the lowest four.
  Value field = b.bitAnd(b.lshr(address, b.i32(4)), b.i32(0x3fff));
  return b.bitOr(b.zext(b.intType(64), field),
                 b.i64(static_cast<int64_t>(bits)));
}

std::optional<SharedOperand> lower::describe(lower::Builder &b, Value packed,
                                             ttg::MemDescType type,
                                             unsigned kDim, Value groupPlace,
                                             unsigned outerSize, unsigned kSize,
                                             MatrixUnit unit) {
  LinearLayout offsetOf = offsetsOf(type);
  SmallVector<StringAttr> dims = ttg::tensorDims(b.getContext(), 2);
  StringAttr k = dims[kDim], outer = dims[1 - kDim];
  unsigned bytes = tt::bytesInMemory(type.getElementType());
  MemDesc memory = MemDesc::unpack(b, packed);
  SmallVector<std::pair<StringAttr, Value>> place;
  for (auto [dim, offset] : llvm::zip_equal(dims, memory.offsets))
    place.push_back({dim, dim == outer ? b.add(offset, groupPlace) : offset});
  Value start = b.mul(applyLayout(b, offsetOf, place).front(),
                      b.i32(static_cast<int32_t>(bytes)));
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
  if (layout && layout.getFp4Padded())
    offsetOf = withoutGaps(offsetOf, k);
  auto mode =
      describeOperand(offsetOf, outer, k, bytes, outerSize, kSize, unit);
  if (!mode)
    return std::nullopt;
  Value first = firstOf(b, memory, start,
                        unit == MatrixUnit::Wgmma ? mode->bits()
                                                  : mode->tensorCoreBits());
  return SharedOperand{*mode, offsetOf, outer, k, bytes, first};
}

std::optional<SharedOperand>
lower::describeThrough(lower::Builder &b, Value packed, ttg::MemDescType type,
                       const LinearLayout &through, StringAttr row,
                       StringAttr col, unsigned rows, unsigned columns) {
  unsigned bytes = tt::bytesInMemory(type.getElementType());
  MemDesc memory = MemDesc::unpack(b, packed);
  LinearLayout offsetOf = through.compose(offsetsOf(type));
  auto mode = describeOperand(offsetOf, row, col, bytes, rows, columns,
                              MatrixUnit::Tcgen05);
  if (!mode)
    return std::nullopt;
  Value start =
      b.mul(windowStart(b, memory, type), b.i32(static_cast<int32_t>(bytes)));
  return SharedOperand{
      *mode, offsetOf, row,
      col,   bytes,    firstOf(b, memory, start, mode->tensorCoreBits())};
}
