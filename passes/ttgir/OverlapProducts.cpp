//===- OverlapProducts.cpp - Products of two iterations at once -----------===//

#include "passes/ttgir/OverlapProducts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// Whether `wgmma` adds up all of the product's depth. Otherwise registers take
/// over every few steps, and must wait for each.
static bool addsUpInTheUnit(ttng::WarpGroupDotOp op) {
  auto left = cast<ttg::MemDescType>(op.getA().getType());
  return !isa<FloatType>(left.getElementType()) ||
         left.getElementTypeBitWidth() != 8 ||
         op.getMaxNumImpreciseAcc() >= left.getShape().back();
}

SmallVector<ttng::WarpGroupDotOp>
ttgir::findOverlappingProducts(scf::ForOp loop,
                               llvm::function_ref<bool(Value)> isKept) {
  SmallVector<ttng::WarpGroupDotOp> found;
  for (auto op : loop.getBody()->getOps<ttng::WarpGroupDotOp>()) {
    auto sum = dyn_cast<BlockArgument>(op.getC());
    if (!isa<ttg::MemDescType>(op.getA().getType()) || op.getUseC() ||
        op.getIsAsync() || !addsUpInTheUnit(op) || !sum ||
        sum.getOwner() != loop.getBody() || !sum.hasOneUse() ||
        !op->hasOneUse() || !isKept(op.getA()) || !isKept(op.getB()))
      continue;
    OpOperand *yielded = loop.getTiedLoopYieldedValue(sum);
    if (yielded && yielded->get() == op.getD())
      found.push_back(op);
  }
  return found;
}

void ttgir::overlapProducts(ArrayRef<ttng::WarpGroupDotOp> products) {
  if (products.empty())
    return;
  auto loop = cast<scf::ForOp>(products.front()->getParentOp());
  SmallVector<Value> sums, results;
  SmallVector<OpOperand *> yields;
  for (ttng::WarpGroupDotOp op : products) {
    op.setIsAsync(true);
    OpOperand &yield = *op->use_begin();
    sums.push_back(op.getD());
    yields.push_back(&yield);
    results.push_back(loop.getResult(yield.getOperandNumber()));
  }
  OpBuilder b(loop.getContext());
  b.setInsertionPointAfter(products.back());
  auto wait = [&](ValueRange values, size_t pending) {
    return ttng::WarpGroupDotWaitOp::create(b, loop.getLoc(), values.getTypes(),
                                            values,
                                            static_cast<uint32_t>(pending));
  };
  for (auto [yield, sum] :
       llvm::zip_equal(yields, wait(sums, products.size()).getOutputs()))
    yield->set(sum);
  b.setInsertionPointAfter(loop);
  ttng::WarpGroupDotWaitOp last = wait(results, 0);
  for (auto [result, sum] : llvm::zip_equal(results, last.getOutputs()))
    result.replaceAllUsesExcept(sum, last);
}
