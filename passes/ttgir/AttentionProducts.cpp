//===- AttentionProducts.cpp - Attention in tensor memory -----------------===//

#include "passes/ttgir/AttentionProducts.h"
#include "dialects/ttg/SharedCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// The barriers: each is waited for before its product starts again.
static constexpr unsigned scoresBarrier = 0, sumBarrier = 1, barrierCount = 2;

static Value numberOf(OpBuilder &b, Location loc, unsigned value) {
  return arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

static Value yes(OpBuilder &b, Location loc) {
  return arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
}

/// Of a product that waits for itself, the op that reads its sum, if the sum is
/// made in `loop` for both alone, and no tokens order them.
static ttng::TMEMLoadOp ownLoad(scf::ForOp loop, ttng::TCGen5MMAOp op) {
  auto alloc = op.getD().getDefiningOp<ttng::TMEMAllocOp>();
  if (op.getIsAsync() || !matchPattern(op.getPred(), m_One()) || !alloc ||
      !alloc.getSrc() || alloc->getBlock() != loop.getBody() || op.getToken() ||
      alloc.getToken() || !llvm::hasNItems(op.getD().getUsers(), 2))
    return {};
  for (Operation *user : op.getD().getUsers())
    if (auto load = dyn_cast<ttng::TMEMLoadOp>(user))
      return load->getBlock() == loop.getBody() && !load.getToken() &&
                     op->isBeforeInBlock(load)
                 ? load
                 : ttng::TMEMLoadOp();
  return {};
}

static Value startOf(ttng::TCGen5MMAOp op) {
  return op.getD().getDefiningOp<ttng::TMEMAllocOp>().getSrc();
}

bool AttentionProducts::findScores(ttng::TCGen5MMAOp op,
                                   function_ref<bool(Value)> isKept) {
  ttng::TMEMLoadOp load = ownLoad(loop, op);
  DenseElementsAttr start;
  if (scores || !load || !isKept(op.getA()) || !isKept(op.getB()) ||
      !matchPattern(startOf(op), m_Constant(&start)) ||
      !(matchPattern(startOf(op), m_AnyZeroFloat()) ||
        matchPattern(startOf(op), m_Zero())))
    return false;
  scores = op;
  scoresLoad = load;
  return true;
}

bool AttentionProducts::findSum(ttng::TCGen5MMAOp op,
                                function_ref<bool(Value)> isKept) {
  ttng::TMEMLoadOp load = ownLoad(loop, op);
  auto written = op.getA().getDefiningOp<ttg::LocalAllocOp>();
  if (!scores || sum || !load || !isKept(op.getB()) ||
      !(isKept(op.getA()) ||
        (written && written.getSrc() && written->getBlock() == loop.getBody() &&
         written->hasOneUse())) ||
      !load->hasOneUse() ||
      *load->user_begin() != loop.getBody()->getTerminator())
    return false;
  const unsigned number = load->use_begin()->getOperandNumber();
  BlockArgument before = loop.getRegionIterArg(number);
  // Other layouts of it are made where they are used.
  Operation *first = nullptr;
  SmallVector<Value> values{before};
  SmallVector<Operation *> casts;
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      Operation *inBody = loop.getBody()->findAncestorOpInBlock(*user);
      if (isa<ttg::ConvertLayoutOp>(inBody)) {
        casts.push_back(inBody);
        values.push_back(inBody->getResult(0));
      } else if (!first || inBody->isBeforeInBlock(first)) {
        first = inBody;
      }
    }
  // What the sum before reads and writes is free once it is read.
  auto isAfterRead = [&](Operation *writer) {
    return first && scoresLoad->isBeforeInBlock(first) &&
           first->isBeforeInBlock(writer);
  };
  if (!isAfterRead(op.getD().getDefiningOp()) ||
      (!isKept(op.getA()) && !isAfterRead(written)))
    return false;
  sum = op;
  sumLoad = load;
  carried = before;
  carriedNumber = number;
  firstUser = first;
  otherLayouts = std::move(casts);
  weights = isKept(op.getA()) ? ttg::LocalAllocOp() : written;
  return true;
}

std::optional<AttentionProducts>
AttentionProducts::find(scf::ForOp loop, function_ref<bool(Value)> isKept) {
  AttentionProducts found(loop);
  for (auto op : loop.getBody()->getOps<ttng::TCGen5MMAOp>())
    if (!found.findScores(op, isKept) && !found.findSum(op, isKept))
      return std::nullopt;
  return found.sum ? std::optional(found) : std::nullopt;
}

uint64_t AttentionProducts::barrierBytes(MLIRContext *context) {
  return ttg::allocationBytes(BarrierRing::typeOf(context, barrierCount))
      .value_or(0);
}

void AttentionProducts::allocate(OpBuilder &b) {
  Location loc = loop.getLoc();
  auto reserve = [&](ttng::TCGen5MMAOp op, Value start) -> Value {
    return ttng::TMEMAllocOp::create(b, loc, op.getD().getType(), Type(), start)
        .getResult();
  };
  scoresMemory = reserve(scores, Value());
  sumMemory = reserve(sum, loop.getTiedLoopInit(carried)->get());
  if (weights) {
    ttg::MemDescType type = weights.getType();
    weightsMemory = ttg::LocalAllocOp::create(
        b, loc,
        ttg::MemDescType::get(type.getShape(), type.getElementType(),
                              type.getEncoding(), type.getMemorySpace(),
                              /*mutableMemory=*/true));
  }
  barriers = BarrierRing(b, loc, barrierCount);
}

/// What `operand` is in `slot`, if it is that of `ownSlot` in the loop.
static Value operandIn(OpBuilder &b, scf::ForOp loop, Value operand,
                       Value ownSlot, Value slot) {
  if (loop.isDefinedOutsideOfLoop(operand))
    return operand;
  IRMapping values;
  values.map(ownSlot, slot);
  SmallVector<Operation *> views;
  for (Value value = operand; !values.contains(value);) {
    Operation *view = value.getDefiningOp();
    views.push_back(view);
    auto index = dyn_cast<ttg::MemDescIndexOp>(view);
    value = index ? index.getIndex() : view->getOperand(0);
  }
  for (Operation *view : llvm::reverse(views))
    b.clone(*view, values);
  return values.lookup(operand);
}

void AttentionProducts::startScores(OpBuilder &b, Value ownSlot, Value slot,
                                    Value runs) {
  Location loc = scores.getLoc();
  auto around = scores->getParentOfType<scf::ForOp>();
  Value left = operandIn(b, around, scores.getA(), ownSlot, slot),
        right = operandIn(b, around, scores.getB(), ownSlot, slot);
  ttng::FenceAsyncSharedOp::create(b, loc, /*bCluster=*/false);
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  ttng::TCGen5MMAOp::create(
      b, loc, /*token=*/Type(), left, right, scoresMemory, /*acc_dep=*/Value(),
      /*useD=*/no, runs, barriers.at(b, loc, numberOf(b, loc, scoresBarrier)),
      yes(b, loc), /*is_async=*/true, /*two_ctas=*/false, /*multicast=*/false,
      scores.getIsUnsigned());
}

/// Waits for the weighted sum of the iteration before `iteration`.
void AttentionProducts::waitForSum(OpBuilder &b, Value iteration) {
  Location loc = sum.getLoc();
  Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                       iteration, numberOf(b, loc, 0)),
        before = arith::SubIOp::create(b, loc, iteration, numberOf(b, loc, 1)),
        phase = arith::AndIOp::create(b, loc, before, numberOf(b, loc, 1));
  ttng::WaitBarrierOp::create(b, loc,
                              barriers.at(b, loc, numberOf(b, loc, sumBarrier)),
                              phase, exists, ValueRange());
}

Value AttentionProducts::loadSum(OpBuilder &b) {
  return ttng::TMEMLoadOp::create(b, sum.getLoc(),
                                  sumLoad.getResult().getType(), Type(), Type(),
                                  sumMemory, Value(), nullptr, nullptr, nullptr)
      .getResult();
}

void AttentionProducts::rewriteBody(OpBuilder &b, Value iteration,
                                    function_ref<void()> startNext) {
  Location loc = scores.getLoc();
  b.setInsertionPoint(scoresLoad);
  Value phase = arith::AndIOp::create(b, loc, iteration, numberOf(b, loc, 1));
  ttng::WaitBarrierOp::create(
      b, loc, barriers.at(b, loc, numberOf(b, loc, scoresBarrier)), phase,
      Value(), ValueRange());
  scoresLoad.getSrcMutable().assign(scoresMemory);
  b.setInsertionPointAfter(scoresLoad);
  startNext();

  b.setInsertionPoint(firstUser);
  waitForSum(b, iteration);
  Value before = loadSum(b);
  carried.replaceAllUsesWith(before);
  for (Operation *cast : otherLayouts)
    cast->moveBefore(firstUser);
  sumLoad.getResult().replaceAllUsesWith(carried);
  loc = sum.getLoc();
  b.setInsertionPoint(sum.getD().getDefiningOp());
  ttng::TMEMStoreOp::create(b, loc, Type(), sumMemory, Value(), startOf(sum),
                            yes(b, loc));
  if (weights) {
    b.setInsertionPoint(weights);
    ttg::LocalStoreOp::create(b, loc, weights.getSrc(), weightsMemory);
    sum.getAMutable().assign(weightsMemory);
  }
  b.setInsertionPoint(sum);
  sum.getDMutable().assign(sumMemory);
  sum.setIsAsync(true);
  sum.getBarriersMutable().append(
      barriers.at(b, loc, numberOf(b, loc, sumBarrier)));
  sum.getBarrierPredsMutable().append(yes(b, loc));
}

void AttentionProducts::finish(OpBuilder &b, scf::ForOp replaced,
                               Value iterations) {
  // The fence before the scores goes with them.
  if (auto fence =
          dyn_cast_or_null<ttng::FenceAsyncSharedOp>(scores->getPrevNode()))
    fence.erase();
  Operation *scoresAlloc = scores.getD().getDefiningOp();
  scores.erase();
  scoresAlloc->erase();
  b.setInsertionPointAfter(replaced);
  waitForSum(b, iterations);
  replaced.getResult(carriedNumber).replaceAllUsesWith(loadSum(b));
  Operation *sumAlloc = sumLoad.getSrc().getDefiningOp();
  sumLoad.erase();
  sumAlloc->erase();
  if (weights)
    weights.erase();
  barriers.release(b, replaced.getLoc());
  if (weightsMemory)
    ttg::LocalDeallocOp::create(b, replaced.getLoc(), weightsMemory);
}
