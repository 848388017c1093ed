//===- AsyncWaitMissing.cpp - reads that nothing waits before -------------===//
//
// Data of an asynchronous copy is there only after a wait. A load that AMD's
// lowering takes as guarded by one gets no wait of its own, so one must come
// before it; nor does any load get one from a buffer that a copy writes.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Barriers.h"
#include "passes/lint/Lint.h"

#include "dialects/amdg/AMDG.h"
#include "dialects/ttng/TTNG.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace kernelscope;

/// The buffer that a view is of; null when it was carried or passed here.
static Value bufferOf(Value view) {
  Operation *op = view.getDefiningOp();
  while (op && op->hasTrait<ttg::MemDescView>())
    op = op->getOperand(0).getDefiningOp();
  return op && isa<ttg::LocalAllocOp>(op) ? op->getResult(0) : Value();
}

static bool waits(Operation *op) {
  // A function that is called may wait.
  return op->hasTrait<ttg::MemWaitTrait>() ||
         isa<ttng::WaitBarrierOp, amdg::WaitBarrierOp, CallOpInterface>(op);
}

static Value destinationOf(Operation *copy) {
  if (auto async = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(copy))
    return async.getResult();
  if (auto buffer = dyn_cast<amdg::BufferLoadToLocalOp>(copy))
    return buffer.getDest();
  if (auto block = dyn_cast<amdg::AsyncTDMCopyGlobalToLocalOp>(copy))
    return block.getResult();
  return {};
}

void kernelscope::lintAsyncWaitMissing(Operation *function, EmitLint emit) {
  // In the order of the text: what comes after one wait is taken as covered,
  // and so is all of a loop that waits somewhere.
  bool waited = false;
  DenseMap<Value, Operation *> written;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (waited)
      return WalkResult::interrupt();
    if (isa<LoopLikeOpInterface>(op))
      op->walk([&](Operation *inner) { waited |= waits(inner); });
    waited |= waits(op);
    if (waited)
      return WalkResult::interrupt();
    if (Value destination = destinationOf(op))
      if (Value buffer = bufferOf(destination))
        written.try_emplace(buffer, op);
    auto load = dyn_cast<ttg::LocalLoadOp>(op);
    if (!load)
      return WalkResult::advance();
    if (isSyncedLoad(load)) {
      emit({load, "async-wait-missing",
            "is marked as guarded by an asynchronous wait, but none comes "
            "before it",
            nullptr, ""});
      return WalkResult::advance();
    }
    Value buffer = bufferOf(load.getSrc());
    auto copy = buffer ? written.find(buffer) : written.end();
    // Of a ring, only the same buffer is sure to be the one that is written.
    if (copy != written.end() &&
        areSameView(load.getSrc(), destinationOf(copy->second)))
      emit({load, "async-wait-missing",
            "reads shared memory that an asynchronous copy writes; a wait must "
            "come between them",
            copy->second, "written by this copy"});
    return WalkResult::advance();
  });
}
