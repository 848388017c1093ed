//===- AsyncWaitMissing.cpp - reads that nothing waits before -------------===//
//
// Data of an asynchronous copy is there only after a wait. A load that AMD's
// lowering takes as guarded by one gets no wait of its own, so one must come
// before it; nor does any load get one from a buffer that a copy writes.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/AsyncFlow.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace kernelscope;

/// The buffer that a view is of; null when it was carried or passed here.
static Value bufferOf(Value view) {
  Value buffer = ttg::lookThroughViews(view);
  return isa_and_nonnull<ttg::AllocOpInterface>(buffer.getDefiningOp())
             ? buffer
             : Value();
}

static bool waits(Operation *op) {
  // A function that is called may wait.
  return waitsForCopies(op) || isa<CallOpInterface>(op);
}

namespace {
/// A copy and what it writes.
struct Write {
  Operation *copy;
  Value destination;
};
} // namespace

void kernelscope::lintAsyncWaitMissing(LintInput &input, EmitLint emit) {
  // In the order of the text: what comes after one wait is taken as covered,
  // and so is all of a loop that waits somewhere.
  bool waited = false;
  DenseMap<Value, Write> written;
  input.function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (waited)
      return WalkResult::interrupt();
    if (isa<LoopLikeOpInterface>(op))
      op->walk([&](Operation *inner) { waited |= waits(inner); });
    waited |= waits(op);
    if (waited)
      return WalkResult::interrupt();
    for (Value destination : destinationsOf(op))
      if (Value buffer = bufferOf(destination))
        written.try_emplace(buffer, Write{op, destination});
    auto load = dyn_cast<ttg::LocalLoadOp>(op);
    if (!load)
      return WalkResult::advance();
    if (isSyncedLoad(load)) {
      emit({load, "async-wait-missing",
            "is marked as guarded by an asynchronous wait, but no wait comes "
            "before it",
            nullptr, ""});
      return WalkResult::advance();
    }
    Value buffer = bufferOf(load.getSrc());
    auto copy = buffer ? written.find(buffer) : written.end();
    // Of a ring, only the same buffer is sure to be the one that is written.
    if (copy != written.end() &&
        areSameView(load.getSrc(), copy->second.destination))
      emit({load, "async-wait-missing",
            "reads shared memory that an asynchronous copy writes; there must "
            "be a wait between the two",
            copy->second.copy, "written by this copy"});
    return WalkResult::advance();
  });
}
