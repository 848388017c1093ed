//===- OverlapProducts.cpp - Products of two iterations at once -----------===//

#include "passes/ttgir/OverlapProducts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// Whether `wgmma` adds up all of the product's depth. Otherwise registers take
/// over every few steps, and must wait for each.
static bool addsUpInTheUnit(ttng::WarpGroupDotOp op) {
  auto left = cast<ShapedType>(op.getA().getType());
  return !isa<FloatType>(left.getElementType()) ||
         left.getElementTypeBitWidth() != 8 ||
         op.getMaxNumImpreciseAcc() >= left.getShape().back();
}

/// The argument of `loop` that is `op`'s sum in the next iteration, if nothing
/// else is done with it in this one.
static BlockArgument nextSumOf(scf::ForOp loop, ttng::WarpGroupDotOp op) {
  if (!op->hasOneUse() || *op->user_begin() != loop.getBody()->getTerminator())
    return {};
  return loop.getRegionIterArg(op->use_begin()->getOperandNumber());
}

/// Whether all that reads `sum` in `loop` comes after `first`.
static bool isReadAfter(scf::ForOp loop, BlockArgument sum, Operation *first) {
  return llvm::all_of(sum.getUsers(), [&](Operation *user) {
    Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
    return first->isBeforeInBlock(inBody);
  });
}

OverlappingProducts
ttgir::findOverlappingProducts(scf::ForOp loop,
                               llvm::function_ref<bool(Value)> isKept) {
  OverlappingProducts found;
  auto staysThere = [&](Value operand) {
    return !isa<ttg::MemDescType>(operand.getType()) || isKept(operand);
  };
  for (auto op : loop.getBody()->getOps<ttng::WarpGroupDotOp>()) {
    if (op.getIsAsync())
      return {};
    if (!found.first)
      found.first = op;
    BlockArgument sum = nextSumOf(loop, op);
    if (!sum || op.getUseC() || !addsUpInTheUnit(op) ||
        !staysThere(op.getA()) || !staysThere(op.getB()))
      continue;
    if (isa<ttg::MemDescType>(op.getA().getType()) && op.getC() == sum &&
        sum.hasOneUse())
      found.chained.push_back(op);
    else if (op != found.first && isReadAfter(loop, sum, found.first))
      found.late.push_back(op);
  }
  // The first one waits for all, so that no other need.
  if (!found.late.empty() && !llvm::is_contained(found.chained, found.first)) {
    found.late.append(found.chained);
    found.chained.clear();
  } else {
    found.late.clear();
  }
  return found;
}

static ttng::WarpGroupDotWaitOp wait(OpBuilder &b, Location loc,
                                     ValueRange values, size_t pending) {
  return ttng::WarpGroupDotWaitOp::create(b, loc, values.getTypes(), values,
                                          static_cast<uint32_t>(pending));
}

/// Leaves only this iteration's products of `chained` under way behind them.
static void waitForTheOneBefore(OpBuilder &b,
                                ArrayRef<ttng::WarpGroupDotOp> chained) {
  SmallVector<Value> sums;
  SmallVector<OpOperand *> yields;
  for (ttng::WarpGroupDotOp op : chained) {
    sums.push_back(op.getD());
    yields.push_back(&*op->use_begin());
  }
  ttng::WarpGroupDotOp last = chained.back();
  b.setInsertionPointAfter(last);
  auto awaited = wait(b, last.getLoc(), sums, chained.size());
  for (auto [yield, sum] : llvm::zip_equal(yields, awaited.getOutputs()))
    yield->set(sum);
}

/// Waits behind the first product for it and for `sums`.
static void waitForAll(OpBuilder &b, ttng::WarpGroupDotOp first,
                       ArrayRef<Value> sums) {
  first.setIsAsync(true);
  SmallVector<Value> values{first.getD()};
  llvm::append_range(values, sums);
  b.setInsertionPointAfter(first);
  auto awaited = wait(b, first.getLoc(), values, 0);
  for (auto [value, done] : llvm::zip_equal(values, awaited.getOutputs()))
    value.replaceAllUsesExcept(done, awaited);
}

void ttgir::overlapProducts(const OverlappingProducts &products) {
  if (products.empty())
    return;
  ttng::WarpGroupDotOp first = products.first;
  auto loop = cast<scf::ForOp>(first->getParentOp());
  OpBuilder b(loop.getContext());
  SmallVector<Value> results, sums;
  for (ttng::WarpGroupDotOp op : llvm::concat<const ttng::WarpGroupDotOp>(
           products.chained, products.late)) {
    op.setIsAsync(true);
    const unsigned number = op->use_begin()->getOperandNumber();
    results.push_back(loop.getResult(number));
    sums.push_back(loop.getRegionIterArg(number));
  }
  if (products.late.empty())
    waitForTheOneBefore(b, products.chained);
  else
    waitForAll(b, first, sums);
  b.setInsertionPointAfter(loop);
  ttng::WarpGroupDotWaitOp last = wait(b, loop.getLoc(), results, 0);
  for (auto [result, sum] : llvm::zip_equal(results, last.getOutputs()))
    result.replaceAllUsesExcept(sum, last);
}
