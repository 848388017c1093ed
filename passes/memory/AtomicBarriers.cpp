//===- AtomicBarriers.cpp - Order of a CTA's threads at atomics -----------===//

#include "passes/memory/AtomicBarriers.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace kernelscope;

namespace {

/// Whether `op` synchronises as `order` does. The ops on memory that all CTAs
/// access name their order `sem`.
bool synchronises(Operation *op, tt::MemSemantic order) {
  auto semantic = op->getAttrOfType<tt::MemSemanticAttr>("sem");
  return semantic && (semantic.getValue() == order ||
                      semantic.getValue() == tt::MemSemantic::ACQUIRE_RELEASE);
}

bool isInCluster(Operation *op) {
  return ttg::lookupNumCTAs(op).value_or(1) > 1;
}

/// Whether all threads for which an atomic acts wait at `op`.
bool isBarrier(Operation *op) {
  if (!op || !ttg::ordersThreads(op, ttg::MemorySpace::Shared))
    return false;
  return !isInCluster(op) ||
         isa<ttng::ClusterBarrierOp, amdg::ClusterBarrierWaitOp>(op);
}

bool isEntry(Block *block) {
  auto function = dyn_cast<tt::FuncOp>(block->getParentOp());
  return function && function.isPublic() && block->isEntryBlock();
}

} // namespace

bool memory::ordersForCTA(Operation *op) {
  return synchronises(op, tt::MemSemantic::RELEASE) ||
         synchronises(op, tt::MemSemantic::ACQUIRE);
}

bool memory::needsBarrierBeforeRelease(Operation *op) {
  if (!synchronises(op, tt::MemSemantic::RELEASE))
    return false;
  Operation *before = op->getPrevNode();
  while (before && isMemoryEffectFree(before))
    before = before->getPrevNode();
  return before ? !isBarrier(before) : !isEntry(op->getBlock());
}

/// Whether `op` ends only once memory holds what it waits for, so that all
/// threads know its result.
static bool waitsForever(Operation *op) {
  auto poll = dyn_cast<tt::AtomicPollOp>(op);
  return poll && !poll.getTimeout();
}

bool memory::needsBarrierAfterAcquire(Operation *op, bool hasScratch) {
  if (!synchronises(op, tt::MemSemantic::ACQUIRE) && !waitsForever(op))
    return false;
  // The exchange through shared memory has a barrier: of the CTA, or, for a
  // scalar, which all CTAs need, of the cluster.
  if (hasScratch &&
      (!isInCluster(op) || !isa<RankedTensorType>(op->getResult(0).getType())))
    return false;
  Operation *after = op->getNextNode();
  while (!after->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(after))
    after = after->getNextNode();
  const bool endsKernel = isa<tt::ReturnOp>(after) &&
                          cast<tt::FuncOp>(after->getParentOp()).isPublic();
  return !endsKernel && !isBarrier(after);
}

void memory::insertAtomicBarrier(OpBuilder &builder, Operation *op,
                                 ttg::AddrSpace accesses) {
  Location loc = op->getLoc();
  if (!isInCluster(op)) {
    ttg::BarrierOp::create(builder, loc, ttg::AddrSpace::Local | accesses);
    return;
  }
  std::optional<Target> target = ttg::lookupTarget(op);
  if (!target || target->isNvidia()) {
    ttng::ClusterBarrierOp::create(builder, loc, /*relaxed=*/false);
    return;
  }
  amdg::ClusterBarrierArriveOp::create(builder, loc);
  amdg::ClusterBarrierWaitOp::create(builder, loc);
}
