//===- WgmmaOperand.cpp - Operands of wgmma in shared memory --------------===//

#include "passes/lower/nvidia/WgmmaOperand.h"
#include "dialects/ttg/Layouts.h"
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

std::optional<SharedOperand> lower::describe(lower::Builder &b, Value packed,
                                             ttg::MemDescType type,
                                             unsigned kDim, Value groupPlace,
                                             unsigned outerSize,
                                             unsigned kSize) {
  ttg::LayoutDims names(b.getContext());
  LinearLayout offsetOf = ttg::toLinearLayout(type).pseudoinvert();
  offsetOf = offsetOf.sublayout(offsetOf.getInDimNames(), {names.offset});
  SmallVector<StringAttr> dims = ttg::tensorDims(b.getContext(), 2);
  StringAttr k = dims[kDim], outer = dims[1 - kDim];
  unsigned bytes = tt::bytesInMemory(type.getElementType());
  auto mode = describeOperand(offsetOf, outer, k, bytes, outerSize, kSize);
  if (!mode)
    return std::nullopt;

  MemDesc memory = MemDesc::unpack(b, packed);
  SmallVector<std::pair<StringAttr, Value>> place;
  for (auto [dim, offset] : llvm::zip_equal(dims, memory.offsets))
    place.push_back({dim, dim == outer ? b.add(offset, groupPlace) : offset});
  Value start = b.mul(applyLayout(b, offsetOf, place).front(),
                      b.i32(static_cast<int32_t>(bytes)));
  Value address = b.add(b.ptrtoint(b.intType(32), memory.base), start);
  // 18 bits of address, without the lowest four.
  Value field = b.bitAnd(b.lshr(address, b.i32(4)), b.i32(0x3fff));
  Value first = b.bitOr(b.zext(b.intType(64), field),
                        b.i64(static_cast<int64_t>(mode->bits())));
  return SharedOperand{*mode, offsetOf, outer, k, bytes, first};
}
