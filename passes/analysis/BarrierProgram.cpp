//===- BarrierProgram.cpp - what decides what barriers do -----------------===//

#include "passes/analysis/BarrierProgram.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/Scalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace kernelscope;

Region *kernelscope::partitionOf(Operation *op) {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion())
    if (isa_and_nonnull<ttg::WarpSpecializePartitionsOp>(region->getParentOp()))
      return region;
  return nullptr;
}

/// Whether so few barriers and buffers are there that a run can keep them all.
static bool areFew(const Barriers &barriers) {
  constexpr int64_t most = 256;
  int64_t rings = 0, buffers = 0;
  for (const BarrierRing &ring : barriers.rings())
    rings = std::min(rings + std::clamp<int64_t>(ring.depth(), 0, most + 1),
                     most + 1);
  for (const GuardedBuffer &buffer : barriers.buffers())
    buffers = std::min(buffers + std::clamp<int64_t>(buffer.count, 0, most + 1),
                       most + 1);
  return rings <= most && buffers <= most;
}

std::optional<BarrierProgram> BarrierProgram::create(Operation *function,
                                                     const Barriers &barriers) {
  if (!barriers.isComplete() || !areFew(barriers) ||
      function->getNumRegions() != 1 || !onlyBlockOf(function->getRegion(0)))
    return std::nullopt;
  BarrierProgram program;
  program.initial.push_back({});
  program.entryBlock = &function->getRegion(0).front();
  for (const BarrierRing &ring : barriers.rings())
    for (const BarrierUse &use : ring.uses) {
      if (!program.addOp(use.op))
        return std::nullopt;
      for (Operation *op = use.op->getParentOp(); op != function;
           op = op->getParentOp())
        program.aroundBarriers.insert(op);
      program.need(use.barrier());
      if (use.action.phase)
        program.need(use.action.phase);
      llvm::for_each(use.action.predicates,
                     [&](Value predicate) { program.need(predicate); });
    }
  for (const GuardedBuffer &buffer : barriers.buffers())
    program.addBuffer(buffer);
  while (!program.needed.empty())
    program.addValue(program.needed.pop_back_val());
  program.build(function, barriers);
  return program;
}

/// What is done to a buffer, where that can be followed.
void BarrierProgram::addBuffer(const GuardedBuffer &buffer) {
  need(buffer.allocation);
  for (Operation *op : buffer.users) {
    if (!addOp(op))
      continue;
    onBuffers.insert(op);
    for (Value operand : op->getOperands())
      if (isa<ttg::MemDescType>(operand.getType()))
        need(operand);
    if (auto memory = dyn_cast<ttg::MemoryAccessOpInterface>(op))
      if (Value predicate = memory.getAccessMode().predicate)
        need(predicate);
  }
}

/// Adds `op` and what is around it; false for what cannot be followed.
bool BarrierProgram::addOp(Operation *op) {
  while (ops.insert(op).second) {
    if (!addStructure(op))
      return false;
    Region *region = op->getParentRegion();
    if (region == entryBlock->getParent())
      return true;
    if (!region->hasOneBlock())
      return false;
    op = region->getParentOp();
    if (isa<ttg::WarpSpecializePartitionsOp>(op))
      op = op->getParentOp();
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, ttg::WarpSpecializeOp>(op))
      return false;
  }
  return true;
}

/// What decides whether the regions of `op` run.
bool BarrierProgram::addStructure(Operation *op) {
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return false;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getLowerBound());
    need(loop.getUpperBound());
    need(loop.getStep());
    // A phase may come to be taken from it.
    need(loop.getInductionVar());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    need(branch.getCondition());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    need(loop.getConditionOp().getCondition());
  }
  return true;
}

/// The value `number` that `loop` carries, with where it comes from.
void BarrierProgram::addCarried(Operation *op, unsigned number) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getInitArgs()[number]);
    need(loop.getRegionIterArg(number));
    need(loop.getBody()->getTerminator()->getOperand(number));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    // What goes around need not come out under the same number.
    for (Value value : loop.getInits())
      need(value);
    for (Value value : loop.getConditionOp().getArgs())
      need(value);
    for (Value value : loop.getYieldOp().getOperands())
      need(value);
  }
}

void BarrierProgram::addValue(Value value) {
  if (!ids.try_emplace(value, initial.size()).second)
    return;
  initial.push_back({plausibleNumber(value)});
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(parent)) {
      need(partitions.getExplicitCaptures()[number]);
    } else if (isa<scf::ForOp>(parent)) {
      if (number > 0 && addOp(parent))
        addCarried(parent, number - 1);
    } else if (isa<scf::WhileOp>(parent) && addOp(parent)) {
      addCarried(parent, number);
    }
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isScalarOp(op) || op->hasTrait<ttg::MemDescView>() ||
      isa<ttg::AllocOpInterface>(op) ||
      (isa<arith::SelectOp>(op) && !op->getNumRegions())) {
    if (addOp(op))
      llvm::for_each(op->getOperands(), [&](Value operand) { need(operand); });
    return;
  }
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (isa<scf::ForOp, scf::WhileOp>(op) && addOp(op)) {
    addCarried(op, number);
  } else if (auto branch = dyn_cast<scf::IfOp>(op); branch && addOp(op)) {
    need(branch.thenYield().getOperand(number));
    need(branch.elseYield().getOperand(number));
  } else if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op);
             specialized && addOp(op)) {
    Region &ofDefault = specialized.getDefaultRegion();
    if (ofDefault.hasOneBlock())
      need(ofDefault.front().getTerminator()->getOperand(number));
  }
}
