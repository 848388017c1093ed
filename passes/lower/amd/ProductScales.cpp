//===- ProductScales.cpp - Operands and scales of tt.dot_scaled -----------===//

#include "passes/lower/amd/ProductScales.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

Side Side::of(RankedTensorType type, MatrixElement element, unsigned k) {
  LinearLayout layout = ttg::toLinearLayout(type);
  const unsigned outer = 2 * type.getRank() - 3 - k;
  if (bitsOf(element) != 4)
    return {element, outer, k, layout};
  ttg::LayoutDims names(type.getContext());
  std::vector<LinearLayout::Bases> bases;
  for (const LinearLayout::Dim &in : layout.getInDims()) {
    std::vector<std::vector<int32_t>> all = layout.getBases(in.name);
    for (std::vector<int32_t> &basis : all)
      basis[k] *= 2;
    if (in.name == names.reg) {
      std::vector<int32_t> second(type.getRank());
      second[k] = 1;
      all.insert(all.begin(), second);
    }
    bases.emplace_back(in.name, std::move(all));
  }
  SmallVector<LinearLayout::NamedValue> outs = layout.getOutDimSizes();
  outs[k].second *= 2;
  std::string error;
  return {element, outer, k, *LinearLayout::create(bases, outs, error)};
}

int32_t Side::numRegisters() const {
  return layout.getInDimSize(
      ttg::LayoutDims(layout.getOutDims()[0].name.getContext()).reg);
}

static SmallVector<int32_t> coordinates(const LinearLayout &layout,
                                        unsigned r) {
  ttg::LayoutDims names(layout.getOutDims()[0].name.getContext());
  return llvm::map_to_vector(
      layout.apply({{names.reg, static_cast<int32_t>(r)}}),
      [](const auto &named) { return named.second; });
}

Place lower::placeOf(const Side &side, unsigned r) {
  return Place::of(coordinates(side.layout, r), side.outer, side.k);
}

bool lower::keepsBlocks(const Side &side, const MatrixFragment &fragment,
                        ArrayRef<unsigned> registers, int32_t perScale) {
  ttg::LayoutDims names(side.layout.getOutDims()[0].name.getContext());
  auto agrees = [&](const FragmentBit &bit, int32_t step) {
    const int32_t own = int32_t(1) << bit.log2;
    return bit.dim != 'k' || (own < perScale ? step < perScale : step == own);
  };
  const Place first = placeOf(side, registers[0]);
  for (auto [i, bit] : llvm::enumerate(fragment.registerBits())) {
    const unsigned r = registers[size_t{1} << i];
    // One beyond the end of K is zero.
    if (int32_t(r) >= side.numRegisters())
      continue;
    const Place step = placeOf(side, r) ^ first;
    if (!agrees(bit, step.k) ||
        (bit.dim != 'k' && step.outer != int32_t(1) << bit.log2))
      return false;
  }
  for (auto [i, bit] : llvm::enumerate(fragment.laneBits())) {
    const int32_t step = side.layout.getBasis(names.lane, i)[side.k];
    // Lanes beyond the end of K are idle.
    if (step && !agrees(bit, step))
      return false;
  }
  return true;
}

std::optional<Scales> Scales::of(lower::Builder &b, Value tensor, Value packed,
                                 const Side &side,
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
        Place::of(coordinates(layout, r), rank - 2, rank - 1), r);
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
