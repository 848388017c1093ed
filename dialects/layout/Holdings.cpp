//===- Holdings.cpp - who holds how much of a tensor ----------------------===//

#include "dialects/layout/Holdings.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using mlir::StringAttr;

/// Counts where the bases of `holding.level` move.
static void countSteps(const LinearLayout &layout, Holding &holding) {
  holding.extents.assign(layout.getOutDims().size(), 1);
  for (unsigned bit = 0; bit < layout.getInDimSizeLog2(holding.level); ++bit) {
    llvm::SmallVector<int32_t> basis = layout.getBasis(holding.level, bit);
    auto moves = [](int32_t value) { return value != 0; };
    auto count = llvm::count_if(basis, moves);
    if (count > 1)
      holding.diagonal *= 2;
    else if (count == 1)
      holding.extents[llvm::find_if(basis, moves) - basis.begin()] *= 2;
  }
}

llvm::SmallVector<Holding> kernelscope::holdings(const LinearLayout &layout) {
  llvm::SmallVector<Holding> levels;
  llvm::SmallVector<StringAttr> inside;
  unsigned rankInside = 0;
  for (const LinearLayout::Dim &in : layout.getInDims()) {
    Holding &holding = levels.emplace_back();
    holding.level = in.name;
    holding.places = in.size();
    inside.push_back(in.name);
    unsigned rank =
        layout.sublayout(inside, layout.getOutDimNames()).getMatrix().rank();
    holding.elements = int64_t(1) << rank;
    holding.copies = int64_t(1) << (in.log2 - (rank - rankInside));
    rankInside = rank;
    countSteps(layout, holding);
  }
  return levels;
}

Run kernelscope::firstRun(const LinearLayout &layout) {
  if (layout.getInDims().empty())
    return {};
  const LinearLayout::Dim &first = layout.getInDims().front();
  for (auto [dim, out] : llvm::enumerate(layout.getOutDims())) {
    unsigned bits = 0;
    auto stepsBy = [&](unsigned bit) {
      llvm::SmallVector<int32_t> basis = layout.getBasis(first.name, bit);
      return basis[dim] == int32_t(1) << bit &&
             llvm::count_if(basis, [](int32_t v) { return v != 0; }) == 1;
    };
    while (bits < first.log2 && stepsBy(bits))
      ++bits;
    if (bits > 0)
      return {static_cast<unsigned>(dim), int64_t(1) << bits};
  }
  return {};
}
