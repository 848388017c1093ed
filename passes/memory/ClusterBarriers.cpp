//===- ClusterBarriers.cpp - CTAs that wait for each other ----------------===//
//
// A CTA may signal the mbarrier of another one only once that is initialised,
// and write its memory only as long as its CTA runs. A text that has a
// cluster's barrier there keeps it.
//
//===----------------------------------------------------------------------===//

#include "passes/memory/ClusterBarriers.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/CopyParts.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// Whether CTAs have `barrier` in common.
static bool isSharedByCTAs(Value barrier) {
  auto type = cast<ttg::MemDescType>(barrier.getType());
  std::string error;
  auto map = ttg::toLinearLayout(type.getShape(), type.getEncoding(), error);
  return map && map->getZeroMask(ttg::LayoutDims(type.getContext()).block) != 0;
}

/// Whether `op` is a copy to memory that another CTA may have.
static bool mayCopyToOther(Operation *op) {
  ttg::MemDescType memory;
  if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op))
    memory = copy.getResult().getType();
  else if (auto gather = dyn_cast<ttng::AsyncTMAGatherOp>(op))
    memory = gather.getResult().getType();
  auto parts = memory ? ttng::divideCopy(memory) : std::nullopt;
  return parts && parts->inOneCTA;
}

/// Whether `op` reaches another CTA's memory or barrier, or works for two CTAs.
static bool isForCluster(Operation *op) {
  if (mayCopyToOther(op))
    return true;
  if (isa<ttng::AsyncSharedStoreOp>(op) || op->hasAttr("two_ctas"))
    return true;
  if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op);
      arrive && arrive.getFromCTA())
    return true;
  if (auto expect = dyn_cast<ttng::BarrierExpectOp>(op);
      expect && expect.getFromCTA())
    return true;
  return llvm::any_of(
      ttg::barrierActionsOf(op), [](const BarrierAction &action) {
        return action.isMulticast || isSharedByCTAs(action.barrier);
      });
}

/// Whether all threads of the kernel come to `block`, equally often.
static bool isReachedByAll(Block &block, Operation *function) {
  Operation *around = block.getParentOp();
  while (around != function && isa<LoopLikeOpInterface>(around))
    around = around->getParentOp();
  return around == function;
}

static bool usesBarriers(Operation &op) {
  return llvm::any_of(ttg::barrierActionsOf(&op),
                      [](const BarrierAction &action) {
                        return action.kind != BarrierAction::Init &&
                               action.kind != BarrierAction::Invalidate;
                      });
}

/// Puts a barrier after the barriers that `block` initialises, before anything
/// may signal them.
static void publishInits(Block &block) {
  bool isNew = false;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<ttng::InitBarrierOp>(op)) {
      isNew = true;
    } else if (isa<ttng::ClusterBarrierOp>(op)) {
      isNew = false;
    } else if (isNew && (op.getNumRegions() || usesBarriers(op) ||
                         op.hasTrait<OpTrait::IsTerminator>())) {
      OpBuilder builder(&op);
      ttng::FenceMBarrierInitReleaseClusterOp::create(builder, op.getLoc());
      ttng::ClusterBarrierOp::create(builder, op.getLoc(), /*relaxed=*/true);
      isNew = false;
    }
  }
}

/// Until Triton 3.6 the text had no barrier before a product of pairs; its
/// lowering added one, for the operands and for the barriers that it signals.
static void meetBeforePairs(FunctionOpInterface function) {
  function->walk([](Operation *op) {
    if (!isa<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(op) ||
        !op->hasAttr("two_ctas"))
      return;
    OpBuilder builder(op);
    ttng::ClusterBarrierOp::create(builder, op->getLoc(), /*relaxed=*/false);
  });
}

void memory::insertClusterBarriers(FunctionOpInterface function) {
  if (ttg::lookupNumCTAs(function).value_or(1) == 1)
    return;
  if (ttg::isOlderDump(function))
    return meetBeforePairs(function);
  if (!function.isPublic())
    return;
  bool areTold = function
                     ->walk([](Operation *op) {
                       return isForCluster(op) ? WalkResult::interrupt()
                                               : WalkResult::advance();
                     })
                     .wasInterrupted();
  if (!areTold)
    return;
  function->walk([&](Block *block) {
    if (isReachedByAll(*block, function))
      publishInits(*block);
  });
  for (Block &block : function.getFunctionBody()) {
    Operation *end = block.getTerminator();
    if (!end->hasTrait<OpTrait::ReturnLike>())
      continue;
    auto last = dyn_cast_or_null<ttng::ClusterBarrierOp>(end->getPrevNode());
    if (last && !last.getRelaxed())
      continue;
    OpBuilder builder(end);
    ttng::ClusterBarrierOp::create(builder, end->getLoc(), /*relaxed=*/false);
  }
}
