//===- PhaseParity.cpp - a phase that never flips -------------------------===//
//
// A wait names the parity of the phase it waits for. Where a loop completes a
// phase each time around, that must flip whenever the same barrier comes up
// again: a wait for the wrong parity returns at once, or never.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Barriers.h"
#include "passes/lint/Lint.h"

#include "dialects/ttng/TTNG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

static bool isInvariant(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp()) ||
         constantOf(value).has_value();
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
  auto from = constantOf(counted.getLowerBound()),
       to = constantOf(counted.getUpperBound()),
       step = constantOf(counted.getStep());
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
        !isOneBarrier(use.barrier, loop) == isOneBarrier(wait.barrier, loop) ||
        (isOneBarrier(wait.barrier, loop) &&
         !areSameView(use.barrier, wait.barrier)))
      continue;
    if (arrivalsOf(use.op).value_or(0) > 0)
      armed = use.op;
  }
  return armed;
}

static void check(const BarrierRing &ring, const BarrierUse &use,
                  EmitLint emit) {
  auto wait = cast<ttng::WaitBarrierOp>(use.op);
  Operation *loop = loopAround(wait);
  if (!loop || wait->getParentOp() != loop ||
      !isInvariant(wait.getPhase(), loop))
    return;
  // A second wait, or a new barrier, each time around changes the count.
  for (const BarrierUse &other : ring.uses)
    if (other.op != wait && loop->isAncestor(other.op) &&
        isa<ttng::WaitBarrierOp, ttng::InitBarrierOp>(other.op))
      return;
  int64_t distinct = isOneBarrier(use.barrier, loop) ? 1 : ring.depth();
  std::optional<int64_t> trips = tripCount(loop);
  if (trips && *trips <= distinct)
    return;
  Operation *armed = armedBy(ring, use, loop);
  if (!armed)
    return;
  std::string phase = "phase";
  if (std::optional<int64_t> constant = constantOf(wait.getPhase()))
    phase += " " + std::to_string(*constant);
  emit({wait, "phase-parity",
        "waits for the same " + phase + " each time around the loop, but " +
            (distinct == 1 ? "the barrier completes a phase each time"
                           : "its ring of " + std::to_string(distinct) +
                                 " barriers comes around") +
            "; the phase must flip",
        armed, "arrives here, each time around"});
}

void kernelscope::lintPhaseParity(const Barriers &barriers, EmitLint emit) {
  for (const BarrierRing &ring : barriers.rings())
    for (const BarrierUse &wait : ring.usesBy<ttng::WaitBarrierOp>())
      check(ring, wait, emit);
}
