//===- BarrierSteps.cpp - the steps of a program of barriers --------------===//

#include "passes/analysis/BarrierProgram.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// An argument of the function: a large size, unlike the others, or what makes
/// a loop that it bounds run.
static RunValue argumentOf(BlockArgument value) {
  if (value.getType().isInteger(1))
    return {-1};
  if (!value.getType().isIntOrIndex())
    return {};
  for (OpOperand &use : value.getUses())
    if (isa<scf::ForOp>(use.getOwner()) && use.getOperandNumber() != 1 &&
        use.getOperandNumber() < 3)
      return {use.getOperandNumber() == 0 ? 0 : 1};
  return {128 * (int64_t(value.getArgNumber()) + 1)};
}

RunValue BarrierProgram::knownBefore(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == entryBlock ? argumentOf(argument)
                                             : RunValue();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.trySExtValue()};
  StringRef name = value.getDefiningOp()->getName().getStringRef();
  // One of the middle of a grid, where no loop over what comes before or after
  // is empty.
  if (name == tt::GetProgramIdOp::getOperationName())
    return {3};
  if (name == tt::GetNumProgramsOp::getOperationName())
    return {8};
  return {};
}

RunId BarrierProgram::define(Value value) {
  if (!known.contains(value))
    return noValue;
  auto [found, isNew] = ids.try_emplace(value, initial.size());
  if (isNew)
    initial.push_back(knownBefore(value));
  return found->second;
}

RunIds BarrierProgram::define(ValueRange values) {
  return llvm::map_to_vector<4>(values,
                                [&](Value value) { return define(value); });
}

void BarrierProgram::addMemory(Value allocation, int64_t depth) {
  if (RunId id = define(allocation))
    initial[id] = {std::nullopt, int(memories.size())};
  memories.push_back({allocation, depth, numSlots});
  numSlots += depth;
}

void BarrierProgram::addActions(const Barriers &barriers) {
  for (const BarrierRing &ring : barriers.rings())
    for (const BarrierUse &use : ring.uses) {
      StepAction action = {use.action.kind,
                           define(use.action.barrier),
                           use.action.phase ? define(use.action.phase)
                                            : noValue,
                           {},
                           use.action.count,
                           use.action.bytes};
      for (Value predicate : use.action.predicates)
        action.predicates.push_back(define(predicate));
      // Of a barrier that may be of several rings, each has the use.
      SmallVector<StepAction, 1> &own = actions[use.op];
      if (llvm::none_of(own, [&](const StepAction &other) {
            return other.kind == action.kind && other.barrier == action.barrier;
          }))
        own.push_back(std::move(action));
    }
}

void BarrierProgram::addAccesses(Step &step) {
  for (const ttg::MemoryAccess &access : ttg::accessesOf(step.op)) {
    RunId memory = access.memory ? define(access.memory) : noValue;
    if (memory == noValue || access.onBarrier)
      continue;
    const ttg::AccessMode &mode = access.mode;
    step.accesses.push_back(
        {memory, mode.predicate ? define(mode.predicate) : noValue,
         access.isWrite, mode.proxy == ttg::Proxy::TensorCore,
         mode.completion});
  }
}

/// The number of the block of `region`, whose values get theirs.
unsigned BarrierProgram::blockOf(Region &region) {
  Block &block = region.front();
  unsigned number = blocks.size();
  numbers[&block] = number;
  StepBlock added = {&block};
  added.arguments = define(block.getArguments());
  if (block.mightHaveTerminator())
    added.yielded = define(block.getTerminator()->getOperands());
  blocks.push_back(std::move(added));
  return number;
}

void BarrierProgram::addStep(Operation *op) {
  auto place = numbers.find(op->getBlock());
  if (place == numbers.end())
    return; // Under something that is not followed.
  unsigned block = place->second;
  Step step = {Step::Act, op};
  step.hasBarriers = aroundBarriers.contains(op);
  step.operands = define(op->getOperands());
  step.results = define(op->getResults());
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op)) {
    step.kind = isa<scf::ForOp>(op)     ? Step::For
                : isa<scf::WhileOp>(op) ? Step::While
                                        : Step::If;
    for (Region &region : op->getRegions())
      if (!region.empty())
        step.blocks.push_back(blockOf(region));
  } else if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op)) {
    step.kind = Step::Specialize;
    step.operands = define(specialized.getExplicitCaptures());
    SmallVector<Region *> regions = {&specialized.getDefaultRegion()};
    llvm::append_range(regions, specialized.getPartitionRegions());
    // With an empty one there is nothing to run.
    if (llvm::none_of(regions, [](Region *region) { return region->empty(); }))
      for (Region *region : regions)
        step.blocks.push_back(blockOf(*region));
  } else if (auto own = actions.find(op); own != actions.end()) {
    step.actions = own->second;
    step.waits = llvm::any_of(step.actions, [](const StepAction &action) {
      return action.kind == BarrierAction::Wait;
    });
  } else if (op->getNumResults() == 1 && step.results[0] != noValue) {
    if (initial[step.results[0]].number)
      return; // A constant.
    if (isScalarOp(op)) {
      step.kind = Step::Compute;
      step.scalar = ScalarOp(op);
    } else if (isa<ttg::AllocOpInterface>(op)) {
      step.kind = Step::Allocate;
    } else if (isa<ttg::MemDescIndexOp>(op)) {
      step.kind = Step::Index;
    } else if (op->hasTrait<ttg::MemDescView>()) {
      step.kind = Step::View;
      step.isWhole = isa<ttg::MemDescTransOp, ttg::MemDescReshapeOp>(op);
    } else if (isa<arith::SelectOp>(op)) {
      step.kind = Step::Select;
    }
  }
  if (onBuffers.contains(op))
    addAccesses(step);
  blocks[block].steps.push_back(std::move(step));
}

void BarrierProgram::build(Operation *function, const Barriers &barriers) {
  initial.push_back({});
  for (const BarrierRing &ring : barriers.rings())
    addMemory(ring.allocation, ring.depth());
  numRings = memories.size();
  numBarrierSlots = numSlots;
  for (const GuardedBuffer &buffer : barriers.buffers()) {
    addMemory(buffer.allocation, buffer.count);
    memories.back().isOnlyFilled = buffer.isOnlyFilled;
  }
  addActions(barriers);
  entry = blockOf(function->getRegion(0));
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (ops.contains(op))
      addStep(op);
  });
}
