//===- BarrierArrivals.cpp - arrivals needed, arrivals that come ----------===//
//
// A phase ends after the number of arrivals that `ttng.init_barrier` says. One
// op that arrives more often than that breaks the barrier; where all arrivals
// and the wait are in one block, their sum has to be that number.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Barriers.h"
#include "passes/lint/Lint.h"

#include "dialects/ttng/TTNG.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

/// The number that every barrier of the ring is made for; the op that says so.
static ttng::InitBarrierOp initOf(const BarrierRing &ring) {
  ttng::InitBarrierOp first;
  for (const BarrierUse &use : ring.uses) {
    auto init = dyn_cast<ttng::InitBarrierOp>(use.op);
    if (!init)
      continue;
    if (first && init.getCount() != first.getCount())
      return {};
    first = first ? first : init;
  }
  return first;
}

/// Whether the arrival happens each time that the op is run.
static bool isUnconditional(Operation *op) {
  Value predicate;
  if (auto expect = dyn_cast<ttng::BarrierExpectOp>(op))
    predicate = expect.getPred();
  else if (auto arrive = dyn_cast<ttng::ArriveBarrierOp>(op))
    predicate = arrive.getPred();
  else if (auto commit = dyn_cast<ttng::TCGen5CommitOp>(op))
    predicate = commit.getPred();
  else
    return false; // Tensor cores have a predicate a barrier.
  return !predicate || constantOf(predicate).value_or(0) != 0;
}

/// All of `uses` in one block, each on the barrier of the first.
static bool areTogether(ArrayRef<BarrierUse> uses) {
  return llvm::all_of(uses, [&](const BarrierUse &use) {
    return use.op->getBlock() == uses.front().op->getBlock() &&
           areSameView(use.barrier, uses.front().barrier);
  });
}

static std::string times(int64_t count) {
  return std::to_string(count) + (count == 1 ? " arrival" : " arrivals");
}

static void check(const BarrierRing &ring, ttng::InitBarrierOp init,
                  EmitLint emit) {
  int64_t needed = init.getCount(), sum = 0;
  SmallVector<BarrierUse> arriving;
  bool inCluster = ttg::lookupNumCTAs(init) != 1;
  for (const BarrierUse &use : ring.uses) {
    std::optional<int64_t> count = arrivalsOf(use.op);
    // Other CTAs may arrive too, except where an op says how many do.
    if (!count ||
        (inCluster && *count != 0 &&
         !isa<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp, ttng::TCGen5CommitOp>(
             use.op)))
      return;
    if (*count == 0)
      continue;
    if (*count > needed) {
      emit({init, "barrier-arrivals",
            "makes a barrier for " + times(needed) + " a phase, but " +
                quote(use.op) + " alone gives " + std::to_string(*count),
            use.op, times(*count) + " here"});
      return;
    }
    arriving.push_back(use);
    sum += *count;
  }
  // One wait that all arrivals are for.
  SmallVector<BarrierUse> together = arriving;
  SmallVector<BarrierUse> waits = ring.usesBy<ttng::WaitBarrierOp>();
  llvm::append_range(together, waits);
  bool isCertain =
      arriving.size() == 1 || llvm::all_of(arriving, [](const BarrierUse &use) {
        return isUnconditional(use.op);
      });
  if (sum == needed || arriving.empty() || waits.size() != 1 || !isCertain ||
      !areTogether(together))
    return;
  emit({init, "barrier-arrivals",
        "makes a barrier for " + times(needed) +
            " a phase, but between two waits there " +
            (sum == 1 ? "is " : "are ") + std::to_string(sum) +
            (sum < needed ? ": the wait never ends"
                          : ": it ends before all have arrived"),
        arriving.front().op,
        times(*arrivalsOf(arriving.front().op)) + " here"});
}

void kernelscope::lintBarrierArrivals(const Barriers &barriers, EmitLint emit) {
  for (const BarrierRing &ring : barriers.rings())
    if (ttng::InitBarrierOp init = initOf(ring))
      check(ring, init, emit);
}
