//===- Regions.cpp - Plans of regions, functions and partitions -----------===//
//
// What has blocks: a region of branches, a function that is called, a combine
// region that runs on many scalars at once, a partition with a frame of its
// own.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/NVWS.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Planner.h"
#include "executor/plan/Registry.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kernelscope::executor {

Step Planner::planRegion(Region &region, ArrayRef<Slot> returnSlots) {
  constexpr int returned = -1, failed = -2;
  // A block's body and the choice of the next block.
  struct BlockPlan {
    Operation *terminator;
    const Body *body;
    std::function<int(Frame &)> next;
  };
  DenseMap<Block *, int> index;
  for (Block &block : region)
    index.try_emplace(&block, index.size());
  auto blocks = std::make_shared<std::vector<BlockPlan>>();
  auto jump = [&](Block *target,
                  ValueRange values) -> std::function<int(Frame &)> {
    for (BlockArgument argument : target->getArguments())
      if (!storageOf(argument.getType(), region.getParentOp()))
        return {};
    Step pass = assign(values, slots(target->getArguments()));
    return [pass, to = index[target]](Frame &frame) {
      return pass(frame) ? to : failed;
    };
  };
  for (Block &block : region) {
    const Body *body = planBlock(block);
    if (!body)
      return {};
    Operation *terminator = block.getTerminator();
    std::function<int(Frame &)> next;
    if (auto branch = dyn_cast<cf::BranchOp>(terminator)) {
      next = jump(branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<cf::CondBranchOp>(terminator)) {
      auto yes = jump(branch.getTrueDest(), branch.getTrueDestOperands());
      auto no = jump(branch.getFalseDest(), branch.getFalseDestOperands());
      if (yes && no)
        next = [yes, no,
                condition = slot(branch.getCondition())](Frame &frame) {
          return *frame.at<uint8_t>(condition) ? yes(frame) : no(frame);
        };
    } else if (terminator->hasTrait<OpTrait::ReturnLike>() ||
               isa<tt::ReturnOp, nvws::WarpGroupReturnOp>(terminator)) {
      Step pass = assign(terminator->getOperands(), returnSlots);
      next = [pass](Frame &frame) { return pass(frame) ? returned : failed; };
    } else {
      terminator->emitError("the CPU executor does not run '")
          << terminator->getName() << "'";
    }
    if (!next)
      return {};
    blocks->push_back({terminator, body, std::move(next)});
  }
  return [blocks](Frame &frame) {
    int at = 0;
    while (at >= 0) {
      const BlockPlan &block = (*blocks)[at];
      at = frame.run(*block.body) && frame.goOn(block.terminator)
               ? block.next(frame)
               : failed;
    }
    return at == returned;
  };
}

bool Planner::isPlanning(FunctionOpInterface function) const {
  auto found = functions.find(function.getOperation());
  return (found != functions.end() && found->second.planning) ||
         (outer && outer->isPlanning(function));
}

const Planner::Function *Planner::planFunction(FunctionOpInterface function,
                                               Operation *call) {
  if (isPlanning(function)) {
    call->emitError("the CPU executor does not run recursive calls");
    return nullptr;
  }
  auto [entry, isNew] = functions.try_emplace(function.getOperation());
  if (!isNew)
    return &entry->second;
  if (function.isExternal()) {
    call->emitError("function '")
        << function.getName() << "' has no body to run";
    return nullptr;
  }
  Function made;
  for (BlockArgument argument : function.getArguments())
    if (!storageOf(argument.getType(), function))
      return nullptr;
  made.arguments = slots(function.getArguments());
  for (Type type : function.getResultTypes()) {
    std::optional<Storage> storage = storageOf(type, function);
    if (!storage)
      return nullptr;
    made.results.push_back(scratch(storage->count * sizeOf(storage->element)));
  }
  made.run = planRegion(function.getFunctionBody(), made.results);
  if (!made.run)
    return nullptr;
  made.planning = false;
  // Planning the body may have added functions and moved this one.
  return &(functions[function.getOperation()] = std::move(made));
}

std::optional<size_t> Planner::planPartition(Region &region,
                                             ValueRange arguments) {
  const size_t index = plan.partitions.size();
  Plan &made = *plan.partitions.emplace_back(std::make_unique<Plan>());
  made.isTraced = plan.isTraced;
  made.ctas = plan.ctas;
  Planner planner(made, this);
  for (Type type : arguments.getTypes())
    if (!planner.storageOf(type, region.getParentOp()))
      return std::nullopt;
  made.arguments = planner.slots(arguments);
  made.entry = planner.planRegion(region, {});
  if (!made.entry)
    return std::nullopt;
  return index;
}

std::optional<Planner::Combine> Planner::planCombine(Region &region,
                                                     size_t elements) {
  Block &block = region.front();
  bool onMany = region.hasOneBlock();
  block.walk([&](Operation *op) {
    if (op == block.getTerminator())
      return;
    const Registry::Entry *entry =
        Registry::get().find(op->getName().getStringRef());
    onMany &= entry && entry->elementwise && op->getBlock() == &block;
    for (Value operand : op->getOperands())
      onMany &= operand.getParentBlock() == &block;
  });
  for (Value value : block.getTerminator()->getOperands())
    onMany &= value.getParentBlock() == &block;

  Combine combine;
  combine.onMany = onMany;
  const size_t outer = std::exchange(capacity, onMany ? elements : 1);
  combine.body = planBlock(block);
  if (combine.body) {
    combine.arguments = slots(block.getArguments());
    combine.results = slots(block.getTerminator()->getOperands());
  }
  capacity = outer;
  if (!combine.body)
    return std::nullopt;
  return combine;
}

LogicalResult Planner::planKernel(FunctionOpInterface function) {
  plan.ctas = std::max(1, ttg::lookupNumCTAs(function).value_or(1));
  const Function *kernel = planFunction(function, function);
  if (!kernel)
    return failure();
  plan.arguments = kernel->arguments;
  plan.entry = kernel->run;
  return success();
}

} // namespace kernelscope::executor
