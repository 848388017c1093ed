//===- AsyncEvents.cpp - What an op has to do with copies -----------------===//

#include "passes/analysis/AsyncEvents.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/AsyncFlow.h"
#include "passes/analysis/Barriers.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using ttg::Completion;

/// The shared memory that is written, except barriers.
static SmallVector<Value, 1>
sharedWritesOf(ArrayRef<ttg::MemoryAccess> accesses) {
  SmallVector<Value, 1> destinations;
  for (const ttg::MemoryAccess &access : accesses)
    if (access.isWrite && access.space == ttg::MemorySpace::Shared &&
        !access.onBarrier)
      destinations.push_back(access.memory);
  return destinations;
}

SmallVector<Value, 1> kernelscope::destinationsOf(Operation *op) {
  auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(op);
  if (!memory || memory.getAccessMode().completion == Completion::AtOnce)
    return {};
  return sharedWritesOf(ttg::accessesOf(op));
}

bool kernelscope::startsCopy(Operation *op) {
  return !destinationsOf(op).empty();
}

bool kernelscope::isSyncedLoad(Operation *op) {
  auto mark = op->getAttrOfType<BoolAttr>(syncedLoadName);
  return mark && mark.getValue() && op->hasTrait<ttg::LocalLoadTrait>();
}

/// What `op` does to shared memory. Other engines than matrix units may read
/// after the copies automatically.
static void addAccesses(AsyncEvent &event) {
  auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(event.op);
  ttg::AccessMode mode = memory ? memory.getAccessMode() : ttg::AccessMode();
  bool reads = event.op->hasTrait<ttg::LocalLoadTrait>() ||
               (memory && mode.proxy == ttg::Proxy::TensorCore);
  bool copies = memory && mode.completion != Completion::AtOnce;
  if (!reads && !copies)
    return;
  SmallVector<ttg::MemoryAccess> accesses = ttg::accessesOf(event.op);
  if (copies)
    event.destinations = sharedWritesOf(accesses);
  for (const ttg::MemoryAccess &access : accesses)
    if (reads && !access.isWrite && access.memory && !access.onBarrier &&
        access.space == ttg::MemorySpace::Shared)
      event.reads.push_back(access.memory);
}

/// Whether AMD's counters of memory instructions may count `op`.
static bool reachesGlobalMemory(Operation *op) {
  if (!isa<MemoryEffectOpInterface>(op))
    return !isMemoryEffectFree(op);
  return llvm::any_of(ttg::accessesOf(op), [](const ttg::MemoryAccess &access) {
    return access.space == ttg::MemorySpace::Global;
  });
}

/// What may matter of an op that touches memory on AMD.
static void addCounters(AsyncEvent &event) {
  if (event.commits || event.awaited)
    return;
  event.countsAsInstruction = reachesGlobalMemory(event.op);
  if (auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(event.op)) {
    ttg::AccessMode mode = memory.getAccessMode();
    event.countsAsTensorCopy = mode.completion == Completion::TensorCounter ||
                               mode.proxy == ttg::Proxy::Async;
  }
}

StringRef kernelscope::unitOf(Operation *wait) {
  auto awaits = cast<ttg::AsyncWaitOpInterface>(wait);
  return awaits.countsInstructions()                        ? "instructions"
         : awaits.getAwaited() == Completion::TensorCounter ? "copies"
                                                            : "groups";
}

AsyncEvent::AsyncEvent(Operation *op, bool isAmd) : op(op) {
  isCall = isa<CallOpInterface>(op);
  commits = isa<ttg::AsyncCommitGroupOp>(op);
  isMarked = isSyncedLoad(op);
  if (auto awaits = dyn_cast<ttg::AsyncWaitOpInterface>(op)) {
    if (awaits.getAwaited() != Completion::WgmmaGroup) {
      awaited = awaits.getAwaited();
      pending = awaits.getPending();
    }
  } else {
    for (const ttg::BarrierAction &action : ttg::barrierActionsOf(op)) {
      if (action.kind == ttg::BarrierAction::Wait)
        awaited = Completion::MBarrier;
      // Each thread does so for its own copies: how often is not known, unlike
      // what a product or its commit does.
      tellsBarrier |= action.kind == ttg::BarrierAction::ArriveWhenDone &&
                      !action.count && !isa<ttg::MemoryAccessOpInterface>(op);
    }
  }
  addAccesses(*this);
  if (isAmd && op->getNumRegions() == 0)
    addCounters(*this);
}

ArrayRef<AsyncEvent> AsyncEvents::of(Block &block) {
  auto [found, isNew] = known.try_emplace(&block);
  if (isNew)
    for (Operation &op : block) {
      if (onlyComputes(&op))
        continue;
      AsyncEvent event(&op, isAmd);
      someLeft |= event.pending.value_or(0) > 0 &&
                  (event.awaited == Completion::CommitGroup ||
                   event.awaited == Completion::TensorCounter);
      if (event.matters())
        found->second.push_back(std::move(event));
    }
  return found->second;
}
