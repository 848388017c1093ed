//===- IterationValues.cpp - What integers are in each iteration ----------===//

#include "passes/analysis/IterationValues.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace kernelscope;

/// No ring has more slots.
constexpr size_t longestPeriod = 64;

/// What stands for `value` inside the region that gives it.
static Value insideRegion(Value value) {
  while (auto region = value.getDefiningOp<scf::ExecuteRegionOp>()) {
    Operation *end = region.getRegion().front().getTerminator();
    if (!region.getRegion().hasOneBlock() || !isa<scf::YieldOp>(end))
      break;
    value = end->getOperand(cast<OpResult>(value).getResultNumber());
  }
  return value;
}

IterationValues::Known
IterationValues::combineCounters(Operation *op, ArrayRef<Sequence> operands) {
  const Sequence &first = operands[0];
  if (operands.size() == 1)
    return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
               arith::IndexCastOp, arith::IndexCastUIOp>(op)
               ? Known(first)
               : std::nullopt;
  if (operands.size() != 2 || !first.table.empty() ||
      !operands[1].table.empty())
    return std::nullopt;
  const Sequence &second = operands[1];
  if (isa<arith::AddIOp>(op))
    return Sequence{first.start + second.start, first.step + second.step, {}};
  if (isa<arith::SubIOp>(op))
    return Sequence{first.start - second.start, first.step - second.step, {}};
  if (!second.isConstant())
    return std::nullopt;
  if (isa<arith::MulIOp>(op))
    return Sequence{first.start * second.start, first.step * second.start, {}};
  int64_t period = 0;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && first.start >= 0 &&
      first.step >= 0)
    period = second.start;
  else if (isa<arith::AndIOp>(op) && llvm::isPowerOf2_64(second.start + 1))
    period = second.start + 1;
  if (period <= 0 || size_t(period) > longestPeriod)
    return std::nullopt;
  Sequence result;
  for (int64_t k = 0; k < period; ++k)
    result.table.push_back((first.at(k) % period + period) % period);
  return result;
}

IterationValues::Known IterationValues::combine(Operation *op,
                                                ArrayRef<Sequence> operands) {
  size_t period = 1;
  for (const Sequence &operand : operands) {
    if (!operand.repeats())
      return combineCounters(op, operands);
    period = std::lcm(period, operand.period());
  }
  if (period > longestPeriod)
    return std::nullopt;
  ScalarOp computed(op);
  Sequence result;
  for (size_t k = 0; k < period; ++k) {
    SmallVector<Scalar, 3> now;
    for (const Sequence &operand : operands)
      now.push_back(operand.at(static_cast<int64_t>(k)));
    Scalar value = computed.compute(now);
    if (!value)
      return std::nullopt;
    result.table.push_back(*value);
  }
  if (period == 1)
    result = {result.table[0], 0, {}};
  return result;
}

IterationValues::Known
IterationValues::sequenceOfArgument(BlockArgument argument) {
  auto found = ofArguments.find(argument);
  if (found != ofArguments.end())
    return found->second;
  ofArguments[argument] = std::nullopt;
  OpOperand *init = loop.getTiedLoopInit(argument);
  Scalar start = init ? knownScalar(init->get()) : std::nullopt;
  if (!start)
    return std::nullopt;
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  auto nextIf = [&](const Sequence &now) {
    ofArguments[argument] = now;
    Known after = sequenceOf(next);
    ofArguments[argument] = std::nullopt;
    return after;
  };

  // A counter, by induction.
  Known second = nextIf({*start, 0, {}});
  if (!second)
    return std::nullopt;
  const int64_t step = second->at(0) - *start;
  Known after = nextIf({*start, step, {}});
  if (after && after->table.empty() && after->start == *start + step &&
      after->step == step)
    return ofArguments[argument] = Sequence{*start, step, {}};

  // What comes back to its start.
  Sequence result;
  size_t period = 1;
  for (int64_t now = *start; result.table.size() < longestPeriod;) {
    result.table.push_back(now);
    after = nextIf({now, 0, {}});
    if (!after || !after->repeats())
      return std::nullopt;
    period = std::lcm(period, after->period());
    now = after->at(static_cast<int64_t>(result.table.size()) - 1);
    if (now == *start && result.table.size() % period == 0)
      return ofArguments[argument] = result;
  }
  return std::nullopt;
}

IterationValues::Known IterationValues::sequenceOf(Value value,
                                                   unsigned depth) {
  value = insideRegion(value);
  if (Scalar known = knownScalar(value))
    return Sequence{*known, 0, {}};
  if (value == loop.getInductionVar()) {
    Scalar start = knownScalar(loop.getLowerBound());
    Scalar step = knownScalar(loop.getStep());
    return start && step ? Known(Sequence{*start, *step, {}}) : std::nullopt;
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == loop.getBody() ? sequenceOfArgument(argument)
                                                 : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (depth == 12 || !loop->isProperAncestor(op) || !isScalarOp(op))
    return std::nullopt;
  SmallVector<Sequence, 3> operands;
  for (Value operand : op->getOperands()) {
    Known known = sequenceOf(operand, depth + 1);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  return combine(op, operands);
}

bool IterationValues::differ(Value before, Value after, unsigned later) {
  Known a = sequenceOf(before), b = sequenceOf(after);
  if (!a || !b)
    return false;
  if (!a->repeats() || !b->repeats())
    return a->table.empty() && b->table.empty() && a->step == b->step &&
           a->start != b->at(later);
  const size_t period = std::lcm(a->period(), b->period());
  for (size_t k = 0; k < period; ++k)
    if (a->at(static_cast<int64_t>(k)) ==
        b->at(static_cast<int64_t>(k + later)))
      return false;
  return true;
}

/// The index into the memory that `memory` is a view of, and that memory.
static ttg::MemDescIndexOp outermostIndex(Value memory) {
  ttg::MemDescIndexOp index;
  for (Operation *view = insideRegion(memory).getDefiningOp();
       isa_and_nonnull<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp,
                       ttg::MemDescTransOp, ttg::MemDescReshapeOp>(view);
       view = insideRegion(view->getOperand(0)).getDefiningOp())
    if (auto found = dyn_cast<ttg::MemDescIndexOp>(view))
      index = found;
  return index;
}

bool IterationValues::areInDifferentSlots(Value before, Value after,
                                          unsigned later) {
  ttg::MemDescIndexOp first = outermostIndex(before);
  ttg::MemDescIndexOp second = outermostIndex(after);
  return first && second && first.getSrc() == second.getSrc() &&
         first.getSrc().getDefiningOp<ttg::LocalAllocOp>() &&
         differ(first.getIndex(), second.getIndex(), later);
}
