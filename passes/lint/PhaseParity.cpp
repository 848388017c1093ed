//===- PhaseParity.cpp - a phase that never flips -------------------------===//
//
// A wait names the parity of the phase it waits for. Where a loop completes a
// phase each time around, that must flip whenever the same barrier comes up
// again: a wait for the wrong parity returns at once, or never.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

static bool isInvariant(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp()) ||
         tt::constantOf(value).has_value();
}

/// Of a barrier that the loop takes from a ring: by a fixed number, or not.
static bool isOneBarrier(Value barrier, Operation *loop) {
  if (isInvariant(barrier, loop))
    return true;
  auto index = barrier.getDefiningOp<ttg::MemDescIndexOp>();
  return index && isInvariant(index.getIndex(), loop) &&
         isOneBarrier(index.getSrc(), loop);
}

/// The most times that a loop runs; nothing when that is not known.
static std::optional<int64_t> tripCount(Operation *loop) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted)
    return std::nullopt;
  auto from = tt::constantOf(counted.getLowerBound()),
       to = tt::constantOf(counted.getUpperBound()),
       step = tt::constantOf(counted.getStep());
  if (!from || !to || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*to - *from + *step - 1) / *step);
}

/// The barrier completes a phase whenever the loop goes around: it is armed in
/// the loop's own body, and not made anew there.
static Operation *armedBy(const BarrierRing &ring, const BarrierUse &wait,
                          Operation *loop) {
  Operation *armed = nullptr;
  for (const BarrierUse &use : ring.uses) {
    if (!loop->isAncestor(use.op) || use.op == wait.op)
      continue;
    if (use.op->getParentOp() != loop ||
        !isOneBarrier(use.barrier(), loop) ==
            isOneBarrier(wait.barrier(), loop) ||
        (isOneBarrier(wait.barrier(), loop) &&
         !areSameView(use.barrier(), wait.barrier())))
      continue;
    if (use.action.arrivals().value_or(0) > 0)
      armed = use.op;
  }
  return armed;
}

static void check(const BarrierRing &ring, const BarrierUse &use,
                  EmitLint emit) {
  Operation *wait = use.op;
  Value phase = use.action.phase;
  Operation *loop = loopAround(wait);
  if (!loop || wait->getParentOp() != loop || !isInvariant(phase, loop))
    return;
  // A second wait, or a new barrier, each time around changes the count.
  for (const BarrierUse &other : ring.uses)
    if (other.op != wait && loop->isAncestor(other.op) &&
        (other.action.kind == BarrierAction::Wait ||
         other.action.kind == BarrierAction::Init))
      return;
  int64_t distinct = isOneBarrier(use.barrier(), loop) ? 1 : ring.depth();
  std::optional<int64_t> trips = tripCount(loop);
  if (trips && *trips <= distinct)
    return;
  Operation *armed = armedBy(ring, use, loop);
  if (!armed)
    return;
  std::string words = "phase";
  if (std::optional<int64_t> constant = tt::constantOf(phase))
    words += " " + std::to_string(*constant);
  emit({wait, "phase-parity",
        "waits for the same " + words + " in every iteration, but " +
            (distinct == 1 ? "the barrier completes a phase in each"
                           : "its ring of " + std::to_string(distinct) +
                                 " barriers wraps around") +
            "; the phase must flip",
        armed, "arrives here in every iteration"});
}

void kernelscope::lintPhaseParity(LintInput &input, EmitLint emit) {
  for (const BarrierRing &ring : input.barriers().rings())
    for (const BarrierUse &wait : ring.usesOf(BarrierAction::Wait))
      check(ring, wait, emit);
}
