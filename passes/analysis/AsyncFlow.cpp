//===- AsyncFlow.cpp - What asynchronous copies write ---------------------===//

#include "passes/analysis/AsyncFlow.h"

#include "dialects/ttg/TTG.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

SmallVector<Value, 1> kernelscope::destinationsOf(Operation *op) {
  SmallVector<Value, 1> destinations;
  auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(op);
  if (!memory || memory.getAccessMode().completion == ttg::Completion::AtOnce)
    return destinations;
  for (const ttg::MemoryAccess &access : ttg::accessesOf(op))
    if (access.isWrite && access.space == ttg::MemorySpace::Shared &&
        !access.onBarrier)
      destinations.push_back(access.memory);
  return destinations;
}

bool kernelscope::startsCopy(Operation *op) {
  return !destinationsOf(op).empty();
}

bool kernelscope::waitsForCopies(Operation *op) {
  if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op))
    return wait.getAwaited() != ttg::Completion::WgmmaGroup;
  return llvm::any_of(ttg::barrierActionsOf(op),
                      [](const ttg::BarrierAction &action) {
                        return action.kind == ttg::BarrierAction::Wait;
                      });
}

bool kernelscope::isSyncedLoad(Operation *op) {
  auto mark = op->getAttrOfType<BoolAttr>("ttg.amdg.syncedViaAsyncWait");
  return mark && mark.getValue() && isa<ttg::LocalLoadOp>(op);
}
