//===- InsertBarriers.cpp - Order between threads in memory ---------------===//
//
// Walks each kernel in order of execution, through the functions that it calls,
// with the accesses to shared and tensor memory that threads may not have
// finished with since the last barrier. An op that would write what is read, or
// touch what is written, gets a barrier in front, or has the last one order its
// memory, too. An asynchronous access takes
// part once its thread has waited for it: before that no barrier helps. One
// that completes on an mbarrier never does, since every thread that uses the
// data waits there. Atomics that release or acquire get barriers, too
// (AtomicBarriers.h). A loop that is walked again, with what its end leaves
// pending, may get a barrier in front of those that it has, which may then not
// be needed any more.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/memory/AtomicBarriers.h"
#include "passes/memory/ClusterBarriers.h"
#include "passes/memory/FunctionBuffers.h"
#include "passes/memory/PendingWalk.h"
#include "passes/memory/ThreadAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;
using ttg::Completion;

namespace kernelscope {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

using Accesses = PendingAccesses<ThreadAccess>;

/// The threads are through with what they know to be done in `space`.
void endAt(MemorySpace space, Accesses &pending) {
  pending.drop([&](const ThreadAccess &access) {
    return access.space == space && access.isDone();
  });
}

/// The thread knows that all that `awaited` tells of is done.
void finish(Completion awaited, Accesses &pending) {
  pending.change([&](ThreadAccess &access) {
    if (access.awaits == awaited)
      access.awaits = Completion::AtOnce;
  });
}

/// The spaces in which one of `next` needs a barrier in front.
SmallVector<MemorySpace, 2> conflictsOf(const Accesses &pending,
                                        const Accesses &next) {
  SmallVector<MemorySpace, 2> spaces;
  for (const ThreadAccess &before : pending)
    for (const ThreadAccess &after : next)
      if (!llvm::is_contained(spaces, before.space) &&
          before.needsBarrierBefore(after))
        spaces.push_back(before.space);
  return spaces;
}

constexpr MemorySpace ofCTA[] = {MemorySpace::Shared, MemorySpace::Tensor};

class BarrierInserter : PendingWalk<ThreadAccess> {
public:
  explicit BarrierInserter(ModuleOp module) : functions(module) {
    walkEntries();
    for (size_t i = 0; i < inserted.size(); ++i)
      if (llvm::any_of(ArrayRef(inserted).drop_front(i + 1),
                       [&](Operation *later) {
                         return comesBefore(later, inserted[i]);
                       }) &&
          !isNeeded(inserted[i])) {
        inserted[i]->erase();
        inserted.erase(inserted.begin() + i--);
      }
  }

private:
  void walkEntries() {
    for (FunctionOpInterface function : functions.entries())
      visit(function.getFunctionBody(), {});
  }

  /// Whether `first` comes before `second` in the text of one function.
  static bool comesBefore(Operation *first, Operation *second) {
    for (Operation *around = second; around; around = around->getParentOp())
      if (Block *block = around->getBlock())
        if (Operation *other = block->findAncestorOpInBlock(*first))
          return other != around && other->isBeforeInBlock(around);
    return false;
  }

  /// Whether some access would miss `barrier`.
  bool isNeeded(Operation *barrier) {
    ignored = barrier;
    missesBarrier = isOutOfPhase = false;
    callees.clear();
    walkEntries();
    ignored = nullptr;
    return missesBarrier;
  }

  using PendingWalk::visit;
  void visit(Operation *op, Accesses &pending) override {
    if (ignored) {
      missesBarrier |= ordersForCTA(op);
      if (op == ignored || missesBarrier)
        return;
    }
    const Buffers &buffers = functions.around(op);
    if (auto call = dyn_cast<CallOpInterface>(op))
      if (FunctionOpInterface callee = functions.calleeOf(call)) {
        visitCallee(callee, pending);
        return;
      }
    if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op)) {
      finish(wait.getAwaited(), pending);
      if (publishes(op) && !isOutOfPhase) {
        insertAfter(op);
        endAt(MemorySpace::Shared, pending);
      }
      return;
    }
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      // Partitions are handed their arguments before the first barrier.
      Accesses captures;
      if (const Buffers::Buffer *scratch = buffers.scratchOf(op))
        captures.add({scratch->space, scratch->place, true});
      orderBefore(op, captures, pending);
      // Whatever was pending, all warps meet before regions begin.
      visit(specialize.getDefaultRegion(), {});
      for (Region *region : specialize.getPartitionRegions())
        visit(*region, {});
      pending = {};
      return;
    }
    if (op->hasAttr(shiftName) || op->hasAttr(joinName))
      isOutOfPhase = op->hasAttr(shiftName);
    for (MemorySpace space : ofCTA)
      if (ttg::ordersThreads(op, space))
        endAt(space, pending);
    if (!isOutOfPhase && needsBarrierBeforeRelease(op)) {
      OpBuilder builder(op);
      insertAtomicBarrier(builder, op, ttg::AddrSpace::GlobalWrite);
      endAt(MemorySpace::Shared, pending);
    }
    const Buffers::Buffer *scratch = buffers.scratchOf(op);
    if (op->getNumRegions() && !scratch) {
      visitRegions(op, pending);
      return;
    }

    Accesses accesses;
    for (const LocatedAccess &located : threadAccessesOf(op, buffers))
      accesses.add(located.access);
    if (scratch)
      accesses.add({scratch->space, scratch->place, true});
    orderBefore(op, accesses, pending);
    if (scratch) {
      // The op has a barrier between its stores and its loads.
      if (!cast<ttg::ScratchOpInterface>(op).withinWarps())
        endAt(scratch->space, pending);
      accesses = {};
      accesses.add({scratch->space, scratch->place, false});
    }
    pending.add(accesses);
    if (!isOutOfPhase && needsBarrierAfterAcquire(op, scratch)) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      insertAtomicBarrier(builder, op, ttg::AddrSpace::GlobalRead);
      endAt(MemorySpace::Shared, pending);
    }
  }

  /// Puts a barrier in front of `op` if its `accesses` must wait.
  void orderBefore(Operation *op, const Accesses &accesses, Accesses &pending) {
    SmallVector<MemorySpace, 2> conflicts = conflictsOf(pending, accesses);
    if (conflicts.empty() || isOutOfPhase)
      return;
    if (ignored) {
      missesBarrier = true;
      return;
    }
    if (ttg::BarrierOp barrier = lastBarrier(op, conflicts)) {
      barrier.setAddrSpace(barrier.getAddrSpace() | orderOf(conflicts));
    } else {
      OpBuilder builder(op);
      inserted.push_back(insert(builder, op->getLoc(), conflicts));
    }
    for (MemorySpace space : conflicts)
      endAt(space, pending);
  }

  /// The barrier before `op` that orders accesses in `spaces` as well as one in
  /// front of `op` does, since nothing between them accesses these spaces or
  /// waits. Null if there is none.
  ttg::BarrierOp lastBarrier(Operation *op, ArrayRef<MemorySpace> spaces) {
    const Buffers &buffers = functions.around(op);
    for (Operation *last = op->getPrevNode(); last;
         last = last->getPrevNode()) {
      if (auto barrier = dyn_cast<ttg::BarrierOp>(last))
        return barrier;
      const auto accesses = threadAccessesOf(last, buffers);
      if ((accesses.empty() && !isMemoryEffectFree(last) &&
           !isa<tt::GlobalAccessOpInterface>(last)) ||
          isa<ttg::AsyncWaitOpInterface, ttg::MBarrierOpInterface,
              ttg::ThreadBarrierOpInterface>(last) ||
          last->getNumRegions() || buffers.scratchOf(last) ||
          llvm::any_of(accesses, [&](const LocatedAccess &located) {
            return llvm::is_contained(spaces, located.access.space);
          }))
        return {};
    }
    return {};
  }

  static ttg::AddrSpace orderOf(ArrayRef<MemorySpace> spaces) {
    auto orders = ttg::AddrSpace::None;
    for (MemorySpace space : spaces)
      orders = orders |
               (space == MemorySpace::Shared
                    ? ttg::AddrSpace::Local
                    : ttg::AddrSpace::TensorRead | ttg::AddrSpace::TensorWrite);
    return orders;
  }

  static Operation *insert(OpBuilder &builder, Location loc,
                           ArrayRef<MemorySpace> spaces) {
    return ttg::BarrierOp::create(builder, loc, orderOf(spaces));
  }
  void insertAfter(Operation *op) {
    Operation *next = op->getNextNode();
    if (ignored) {
      missesBarrier |= next == ignored;
      return;
    }
    if (next &&
        (ttg::ordersThreads(next, MemorySpace::Shared) || publishes(next)))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    insert(builder, op->getLoc(), MemorySpace::Shared);
  }

  FunctionBuffers functions;
  /// In a warp pipeline, whose accesses are ordered already.
  bool isOutOfPhase = false;
  /// The barriers in front of accesses, in the order of the walk.
  SmallVector<Operation *> inserted;
  /// While it is asked whether a barrier is needed: that barrier, and whether
  /// something that it orders is found.
  Operation *ignored = nullptr;
  bool missesBarrier = false;
};

struct InsertBarriers : kernelscope::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    if (failed(checkLayouts(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal())
        insertClusterBarriers(function);
    BarrierInserter inserter(getOperation());
  }
};

} // namespace
