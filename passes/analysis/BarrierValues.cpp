//===- BarrierValues.cpp - what a run knows of values ---------------------===//

#include "passes/analysis/BarrierMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelscope;

/// An argument of the function: a large size, unlike the others, or what makes
/// a loop that it bounds run.
RunValue BarrierMachine::argument(BlockArgument value) const {
  if (value.getOwner() != program.entry())
    return {};
  if (value.getType().isInteger(1))
    return {-1, {}};
  if (!value.getType().isIntOrIndex())
    return {};
  for (OpOperand &use : value.getUses())
    if (isa<scf::ForOp>(use.getOwner()) && use.getOperandNumber() != 1 &&
        use.getOperandNumber() < 3)
      return {use.getOperandNumber() == 0 ? 0 : 1, {}};
  return {256 * (int64_t(value.getArgNumber()) + 1), {}};
}

RunValue BarrierMachine::valueOf(Value value) {
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  if (auto argumentOfEntry = dyn_cast<BlockArgument>(value))
    return argument(argumentOfEntry);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.trySExtValue(), {}};
  StringRef name = value.getDefiningOp()->getName().getStringRef();
  // One of the middle of a grid, where no loop over what comes before or after
  // is empty.
  if (name == tt::GetProgramIdOp::getOperationName())
    return {3, {}};
  if (name == tt::GetNumProgramsOp::getOperationName())
    return {8, {}};
  return {};
}

void BarrierMachine::evaluate(Operation *op) {
  Value result = op->getResult(0);
  if (isa<ttg::AllocOpInterface>(op)) {
    values[result] = {std::nullopt, result};
  } else if (auto index = dyn_cast<ttg::MemDescIndexOp>(op)) {
    RunValue ring = valueOf(index.getSrc());
    // Only one dimension is that of the ring.
    if (!ring.allocation || ring.number ||
        index.getSrc().getType().getRank() != 2)
      values[result] = {};
    else
      values[result] = {scalarOf(index.getIndex()), ring.allocation};
    if (!values[result].number)
      values[result] = {};
  } else if (op->hasTrait<ttg::MemDescView>()) {
    values[result] = {};
  } else if (auto select = dyn_cast<arith::SelectOp>(op);
             select && !isScalarOp(op)) {
    Scalar condition = scalarOf(select.getCondition());
    values[result] = !condition   ? RunValue()
                     : *condition ? valueOf(select.getTrueValue())
                                  : valueOf(select.getFalseValue());
  } else {
    SmallVector<Scalar, 3> operands;
    for (Value operand : op->getOperands())
      operands.push_back(scalarOf(operand));
    values[result] = {evaluateScalar(op, operands), {}};
  }
}

Scalar BarrierMachine::editedPhase() {
  Scalar phase = scalarOf(edit->base);
  if (phase && edit->counts)
    phase = *phase / edit->divisor & 1;
  return phase && edit->flips ? *phase ^ 1 : phase;
}

void BarrierMachine::assign(ValueRange to, ValueRange from) {
  SmallVector<RunValue> moved;
  for (Value value : from)
    moved.push_back(valueOf(value));
  for (auto [target, value] : llvm::zip(to, moved))
    values[target] = value;
}
