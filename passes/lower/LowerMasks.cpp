//===- LowerMasks.cpp - Predicated bodies as branches ---------------------===//
//
// `lower-masks`: the pipeliner's ttg.mask and ttg.predicate_stage.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_LOWERMASKS
#include "passes/Passes.h.inc"

/// What a masked body yields where it does not run: zero, of what has one.
static Value nothingOf(OpBuilder &b, Location loc, Type type) {
  if (TypedAttr zero = b.getZeroAttr(type))
    return arith::ConstantOp::create(b, loc, zero);
  return ub::PoisonOp::create(b, loc, type);
}

static void lowerMask(ttg::MaskOp op) {
  OpBuilder b(op);
  auto branch = scf::IfOp::create(b, op.getLoc(), op.getResultTypes(),
                                  op.getPred(), /*addThenBlock=*/true,
                                  /*addElseBlock=*/op.getNumResults() != 0);
  Block &body = op.getRegion().front(), *taken = branch.thenBlock();
  auto end = cast<ttg::MaskReturnOp>(body.getTerminator());
  // A branch without results has its terminator already.
  if (!taken->empty())
    taken->getTerminator()->erase();
  taken->getOperations().splice(taken->end(), body.getOperations());
  b.setInsertionPoint(end);
  scf::YieldOp::create(b, end.getLoc(), end.getResult());
  end.erase();
  if (op.getNumResults()) {
    b.setInsertionPointToEnd(branch.elseBlock());
    SmallVector<Value> nothing;
    for (Type type : op.getResultTypes())
      nothing.push_back(nothingOf(b, op.getLoc(), type));
    scf::YieldOp::create(b, op.getLoc(), nothing);
  }
  op.replaceAllUsesWith(branch.getResults());
  op.erase();
}

/// Stages before the last one are that many iterations ahead.
static void lowerPredicate(ttg::PredicateStageOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value iv = op.getIv(), end = op.getUb(), step = op.getStep();
  // The last sum may not fit into 32 bits.
  if (iv.getType().isInteger() && iv.getType().getIntOrFloatBitWidth() < 64)
    for (Value *value : {&iv, &end, &step})
      *value = arith::ExtSIOp::create(b, loc, b.getI64Type(), *value);
  const int64_t ahead =
      int64_t(op.getMaxStage()) - static_cast<int64_t>(op.getStage());
  Value distance =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(iv.getType(), ahead));
  Value reached = arith::AddIOp::create(
      b, loc, iv, arith::MulIOp::create(b, loc, step, distance));
  op.replaceAllUsesWith(
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, reached, end)
          .getResult());
  op.erase();
}

namespace {

struct LowerMasks : impl::LowerMasksBase<LowerMasks> {
  void runOnOperation() override {
    SmallVector<ttg::MaskOp> masks;
    SmallVector<ttg::PredicateStageOp> predicates;
    getOperation()->walk([&](Operation *op) {
      if (auto mask = dyn_cast<ttg::MaskOp>(op))
        masks.push_back(mask);
      else if (auto predicate = dyn_cast<ttg::PredicateStageOp>(op))
        predicates.push_back(predicate);
    });
    // Inner masks come first.
    llvm::for_each(masks, lowerMask);
    llvm::for_each(predicates, lowerPredicate);
  }
};

} // namespace
} // namespace kernelscope
