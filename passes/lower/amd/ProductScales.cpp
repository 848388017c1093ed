//===- ProductScales.cpp - Operands and scales of tt.dot_scaled -----------===//

#include "passes/lower/amd/ProductScales.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

std::optional<Scales> Scales::of(lower::Builder &b, Value tensor, Value packed,
                                 const ScaledOperand &side,
                                 const MatrixFragment &fragment, bool isMfma,
                                 int32_t perScale) {
  Scales scales(isMfma, perScale);
  if (!tensor)
    return scales;
  auto type = cast<RankedTensorType>(tensor.getType());
  LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(b.getContext());
  const auto rank = static_cast<unsigned>(type.getRank());
  auto ownBasis = [&](StringAttr in, unsigned bit) {
    return Place::of(layout.getBasis(in, bit), rank - 2, rank - 1);
  };
  auto dataBasis = [&](StringAttr in, unsigned bit) {
    return Place::of(side.layout.getBasis(in, bit), side.outer, side.k);
  };
  scales.numBlocks = static_cast<int32_t>(type.getDimSize(rank - 1));
  const bool hasRowsInRegisters =
      llvm::any_of(fragment.registerBits(),
                   [](const FragmentBit &bit) { return bit.dim != 'k'; });
  int32_t block = 1;
  for (auto [i, bit] : llvm::enumerate(fragment.laneBits())) {
    const Place basis = ownBasis(names.lane, i);
    if (bit.dim != 'k') {
      if (basis != Place{0, dataBasis(names.lane, i).outer, 0})
        return std::nullopt;
    } else if (isMfma) {
      if (block < scales.numBlocks && basis != Place{0, 0, block})
        return std::nullopt;
      block *= 2;
    } else {
      // Of 32 rows all lanes give the scales.
      if (hasRowsInRegisters && basis != Place{0, 16, 0})
        return std::nullopt;
      scales.otherHalf = basis;
    }
  }
  for (StringAttr in : {names.warp, names.block})
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(in); ++bit)
      if (dataBasis(in, bit).k != 0 || ownBasis(in, bit) != dataBasis(in, bit))
        return std::nullopt;
  for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r)
    scales.registers.try_emplace(
        Place::of(coordinatesOf(layout, r), rank - 2, rank - 1), r);
  scales.elements = unpackElements(b, packed);
  for (Value &element : scales.elements)
    element = b.toBits(element);
  if (!type.getElementType().isInteger())
    scales.format = 2;
  return scales;
}

ScaleOperand Scales::at(lower::Builder &b, Place place) const {
  if (areAbsent())
    return {wordOf(
        b, SmallVector<Value>(blocks(), b.intConstant(b.intType(8), 0x7F)))};
  place.k /= perScale;
  return isMfma ? byteAt(b, place) : blocksAt(b, place);
}

ScaleOperand Scales::byteAt(lower::Builder &b, Place place) const {
  auto found = registers.find(place);
  if (found == registers.end())
    return {};
  // Four registers in a row share a word, so that instructions do, too.
  const size_t first = found->second & ~3u;
  return {wordOf(b, ArrayRef(elements).drop_front(first).take_front(4)),
          static_cast<int32_t>(found->second & 3u)};
}

ScaleOperand Scales::blocksAt(lower::Builder &b, Place place) const {
  for (int32_t half : {0, 1}) {
    SmallVector<Value> bytes;
    for (int32_t block = 0; block < blocks(); ++block) {
      Place at = place;
      at.k += block;
      auto found = registers.find(half ? at ^ otherHalf : at);
      // Beyond the end of K all elements are zero.
      if (at.k >= numBlocks)
        bytes.push_back(b.zero(b.intType(8)));
      else if (found != registers.end())
        bytes.push_back(elements[found->second]);
    }
    if (int32_t(bytes.size()) == blocks())
      return {wordOf(b, bytes), half, format};
  }
  return {};
}

Value Scales::wordOf(lower::Builder &b, ArrayRef<Value> bytes) const {
  SmallVector<Value> all(bytes);
  all.resize(blocks(), b.zero(b.intType(8)));
  return joinBits(b, all, b.intType(8 * blocks()));
}
