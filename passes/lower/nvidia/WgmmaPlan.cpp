//===- WgmmaPlan.cpp - Operands of wgmma, by their layouts ----------------===//

#include "passes/lower/nvidia/WgmmaPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using namespace kernelscope::lower;
using llvm::ArrayRef;
using llvm::Log2_32;
using llvm::SmallVector;
using mlir::StringAttr;

using Bits = SmallVector<FragmentBit>;

/// `registers` are the bits of the register index in the instruction and
/// `lanes` those of the lane's, along the tensor's two dimensions.
static std::optional<WarpGroupTiles>
planWarpGroupTiles(const LinearLayout &layout, ArrayRef<FragmentBit> registers,
                   ArrayRef<FragmentBit> lanes, ArrayRef<char> dims) {
  if (layout.getOutDims().size() != 2)
    return std::nullopt;
  StringAttr dim0 = layout.getOutDimNames()[0];
  ttg::LayoutDims names(dim0.getContext());
  // The four warps of a group hold 16 rows each.
  const FragmentBit warps[] = {{'m', 4}, {'m', 5}};
  unsigned covered[2] = {0, 0};
  auto indexOf = [&](char dim) { return dim == dims[0] ? 0 : 1; };
  for (ArrayRef<FragmentBit> bits : {registers, lanes, ArrayRef(warps)})
    for (FragmentBit bit : bits)
      covered[indexOf(bit.dim)] |= 1u << bit.log2;

  auto holds = [&](StringAttr in, ArrayRef<FragmentBit> bits) {
    if (layout.getInDimSizeLog2(in) < bits.size())
      return false;
    for (auto [i, bit] : llvm::enumerate(bits)) {
      SmallVector<int32_t> basis = layout.getBasis(in, i);
      if (basis[indexOf(bit.dim)] != int32_t(1) << bit.log2 ||
          basis[1 - indexOf(bit.dim)] != 0)
        return false;
    }
    return true;
  };
  if (!holds(names.lane, lanes) || !holds(names.warp, warps))
    return std::nullopt;

  WarpGroupTiles plan;
  constexpr unsigned none = ~0u;
  for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r) {
    SmallVector<LinearLayout::NamedValue> inputs;
    for (StringAttr in : layout.getInDimNames())
      inputs.push_back({in, in == names.reg ? r : 0});
    auto at = layout.apply(inputs);
    unsigned place[2] = {unsigned(at[0].second), unsigned(at[1].second)};
    unsigned index = 0;
    for (auto [i, bit] : llvm::enumerate(registers)) {
      unsigned &coordinate = place[indexOf(bit.dim)];
      if (coordinate >> bit.log2 & 1) {
        index |= 1u << i;
        coordinate &= ~(1u << bit.log2);
      }
    }
    if (place[0] & covered[0] || place[1] & covered[1])
      return std::nullopt;
    auto &tile = plan.tiles[{place[0], place[1]}];
    tile.resize(size_t(1) << registers.size(), none);
    if (tile[index] == none)
      tile[index] = r;
    plan.sources.push_back(tile[index]);
  }
  for (const auto &[place, tile] : plan.tiles)
    if (llvm::is_contained(tile, none))
      return std::nullopt;
  return plan;
}

std::optional<WarpGroupTiles>
lower::planAccumulators(const LinearLayout &layout, unsigned n) {
  Bits registers{{'n', 0}, {'m', 3}};
  for (unsigned log2 = 3; 1u << log2 < n; ++log2)
    registers.push_back({'n', log2});
  return planWarpGroupTiles(layout, registers,
                            {{'n', 1}, {'n', 2}, {'m', 0}, {'m', 1}, {'m', 2}},
                            {'m', 'n'});
}

std::optional<WarpGroupTiles>
lower::planRegistersOfA(const LinearLayout &layout, unsigned elementBits) {
  // A word, the same eight rows further down, and both four words further on.
  unsigned inWord = Log2_32(32 / elementBits);
  Bits registers;
  for (unsigned log2 = 0; log2 < inWord; ++log2)
    registers.push_back({'k', log2});
  registers.append({{'m', 3}, {'k', inWord + 2}});
  return planWarpGroupTiles(
      layout, registers,
      {{'k', inWord}, {'k', inWord + 1}, {'m', 0}, {'m', 1}, {'m', 2}},
      {'m', 'k'});
}
