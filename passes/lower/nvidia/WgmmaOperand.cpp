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
  LinearLayout offsetOf = ttg::offsetsOf(type);
  SmallVector<StringAttr> dims = ttg::tensorDims(b.getContext(), 2);
  StringAttr k = dims[kDim], outer = dims[1 - kDim];
  unsigned bytes = tt::bytesInMemory(type.getElementType());
  MemDesc memory = MemDesc::unpack(b, packed);
  SmallVector<std::pair<StringAttr, Value>> place;
  for (auto [dim, offset] : llvm::zip_equal(dims, memory.offsets))
    place.push_back({dim, dim == outer ? b.add(offset, groupPlace) : offset});
  Value start = b.mul(applyLayout(b, offsetOf, place).front(),
                      b.i32(static_cast<int32_t>(bytes)));
  offsetOf = ttg::operandOffsetsOf(type, k);
  auto mode =
      describeOperand(offsetOf, outer, k, bytes, outerSize, kSize, unit);
  if (!mode)
    return std::nullopt;
  return operandAt(b, memory, start, *mode, unit, offsetOf, outer, k, bytes);
}

SharedOperand lower::describeThrough(lower::Builder &b, Value packed,
                                     ttg::MemDescType type,
                                     const LinearLayout &offsetOf,
                                     StringAttr row, StringAttr col,
                                     const MatrixDescriptor &mode,
                                     MatrixUnit unit) {
  unsigned bytes = tt::bytesInMemory(type.getElementType());
  MemDesc memory = MemDesc::unpack(b, packed);
  Value start =
      b.mul(windowStart(b, memory, type), b.i32(static_cast<int32_t>(bytes)));
  return operandAt(b, memory, start, mode, unit, offsetOf, row, col, bytes);
}
