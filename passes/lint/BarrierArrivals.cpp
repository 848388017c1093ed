//===- BarrierArrivals.cpp - arrivals needed, arrivals that come ----------===//
//
// A phase ends after the number of arrivals that `ttng.init_barrier` says. One
// op that arrives more often than that breaks the barrier; where all arrivals
// and the wait are in one block, their sum has to be that number.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// The op that makes the barriers, if all of them are made for one number.
static const BarrierUse *initOf(const BarrierRing &ring) {
  const BarrierUse *first = nullptr;
  for (const BarrierUse &use : ring.uses) {
    if (use.action.kind != BarrierAction::Init)
      continue;
    if (first && use.action.count != first->action.count)
      return nullptr;
    first = first ? first : &use;
  }
  return first && first->action.count ? first : nullptr;
}

/// Whether the arrival happens each time that the op is run.
static bool isUnconditional(const BarrierAction &action) {
  return llvm::all_of(action.predicates, [](Value predicate) {
    return tt::constantOf(predicate).value_or(0) != 0;
  });
}

/// All of `uses` in one block, each on the barrier of the first.
static bool areTogether(ArrayRef<BarrierUse> uses) {
  return llvm::all_of(uses, [&](const BarrierUse &use) {
    return use.op->getBlock() == uses.front().op->getBlock() &&
           areSameView(use.barrier(), uses.front().barrier());
  });
}

static std::string times(int64_t count) {
  return std::to_string(count) + (count == 1 ? " arrival" : " arrivals");
}

static void check(const BarrierRing &ring, const BarrierUse &init,
                  EmitLint emit) {
  int64_t needed = *init.action.count, sum = 0;
  SmallVector<BarrierUse> arriving;
  bool inCluster = ttg::lookupNumCTAs(init.op) != 1;
  for (const BarrierUse &use : ring.uses) {
    std::optional<int64_t> count = use.action.arrivals();
    // Other CTAs may arrive too, except where an op says how many do.
    if (!count || (inCluster && *count != 0 &&
                   use.action.kind != BarrierAction::ArriveWhenDone))
      return;
    if (*count == 0)
      continue;
    if (*count > needed) {
      emit({init.op, "barrier-arrivals",
            "initialises a barrier for " + times(needed) + " per phase, but " +
                quote(use.op) + " alone makes " + std::to_string(*count),
            use.op, times(*count) + " here"});
      return;
    }
    arriving.push_back(use);
    sum += *count;
  }
  // One wait that all arrivals are for.
  SmallVector<BarrierUse> together = arriving;
  SmallVector<BarrierUse> waits = ring.usesOf(BarrierAction::Wait);
  llvm::append_range(together, waits);
  bool isCertain =
      arriving.size() == 1 || llvm::all_of(arriving, [](const BarrierUse &use) {
        return isUnconditional(use.action);
      });
  if (sum == needed || arriving.empty() || waits.size() != 1 || !isCertain ||
      !areTogether(together))
    return;
  emit({init.op, "barrier-arrivals",
        "initialises a barrier for " + times(needed) +
            " per phase, but there " + (sum == 1 ? "is " : "are ") +
            std::to_string(sum) +
            (sum < needed ? " between two waits: the wait never ends"
                          : " between two waits: the phase completes before "
                            "all have arrived"),
        arriving.front().op, times(*arriving.front().action.count) + " here"});
}

void kernelscope::lintBarrierArrivals(LintInput &input, EmitLint emit) {
  for (const BarrierRing &ring : input.barriers().rings())
    if (const BarrierUse *init = initOf(ring))
      check(ring, *init, emit);
}
