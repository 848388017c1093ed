//===- PhaseParity.cpp - waits for the wrong phase ------------------------===//
//
// A wait names the parity of the phase it waits for, which must flip whenever
// the same barrier comes up again: a wait for the wrong one never ends, or
// returns at once and its data is not there yet.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// The wait's part of `op`.
static BarrierAction waitOf(Operation *op) {
  for (BarrierAction &action : ttg::barrierActionsOf(op))
    if (action.kind == BarrierAction::Wait)
      return action;
  return {};
}

/// Whether `value` is the same in all iterations of the loop around `op`: from
/// outside, or a value that the loop carries and does not change.
static bool isSameInEach(Value value, Operation *op) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  if (!loop)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner()->getParentOp() == loop)
      if (OpOperand *yielded = loop.getTiedLoopYieldedValue(argument))
        return yielded->get() == value;
  return tt::constantOf(value) || loop.isDefinedOutsideOfLoop(value);
}

static std::string describe(const BarrierFault &fault,
                            const Barriers &barriers) {
  if (fault.reason == BarrierFault::NothingArrives)
    return "waits for phase " + std::to_string(fault.phase) +
           " before anything can arrive at the barrier, and so never ends; a "
           "first wait that must not block waits for phase 1";
  BarrierAction wait = waitOf(fault.wait);
  int64_t depth = 1;
  for (const BarrierRing &ring : barriers.rings())
    for (const BarrierUse &use : ring.uses)
      if (use.op == fault.wait)
        depth = ring.depth();
  if (fault.isRepeated && isSameInEach(wait.phase, fault.wait))
    return "waits for the same phase " + std::to_string(fault.phase) +
           " in every iteration, but " +
           (depth == 1 ? "the barrier completes a phase in each"
                       : "its ring of " + std::to_string(depth) +
                             " barriers wraps around") +
           "; the phase must flip";
  return "waits for phase " + std::to_string(fault.phase) +
         (fault.isRepeated ? " in an iteration in which " : ", but ") +
         "the barrier completes phase " + std::to_string(1 - fault.phase) +
         "; the phase must flip each time the same barrier is reused";
}

/// Whether an op alone arrives at some barrier more often than its phase takes:
/// another rule's, and a wait elsewhere is out of step.
static bool isOverrun(const Barriers &barriers) {
  return llvm::any_of(barriers.rings(), [](const BarrierRing &ring) {
    std::optional<int64_t> needed =
        ring.usesOf(BarrierAction::Init)[0].action.count;
    return needed && llvm::any_of(ring.uses, [&](const BarrierUse &use) {
             return use.action.arrivals().value_or(0) > *needed;
           });
  });
}

void kernelscope::lintPhaseParity(LintInput &input, EmitLint emit) {
  const std::optional<BarrierFault> &fault = input.endlessWait();
  if (!fault ||
      (fault->reason != BarrierFault::WrongPhase &&
       fault->reason != BarrierFault::NothingArrives) ||
      isOverrun(input.barriers()))
    return;
  LintFinding finding = {fault->wait, "phase-parity",
                         describe(*fault, input.barriers()), fault->last,
                         fault->isAcrossPartitions
                             ? "arrives here, in another partition"
                         : fault->isRepeated ? "arrives here in every iteration"
                                             : "arrives here"};
  if (auto edit = findPhaseEdit(*fault, input.function, input.barriers()))
    finding.fix = *edit;
  emit(std::move(finding));
}
