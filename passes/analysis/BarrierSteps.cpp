//===- BarrierSteps.cpp - the steps of a program of barriers --------------===//

#include "passes/analysis/BarrierProgram.h"

#include "dialects/ttg/TTG.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

/// What a program has for its place in the grid, and for the grid's size: one
/// of the middle, where no loop over what comes before or after is empty.
constexpr int64_t programId = 3, numPrograms = 8;

/// The loop that `value` is a bound or the step of, also in a partition; null
/// for none.
static OpOperand *boundOf(Value value) {
  for (OpOperand &use : value.getUses()) {
    if (isa<scf::ForOp>(use.getOwner()) && use.getOperandNumber() < 3)
      return &use;
    if (isa<ttg::WarpSpecializePartitionsOp>(use.getOwner()))
      for (Value captured : flowsTo(use))
        if (OpOperand *bound = boundOf(captured))
          return bound;
  }
  return nullptr;
}

/// An argument of the function: a size of a few tiles, unlike its neighbours,
/// or what makes a loop that it bounds run so often that rings wrap around.
static Scalar argumentOf(BlockArgument value) {
  if (value.getType().isInteger(1))
    return -1;
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  constexpr int64_t anyStep = 3;
  const int64_t number = value.getArgNumber();
  OpOperand *bound = boundOf(value);
  if (!bound)
    return 256 * (2 + number % 2);
  if (bound->getOperandNumber() == 0)
    return 0;
  if (bound->getOperandNumber() == 2)
    return anyStep;
  auto loop = cast<scf::ForOp>(bound->getOwner());
  // A loop over tiles has others in it.
  bool isOverTiles = !tt::constantOf(loop.getLowerBound());
  int64_t step =
      tt::constantOf(loop.getStep()).value_or(isOverTiles ? numPrograms : 1);
  return std::clamp<int64_t>(step, 1, 1024) *
         (isOverTiles ? 4 + number % 2 : 12 + 4 * (number % 2));
}

Scalar kernelscope::plausibleNumber(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isOfFunction =
        argument.getOwner()->isEntryBlock() &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return isOfFunction ? argumentOf(argument) : std::nullopt;
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.trySExtValue();
  if (isa<tt::GetProgramIdOp>(value.getDefiningOp()))
    return programId;
  if (isa<tt::GetNumProgramsOp>(value.getDefiningOp()))
    return numPrograms;
  return std::nullopt;
}

RunIds BarrierProgram::idsOf(ValueRange values) const {
  return llvm::map_to_vector<4>(values,
                                [&](Value value) { return idOf(value); });
}

void BarrierProgram::addMemory(Value allocation, int64_t depth) {
  if (RunId id = idOf(allocation))
    initial[id] = {std::nullopt, int(memories.size())};
  memories.push_back({allocation, depth, numSlots});
  numSlots += depth;
}

void BarrierProgram::addActions(const Barriers &barriers) {
  for (const BarrierRing &ring : barriers.rings())
    for (const BarrierUse &use : ring.uses) {
      StepAction action = {use.action.kind,
                           idOf(use.action.barrier),
                           use.action.phase ? idOf(use.action.phase) : noValue,
                           {},
                           use.action.count,
                           use.action.bytes};
      for (Value predicate : use.action.predicates)
        action.predicates.push_back(idOf(predicate));
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
    RunId memory = access.memory ? idOf(access.memory) : noValue;
    if (memory == noValue || access.onBarrier)
      continue;
    const ttg::AccessMode &mode = access.mode;
    step.accesses.push_back(
        {memory, mode.predicate ? idOf(mode.predicate) : noValue,
         access.isWrite, mode.proxy == ttg::Proxy::TensorCore,
         mode.completion});
  }
}

/// The number of the block of `region`, whose values get theirs.
unsigned BarrierProgram::blockOf(Region &region) {
  Block &block = region.front();
  unsigned number = blocks.size();
  numbers[&block] = number;
  StepBlock &added = blocks.emplace_back();
  added.block = &block;
  added.steps.reserve(numSteps.lookup(&block));
  added.arguments = idsOf(block.getArguments());
  if (block.mightHaveTerminator())
    added.yielded = idsOf(block.getTerminator()->getOperands());
  return number;
}

void BarrierProgram::addStep(Operation *op) {
  auto place = numbers.find(op->getBlock());
  if (place == numbers.end())
    return; // Under something that is not followed.
  unsigned block = place->second;
  RunId result = op->getNumResults() == 1 ? idOf(op->getResult(0)) : noValue;
  if (initial[result].number)
    return; // A constant.
  Step &step = blocks[block].steps.emplace_back(Step{Step::Act, op});
  step.hasBarriers = aroundBarriers.contains(op);
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op)) {
    step.operands = idsOf(op->getOperands());
    step.results = idsOf(op->getResults());
    step.kind = isa<scf::ForOp>(op)     ? Step::For
                : isa<scf::WhileOp>(op) ? Step::While
                                        : Step::If;
    for (Region &region : op->getRegions())
      if (!region.empty())
        step.blocks.push_back(blockOf(region));
  } else if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op)) {
    step.kind = Step::Specialize;
    step.operands = idsOf(specialized.getExplicitCaptures());
    step.results = idsOf(op->getResults());
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
  } else if (result != noValue) {
    step.operands = idsOf(op->getOperands());
    step.results = {result};
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
}

void BarrierProgram::build(Operation *function, const Barriers &barriers) {
  for (const BarrierRing &ring : barriers.rings())
    addMemory(ring.allocation, ring.depth());
  numRings = memories.size();
  numBarrierSlots = numSlots;
  for (const GuardedBuffer &buffer : barriers.buffers()) {
    addMemory(buffer.allocation, buffer.count);
    memories.back().isOnlyFilled = buffer.isOnlyFilled;
  }
  addActions(barriers);
  // So that neither blocks nor steps move while one is filled.
  size_t regions = 1;
  for (Operation *op : ops) {
    regions += op->getNumRegions();
    if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op))
      regions += specialized.getPartitionRegions().size();
    ++numSteps[op->getBlock()];
  }
  blocks.reserve(regions);
  entry = blockOf(function->getRegion(0));
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (ops.contains(op))
      addStep(op);
  });
}
