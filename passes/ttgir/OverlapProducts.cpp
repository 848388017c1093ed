//===- OverlapProducts.cpp - Products of two iterations at once -----------===//

#include "passes/ttgir/OverlapProducts.h"
#include "dialects/ttg/SharedCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/ttgir/BarrierRing.h"
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

/// The iterations whose products in tensor memory are under way at once.
static constexpr unsigned iterationsAtOnce = 2;

uint64_t OverlappingProducts::bytes() const {
  if (inTensorMemory.empty())
    return 0;
  ttng::TCGen5MMAOp op = inTensorMemory.front();
  return ttg::allocationBytes(
             BarrierRing::typeOf(op.getContext(), iterationsAtOnce))
      .value_or(0);
}

/// Whether nothing but `op` accesses its sum in `loop`.
static bool keepsSum(scf::ForOp loop, ttng::TCGen5MMAOp op) {
  return loop.isDefinedOutsideOfLoop(op.getD()) &&
         llvm::all_of(op.getD().getUsers(), [&](Operation *user) {
           return user == op || !loop->isAncestor(user);
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
  for (auto op : loop.getBody()->getOps<ttng::TCGen5MMAOp>())
    if (!op.getIsAsync() && keepsSum(loop, op) && isKept(op.getA()) &&
        isKept(op.getB()))
      found.inTensorMemory.push_back(op);
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

/// Leaves only this iteration's products of `chained` in flight after them.
static void leaveOneIterationInFlight(OpBuilder &b,
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

static Value constant(OpBuilder &b, Location loc, int32_t value) {
  return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value));
}

/// The barrier and the phase that say that the products of an iteration are
/// complete; barriers take turns.
static std::pair<Value, Value> completionOf(OpBuilder &b, Location loc,
                                            const BarrierRing &barriers,
                                            Value iteration) {
  Value slot = arith::AndIOp::create(b, loc, iteration, constant(b, loc, 1)),
        round = arith::ShRUIOp::create(b, loc, iteration, constant(b, loc, 1)),
        phase = arith::AndIOp::create(b, loc, round, constant(b, loc, 1));
  return {barriers.at(b, loc, slot), phase};
}

/// Waits for the products of the iteration before iteration number `iteration`.
static void waitForPreviousIteration(OpBuilder &b, Location loc,
                                     const BarrierRing &barriers,
                                     Value iteration) {
  Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                       iteration, constant(b, loc, 0)),
        before = arith::SubIOp::create(b, loc, iteration, constant(b, loc, 1));
  auto [barrier, phase] = completionOf(b, loc, barriers, before);
  ttng::WaitBarrierOp::create(b, loc, barrier, phase, exists, ValueRange());
}

/// Overlaps products in tensor memory, which complete in order: the last one of
/// an iteration tells a barrier.
static scf::ForOp overlapInTensorMemory(scf::ForOp loop,
                                        ArrayRef<ttng::TCGen5MMAOp> products) {
  IRRewriter b(loop);
  Location loc = loop.getLoc();
  const BarrierRing barriers(b, loc, iterationsAtOnce);
  Value zero = constant(b, loc, 0);
  auto rewriteBody = [&](OpBuilder &, Location,
                         ArrayRef<BlockArgument> added) -> SmallVector<Value> {
    for (ttng::TCGen5MMAOp op : products)
      op.setIsAsync(true);
    ttng::TCGen5MMAOp last = products.back();
    b.setInsertionPoint(last);
    Value iteration = added.front();
    last.getBarriersMutable().append(
        completionOf(b, loc, barriers, iteration).first);
    last.getBarrierPredsMutable().append(
        arith::ConstantOp::create(b, loc, b.getBoolAttr(true)).getResult());
    b.setInsertionPointAfter(last);
    waitForPreviousIteration(b, last.getLoc(), barriers, iteration);
    return {arith::AddIOp::create(b, loc, iteration, constant(b, loc, 1))};
  };
  auto replaced = cast<scf::ForOp>(
      loop.replaceWithAdditionalYields(
              b, zero, /*replaceInitOperandUsesInLoop=*/false, rewriteBody)
          ->getOperation());
  b.setInsertionPointAfter(replaced);
  waitForPreviousIteration(b, loc, barriers, replaced.getResults().back());
  barriers.release(b, loc);
  return replaced;
}

scf::ForOp ttgir::overlapProducts(scf::ForOp loop,
                                  const OverlappingProducts &products) {
  if (!products.inTensorMemory.empty())
    return overlapInTensorMemory(loop, products.inTensorMemory);
  if (products.empty())
    return loop;
  ttng::WarpGroupDotOp first = products.first;
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
    leaveOneIterationInFlight(b, products.chained);
  else
    waitForAll(b, first, sums);
  b.setInsertionPointAfter(loop);
  ttng::WarpGroupDotWaitOp last = wait(b, loop.getLoc(), results, 0);
  for (auto [result, sum] : llvm::zip_equal(results, last.getOutputs()))
    result.replaceAllUsesExcept(sum, last);
  return loop;
}
