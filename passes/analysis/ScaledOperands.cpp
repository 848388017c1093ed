//===- ScaledOperands.cpp - Operands and scales of tt.dot_scaled ----------===//

#include "passes/analysis/ScaledOperands.h"
#include "dialects/ttg/Layouts.h"

using namespace mlir;
using namespace kernelscope;

ScaledOperand ScaledOperand::of(RankedTensorType type, MatrixElement element,
                                unsigned k) {
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

int32_t ScaledOperand::numRegisters() const {
  return layout.getInDimSize(
      ttg::LayoutDims(layout.getOutDims()[0].name.getContext()).reg);
}

SmallVector<int32_t> kernelscope::coordinatesOf(const LinearLayout &layout,
                                                unsigned r) {
  ttg::LayoutDims names(layout.getOutDims()[0].name.getContext());
  return llvm::map_to_vector(
      layout.apply({{names.reg, static_cast<int32_t>(r)}}),
      [](const auto &named) { return named.second; });
}

Place kernelscope::placeOf(const ScaledOperand &operand, unsigned r) {
  return Place::of(coordinatesOf(operand.layout, r), operand.outer, operand.k);
}

bool kernelscope::keepsBlocks(const ScaledOperand &operand,
                              const MatrixFragment &fragment,
                              ArrayRef<unsigned> registers, int32_t perScale) {
  ttg::LayoutDims names(operand.layout.getOutDims()[0].name.getContext());
  auto agrees = [&](const FragmentBit &bit, int32_t step) {
    const int32_t own = int32_t(1) << bit.log2;
    return bit.dim != 'k' || (own < perScale ? step < perScale : step == own);
  };
  const Place first = placeOf(operand, registers[0]);
  for (auto [i, bit] : llvm::enumerate(fragment.registerBits())) {
    const unsigned r = registers[size_t{1} << i];
    // One beyond the end of K is zero.
    if (int32_t(r) >= operand.numRegisters())
      continue;
    const Place step = placeOf(operand, r) ^ first;
    if (!agrees(bit, step.k) ||
        (bit.dim != 'k' && step.outer != int32_t(1) << bit.log2))
      return false;
  }
  for (auto [i, bit] : llvm::enumerate(fragment.laneBits())) {
    const int32_t step = operand.layout.getBasis(names.lane, i)[operand.k];
    // Lanes beyond the end of K are idle.
    if (step && !agrees(bit, step))
      return false;
  }
  return true;
}

std::optional<LinearLayout>
kernelscope::scaleLayout(const ScaledOperand &operand,
                         const MatrixFragment &fragment, MatrixUnit unit,
                         ArrayRef<int64_t> shape, int32_t perScale) {
  const LinearLayout &elements = operand.layout;
  ttg::LayoutDims names(elements.getOutDims()[0].name.getContext());
  const auto rank = static_cast<unsigned>(shape.size());
  const auto numBlocks = static_cast<int32_t>(shape.back());
  const bool isMfma = unit == MatrixUnit::MfmaCdna4;
  using Basis = std::vector<int32_t>;
  // Scales have K as their last dimension.
  auto rowOf = [&](StringAttr in, unsigned bit) {
    const Place place =
        Place::of(elements.getBasis(in, bit), operand.outer, operand.k);
    Basis row(rank);
    if (rank == 3)
      row[0] = place.batch;
    row[rank - 2] = place.outer;
    return row;
  };
  auto blockOf = [&](int32_t block) {
    Basis basis(rank);
    basis.back() = block;
    return basis;
  };
  auto isZero = [](const Basis &basis) {
    return llvm::all_of(basis, [](int32_t step) { return step == 0; });
  };
  std::vector<Basis> rows;
  for (unsigned bit = 0; bit < elements.getInDimSizeLog2(names.reg); ++bit)
    if (Basis row = rowOf(names.reg, bit); !isZero(row))
      rows.push_back(std::move(row));
  std::vector<Basis> registers, lanes, warps, blocks;
  int32_t nextBlock = 1;
  for (auto [i, bit] : llvm::enumerate(fragment.laneBits())) {
    if (bit.dim != 'k') {
      lanes.push_back(rowOf(names.lane, i));
    } else if (isMfma) {
      lanes.push_back(blockOf(nextBlock < numBlocks ? nextBlock : 0));
      nextBlock *= 2;
    } else if (rows.empty()) {
      lanes.push_back(blockOf(0));
    } else {
      lanes.push_back(rows.front());
      rows.erase(rows.begin());
    }
  }
  for (; nextBlock < numBlocks; nextBlock *= 2)
    registers.push_back(blockOf(nextBlock));
  llvm::append_range(registers, rows);
  for (unsigned bit = 0; bit < elements.getInDimSizeLog2(names.warp); ++bit)
    warps.push_back(rowOf(names.warp, bit));
  for (unsigned bit = 0; bit < elements.getInDimSizeLog2(names.block); ++bit)
    blocks.push_back(rowOf(names.block, bit));
  SmallVector<LinearLayout::NamedValue> outs;
  for (auto [name, size] :
       llvm::zip_equal(ttg::tensorDims(names.reg.getContext(), rank), shape))
    outs.emplace_back(name, static_cast<int32_t>(size));
  std::string error;
  return LinearLayout::create({{names.reg, registers},
                               {names.lane, lanes},
                               {names.warp, warps},
                               {names.block, blocks}},
                              outs, error);
}
