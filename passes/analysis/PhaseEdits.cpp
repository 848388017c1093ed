//===- PhaseEdits.cpp - how a wait gets the phase that completes ----------===//
//
// What people write by hand is tried, and the run says what mends the program:
// the other phase; one that flips in each iteration; a bit of a loop's counter,
// which for a ring flips when the index wraps.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/BarrierMachine.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// The operand of `wait` that is its phase, and how many barriers its ring has.
static OpOperand *phaseOf(Operation *wait) {
  for (const BarrierAction &action : ttg::barrierActionsOf(wait))
    if (action.kind == BarrierAction::Wait)
      for (OpOperand &operand : wait->getOpOperands())
        if (operand.get() == action.phase)
          return &operand;
  return nullptr;
}

static int64_t depthAt(Operation *wait, const Barriers &barriers) {
  for (const BarrierRing &ring : barriers.rings())
    for (const BarrierUse &use : ring.uses)
      if (use.op == wait)
        return std::max<int64_t>(ring.depth(), 1);
  return 1;
}

static SmallVector<PhaseEdit> candidatesFor(Operation *wait, int64_t depth) {
  SmallVector<PhaseEdit> edits;
  OpOperand *phase = phaseOf(wait);
  if (!phase || !phase->get().getType().isInteger(32))
    return edits;
  // What a loop carries unchanged flips at its end.
  if (auto carried = dyn_cast<BlockArgument>(phase->get()))
    if (auto loop = dyn_cast<scf::ForOp>(carried.getOwner()->getParentOp());
        loop && carried.getArgNumber() > 0) {
      OpOperand &yielded = loop.getBody()->getTerminator()->getOpOperand(
          carried.getArgNumber() - 1);
      if (yielded.get() == carried)
        edits.push_back({&yielded, carried, false, 1, true});
    }
  edits.push_back({phase, phase->get(), false, 1, true});
  for (auto loop = wait->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    auto from = tt::constantOf(loop.getLowerBound()),
         by = tt::constantOf(loop.getStep());
    if (from != 0 || !by || *by < 1 || partitionOf(loop) != partitionOf(wait))
      continue;
    for (int64_t divisor : {*by, *by * depth})
      for (bool flips : {false, true})
        edits.push_back({phase, loop.getInductionVar(), true, divisor, flips});
  }
  return edits;
}

std::optional<PhaseEdit> kernelscope::findPhaseEdit(const BarrierFault &fault,
                                                    Operation *function,
                                                    const Barriers &barriers) {
  std::optional<BarrierProgram> program =
      BarrierProgram::create(function, barriers);
  if (!program)
    return std::nullopt;
  for (const PhaseEdit &edit :
       candidatesFor(fault.wait, depthAt(fault.wait, barriers))) {
    BarrierMachine machine(barriers, *program, &edit);
    if (!machine.run() && !machine.hasFailed())
      return edit;
  }
  return std::nullopt;
}
