//===- BarrierValues.cpp - what a run knows of values ---------------------===//

#include "passes/analysis/BarrierMachine.h"

using namespace mlir;
using namespace kernelscope;

void BarrierMachine::evaluate(const Step &step) {
  RunValue result;
  switch (step.kind) {
  case Step::Compute: {
    SmallVector<Scalar, 3> operands;
    for (RunId operand : step.operands)
      operands.push_back(values[operand].number);
    result.number = step.scalar.compute(operands);
    break;
  }
  case Step::Allocate:
    result = program.initial[step.results[0]];
    // In a loop it is another one each time.
    forgetAll(result.memory, /*wereFilled=*/false);
    break;
  case Step::Index: {
    const RunValue &ring = values[step.operands[0]];
    const Scalar &place = values[step.operands[1]].number;
    if (ring.memory >= 0 && !ring.number && !ring.isPart && place)
      result = {place, ring.memory};
    break;
  }
  case Step::View:
    result = values[step.operands[0]];
    result.isPart |= !step.isWhole;
    break;
  case Step::Select:
    if (Scalar condition = values[step.operands[0]].number)
      result = values[step.operands[*condition ? 1 : 2]];
    break;
  default:
    break;
  }
  set(step.results[0], result);
}

Scalar BarrierMachine::editedPhase() {
  Scalar phase = values[program.idOf(edit->base)].number;
  if (phase && edit->counts)
    phase = *phase / edit->divisor & 1;
  return phase && edit->flips ? *phase ^ 1 : phase;
}

/// All at once: a loop may swap what it carries.
void BarrierMachine::assign(ArrayRef<RunId> to, ArrayRef<RunId> from) {
  SmallVector<RunValue, 8> moved;
  for (RunId id : from)
    moved.push_back(values[id]);
  for (auto [id, value] : llvm::zip(to, moved))
    set(id, value);
}
