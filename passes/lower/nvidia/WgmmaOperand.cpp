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
  Value half = b.add(lower, b.i32(offset.front().second *
                                  static_cast<int>(elementBytes) / 16));
  return b.bitOr(b.zext(b.intType(64), half),
                 b.i64(static_cast<int64_t>(uint64_t(upper) << 32)));
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

/// The lower half of a descriptor with these constant bits; `start` is an
/// offset in bytes.
static Value lowerHalf(lower::Builder &b, const MemDesc &memory, Value start,
                       uint64_t bits) {
  Value address = b.add(b.ptrtoint(b.intType(32), memory.base), start);
  // 18 bits of address, without the lowest four.
  Value field = b.bitAnd(b.lshr(address, b.i32(4)), b.i32(0x3fff));
  return b.bitOr(field, b.i32(static_cast<int32_t>(bits)));
}

/// An operand whose descriptors have the constant bits of `unit`.
static SharedOperand operandAt(lower::Builder &b, const MemDesc &memory,
                               Value start, const MatrixDescriptor &mode,
                               MatrixUnit unit, const LinearLayout &offsetOf,
                               StringAttr outer, StringAttr k,
                               unsigned elementBytes) {
  uint64_t bits =
      unit == MatrixUnit::Wgmma ? mode.bits() : mode.tensorCoreBits();
  return {mode,
          offsetOf,
          outer,
          k,
          elementBytes,
          lowerHalf(b, memory, start, bits),
          static_cast<uint32_t>(bits >> 32)};
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
  return operandAt(b, memory, start, *mode, unit, offsetOf, outer, k, bytes);
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
  return operandAt(b, memory, start, *mode, MatrixUnit::Tcgen05, offsetOf, row,
                   col, bytes);
}
