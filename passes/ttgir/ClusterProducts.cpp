//===- ClusterProducts.cpp - Products that CTAs share ---------------------===//

#include "passes/ttgir/ClusterProducts.h"
#include "dialects/ttg/TTG.h"

using namespace mlir;
using namespace kernelscope;

/// As many columns as a CTA should have, and the fewest of a dimension.
static constexpr int64_t wideColumns = 64, fewest = 16;

ttg::CGAEncodingAttr ttgir::splitProduct(RankedTensorType type, unsigned ctas) {
  const auto rank = static_cast<unsigned>(type.getRank());
  SmallVector<unsigned> split(rank, 1),
      order(llvm::reverse(llvm::seq(0u, rank)));
  int64_t rows = type.getDimSize(rank - 2), columns = type.getDimSize(rank - 1);
  for (; ctas > 1; ctas /= 2) {
    const bool ofColumns = columns >= 2 * wideColumns || columns >= rows;
    int64_t &size = ofColumns ? columns : rows;
    if (size < 2 * fewest)
      return {};
    size /= 2;
    split[ofColumns ? rank - 1 : rank - 2] *= 2;
  }
  return ttg::CGAEncodingAttr::fromSplitParams(type.getContext(), split, split,
                                               order);
}

ttg::CGAEncodingAttr ttgir::splitOperand(ttg::CGAEncodingAttr result,
                                         unsigned index) {
  const unsigned rank = result.getRank(),
                 depthDim = index == 0 ? rank - 1 : rank - 2;
  MLIRContext *context = result.getContext();
  auto bases =
      result.getLinearLayout().getBases(StringAttr::get(context, "block"));
  for (auto &basis : bases)
    basis[depthDim] = 0;
  return ttg::CGAEncodingAttr::fromBases(context, rank, std::move(bases));
}

RankedTensorType ttgir::partOf(RankedTensorType type,
                               ttg::CGAEncodingAttr cluster) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, split] : llvm::zip_equal(shape, cluster.getCTASplitNum()))
    size /= split;
  return type.clone(shape);
}

/// The load that gives `value`, perhaps in another type.
static Operation *loadBehind(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && op->getNumOperands() == 1 &&
         (op->hasTrait<OpTrait::Elementwise>() || isa<tt::FpToFpOp>(op)))
    op = op->getOperand(0).getDefiningOp();
  return dyn_cast_or_null<tt::LoadOp>(op);
}

void ttgir::loadPartsOfOperands(
    llvm::MapVector<Operation *, Attribute> &accessLayouts,
    llvm::MapVector<Operation *, ProductLayout> &productLayouts,
    const ThreadCounts &threads) {
  for (auto &[op, layout] : productLayouts) {
    auto product = dyn_cast<tt::DotOp>(op);
    if (!product)
      continue;
    auto result = cast<ttg::LayoutEncodingTrait>(layout.c).getCGALayout();
    for (unsigned index : {0, 1}) {
      Operation *load = loadBehind(product->getOperand(index));
      auto whole = dyn_cast_or_null<ttg::BlockedEncodingAttr>(
          accessLayouts.lookup(load));
      if (!whole)
        continue;
      auto type = cast<RankedTensorType>(load->getResult(0).getType());
      ArrayRef<unsigned> order = whole.getOrder();
      Attribute part =
          blockedLayout(type, order, whole.getSizePerThread()[order[0]],
                        threads, splitOperand(result, index));
      accessLayouts[load] = part;
      // An operand for memory may come in any layout of its part.
      Attribute &wanted = index == 0 ? layout.a : layout.b;
      if (isa_and_nonnull<ttg::BlockedEncodingAttr>(wanted))
        wanted = part;
    }
  }
}
