//===- AtomicBarriers.cpp - Order of a CTA's threads at atomics -----------===//

#include "passes/memory/AtomicBarriers.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
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

bool isBarrier(Operation *op) {
  return op && ttg::ordersThreads(op, ttg::MemorySpace::Shared);
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

bool memory::needsBarrierAfterAcquire(Operation *op) {
  if (!synchronises(op, tt::MemSemantic::ACQUIRE))
    return false;
  Operation *after = op->getNextNode();
  while (!after->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(after))
    after = after->getNextNode();
  const bool endsKernel = isa<tt::ReturnOp>(after) &&
                          cast<tt::FuncOp>(after->getParentOp()).isPublic();
  return !endsKernel && !isBarrier(after);
}
