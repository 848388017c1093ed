//===- InsertProxyFences.cpp - Order between ways to shared memory --------===//
//
// Walks each kernel in order of execution, through the functions that it calls,
// with the accesses by loads and stores to shared memory that no proxy fence
// has followed. TMA or a tensor core that would write what they touch, or read
// what they write, gets a fence in front: without it, it may see the memory as
// it was before them, whatever barrier lies between. (PTX ISA, "Memory
// Consistency Model", "Proxies".)
//
// A fence of the IR before which nothing is pending orders nothing and goes;
// not in a partition, since another may have written to its memory.
//
// The other way round needs none: who waits for asynchronous work sees it. Nor
// do `cp.async` copies into memory that a tensor core reads, which real Triton
// orders by the wait for them and a barrier alone.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/memory/FunctionBuffers.h"
#include "passes/memory/PendingWalk.h"
#include "passes/memory/ProxyAccess.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;
using ttg::Completion;
using ttg::Proxy;

namespace kernelscope {
#define GEN_PASS_DEF_INSERTPROXYFENCES
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// An access to a place in shared memory.
struct PlacedAccess : ProxyAccess {
  Interval place;
  /// False for a copy by `cp.async` until it has been waited for.
  bool isDone = true;

  bool needsFenceBefore(const PlacedAccess &next) const {
    return isDone && place.overlaps(next.place) &&
           ProxyAccess::needsFenceBefore(next);
  }
  bool operator==(const PlacedAccess &) const = default;
};

class FenceInserter : PendingWalk<PlacedAccess> {
public:
  explicit FenceInserter(ModuleOp module) : functions(module) {
    for (FunctionOpInterface function : functions.entries())
      visit(function.getFunctionBody(), {});
    for (auto [fence, isNeeded] : fencesOfIR)
      if (!isNeeded)
        fence->erase();
  }

private:
  using PendingWalk::visit;
  void visit(Operation *op, Pending &pending) override {
    if (auto call = dyn_cast<CallOpInterface>(op))
      if (FunctionOpInterface callee = functions.calleeOf(call)) {
        visitCallee(callee, pending);
        return;
      }
    if (auto found = dyn_cast<ttng::FenceAsyncSharedOp>(op)) {
      if (!isTrying)
        isNeeded(found) |= llvm::any_of(
            pending, [](const PlacedAccess &access) { return access.isDone; });
      fence(pending);
      return;
    }
    if (auto wait = dyn_cast<ttg::AsyncWaitOpInterface>(op);
        wait && wait.getAwaited() == Completion::CommitGroup)
      pending.change([](PlacedAccess &access) { access.isDone = true; });

    const Buffers::Buffer *scratch = functions.around(op).scratchOf(op);
    if (scratch)
      pending.add({ProxyAccess{/*isWrite=*/true}, scratch->place});
    if (op->getNumRegions() && (!scratch || isa<ttg::WarpSpecializeOp>(op))) {
      // One fence in front does for all iterations, and for all partitions.
      if (isa<LoopLikeOpInterface, ttg::WarpSpecializeOp>(op) && !isTrying &&
          needsFenceInside(op, pending) && !needsFenceInside(op, {}))
        insertBefore(op, pending);
      visitRegions(op, pending);
      return;
    }

    Pending accesses = accessesOf(op);
    if (llvm::any_of(accesses, [&](const PlacedAccess &next) {
          return llvm::any_of(pending, [&](const PlacedAccess &before) {
            return before.needsFenceBefore(next);
          });
        }))
      insertBefore(op, pending);
    accesses.drop([](const PlacedAccess &access) {
      return access.proxy != Proxy::Generic;
    });
    pending.add(accesses);
  }

  /// Whether an op inside `op` would get a fence with `pending` in front.
  bool needsFenceInside(Operation *op, Pending pending) {
    isTrying = true;
    needsFence = false;
    auto visited = callees;
    visitRegions(op, pending);
    callees = std::move(visited);
    isTrying = false;
    return needsFence;
  }

  void insertBefore(Operation *op, Pending &pending) {
    needsFence = true;
    if (!isTrying) {
      OpBuilder builder(op);
      // The other CTA of the pair has stored its part, too.
      const bool isPair = op->hasAttr("two_ctas");
      ttng::FenceAsyncSharedOp::create(builder, op->getLoc(), isPair);
      if (isPair && !op->getParentOfType<ttg::WarpSpecializeOp>())
        ttng::ClusterBarrierOp::create(builder, op->getLoc(),
                                       /*relaxed=*/false);
    }
    fence(pending);
  }

  /// Whether a visit has found something for `fence`, or would not see it.
  bool &isNeeded(ttng::FenceAsyncSharedOp fence) {
    auto [entry, isNew] = fencesOfIR.try_emplace(fence);
    if (isNew)
      entry->second = fence.getBCluster() ||
                      fence->getParentOfType<ttg::WarpSpecializeOp>() ||
                      mayAccessUnseen(fence);
    return entry->second;
  }

  /// Whether the function around `op` has code that is not looked into.
  static bool mayAccessUnseen(Operation *op) {
    return op->getParentOfType<FunctionOpInterface>()
        ->walk([](tt::ElementwiseInlineAsmOp op) {
          return op.getPure() ? WalkResult::advance() : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// What threads are done with is seen in all ways from here on.
  static void fence(Pending &pending) {
    pending.drop([](const PlacedAccess &access) { return access.isDone; });
  }

  Pending accessesOf(Operation *op) const {
    Pending accesses;
    for (const ttg::MemoryAccess &access : ttg::accessesOf(op))
      if (std::optional<ProxyAccess> found = ProxyAccess::of(access))
        for (const Buffers::Buffer *buffer :
             functions.around(op).buffersOf(access.memory))
          accesses.add({*found, buffer->place, /*isDone=*/!found->isCopy});
    return accesses;
  }

  FunctionBuffers functions;
  /// The fences that the IR had, and whether they are needed.
  llvm::MapVector<Operation *, bool> fencesOfIR;
  /// Only finds out whether a fence is needed.
  bool isTrying = false, needsFence = false;
};

struct InsertProxyFences
    : kernelscope::impl::InsertProxyFencesBase<InsertProxyFences> {
  using InsertProxyFencesBase::InsertProxyFencesBase;

  void runOnOperation() override {
    FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
    if (failed(target) || failed(checkLayouts(getOperation())))
      return signalPassFailure();
    // AMD's chips reach LDS in one way.
    if (!target->isNvidia())
      return;
    FenceInserter inserter(getOperation());
  }
};

} // namespace
