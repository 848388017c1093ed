//===- BarrierRun.cpp - whether the waits on barriers end -----------------===//
//
// A partition runs until it must wait. A wait returns only when all others wait
// too, first one that sees a new phase: so whoever arrives is as far ahead as
// it may be, and a wait for the wrong phase is not saved by being early. As
// nobody may be two phases ahead of who waits for them, arrivals are held back
// until the last phase was seen, unless nothing else can go on.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/BarrierMachine.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

void BarrierMachine::enterFor(Agent &agent, scf::ForOp loop) {
  Scalar from = scalarOf(loop.getLowerBound()),
         to = scalarOf(loop.getUpperBound()), by = scalarOf(loop.getStep());
  bool isKnown = from && to && by && *by > 0;
  // Of partitions side by side, all loops must be known to go together.
  constexpr int64_t some = 8;
  if (!isKnown && (agents.size() > 1 || !program.hasBarriers(loop)))
    return agents.size() > 1 && program.hasBarriers(loop) ? fail() : void();
  int64_t trips = some;
  if (isKnown)
    trips = *to <= *from ? 0 : (*to - *from - 1) / *by + 1;
  auto isConstant = [](Value bound) { return tt::constantOf(bound); };
  if (trips == 0 && program.hasBarriers(loop) &&
      !(isConstant(loop.getLowerBound()) && isConstant(loop.getUpperBound())))
    return fail();
  if (trips == 0)
    return assign(loop.getResults(), loop.getInitArgs());
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  values[loop.getInductionVar()] = {by ? from : std::nullopt, {}};
  agent.stack.push_back({loop.getBody(), 0, trips});
}

void BarrierMachine::enterIf(Agent &agent, scf::IfOp branch) {
  Scalar condition = scalarOf(branch.getCondition());
  if (!condition) {
    if (program.hasBarriers(branch))
      return fail();
    for (Value result : branch.getResults())
      values[result] = {};
    return;
  }
  Region &taken = *condition ? branch.getThenRegion() : branch.getElseRegion();
  if (!taken.empty())
    agent.stack.push_back({&taken.front()});
}

void BarrierMachine::specialize(unsigned agent, ttg::WarpSpecializeOp op) {
  if (op.getDefaultRegion().empty())
    return fail();
  for (Region *region : op.getPartitionRegions()) {
    assign(region->getArguments(), op.getExplicitCaptures());
    // What came before is as if it had seen it.
    for (auto &[slot, barrier] : slots)
      barrier.seen[agents.size()] = barrier.completed;
    agents[agent].children.push_back(agents.size());
    agents.push_back({Agent::Ready, region, {{&region->front()}}});
  }
  agents[agent].stack.push_back({&op.getDefaultRegion().front()});
}

/// At the end of the innermost block.
void BarrierMachine::leaveBlock(unsigned number) {
  Agent &agent = agents[number];
  Frame &frame = agent.stack.back();
  Operation *owner = frame.block->getParentOp();
  Operation *end = frame.block->getTerminator();
  if (agent.stack.size() == 1) {
    agent.state = Agent::Finished;
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(owner)) {
    bool again = --frame.tripsLeft > 0;
    bool isEdited = edit && edit->operand->getOwner() == end;
    Scalar edited = isEdited ? editedPhase() : std::nullopt;
    assign(again ? ValueRange(loop.getRegionIterArgs())
                 : ValueRange(loop.getResults()),
           end->getOperands());
    if (isEdited) {
      unsigned number = edit->operand->getOperandNumber();
      values[again ? Value(loop.getRegionIterArg(number))
                   : Value(loop.getResult(number))] = {edited, {}};
    }
    if (again) {
      RunValue &induction = values[loop.getInductionVar()];
      Scalar by = scalarOf(loop.getStep());
      if (induction.number && by)
        *induction.number += *by;
      frame.next = 0;
      return;
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(owner)) {
    if (auto condition = dyn_cast<scf::ConditionOp>(end)) {
      Scalar goesOn = scalarOf(condition.getCondition());
      if (!goesOn)
        return fail();
      if (*goesOn) {
        assign(loop.getAfterArguments(), condition.getArgs());
        frame = {loop.getAfterBody()};
        return;
      }
      assign(loop.getResults(), condition.getArgs());
    } else {
      assign(loop.getBeforeArguments(), end->getOperands());
      frame = {loop.getBeforeBody()};
      return;
    }
  } else if (isa<scf::IfOp>(owner)) {
    assign(owner->getResults(), end->getOperands());
  } else if (llvm::any_of(agent.children, [&](unsigned child) {
               return agents[child].state != Agent::Finished;
             })) {
    agent.state = Agent::AtJoin;
    return;
  } else {
    assign(owner->getResults(), end->getOperands());
  }
  agent.state = Agent::Ready;
  agent.stack.pop_back();
  ++agent.stack.back().next;
}

/// One op; it moves on itself where it enters a region.
void BarrierMachine::step(unsigned number, Operation *op) {
  size_t depth = agents[number].stack.size();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    enterFor(agents[number], loop);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    enterIf(agents[number], branch);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    assign(loop.getBeforeArguments(), loop.getInits());
    agents[number].stack.push_back({loop.getBeforeBody()});
  } else if (auto specialized = dyn_cast<ttg::WarpSpecializeOp>(op)) {
    specialize(number, specialized);
  } else {
    ArrayRef<BarrierAction> actions = actionsOf(op);
    if (actions.empty()) {
      evaluate(op);
    } else {
      if (isHeldBack(number, actions)) {
        agents[number].state = Agent::AtGate;
        return;
      }
      act(op, actions);
    }
    if (agents[number].state == Agent::AtWait)
      return;
  }
  if (agents[number].stack.size() == depth)
    ++agents[number].stack.back().next;
}

/// Runs an agent until it waits, is held back or ends; whether it ran at all.
bool BarrierMachine::advance(unsigned number) {
  if (agents[number].state == Agent::AtWait ||
      agents[number].state == Agent::Finished)
    return false;
  bool ran = false;
  agents[number].state = Agent::Ready;
  while (agents[number].state == Agent::Ready && !failed) {
    if (--budget < 0) {
      fail();
      break;
    }
    const Frame &frame = agents[number].stack.back();
    ArrayRef<Operation *> ops = program.opsOf(frame.block);
    if (frame.next < ops.size()) {
      Operation *op = ops[frame.next];
      bool waits =
          llvm::any_of(actionsOf(op), [&](const BarrierAction &action) {
            return action.kind == BarrierAction::Wait && isTaken(action);
          });
      if (waits) {
        agents[number].state = Agent::AtWait;
        ran = true;
        break;
      }
      step(number, op);
    } else {
      leaveBlock(number);
    }
    ran |= agents[number].state == Agent::Ready ||
           agents[number].state == Agent::Finished;
  }
  return ran;
}

std::optional<BarrierFault> BarrierMachine::run() {
  agents.push_back({Agent::Ready, nullptr, {{program.entry()}}});
  while (!failed) {
    bool progressed = false;
    for (unsigned number = 0; number < agents.size() && !failed; ++number)
      progressed |= advance(number);
    if (failed)
      break;
    if (progressed || passWait())
      continue;
    if (agents.front().state == Agent::Finished)
      break;
    // Who is held back, because someone waits for another phase instead.
    auto gate = llvm::find_if(agents, [](const Agent &agent) {
      return agent.state == Agent::AtGate;
    });
    if (gate == agents.end())
      return explain();
    Operation *held = opOf(*gate, program);
    for (const BarrierAction &action : actionsOf(held))
      for (unsigned number = 0; number < agents.size(); ++number) {
        if (agents[number].state != Agent::AtWait || !action.arrives())
          continue;
        std::optional<Wait> wait = waitOf(agents[number]);
        if (!failed && wait->barrier == barrierOf(action.barrier) &&
            wait->barrier->seen[number] < wait->barrier->completed)
          return fault(BarrierFault::WrongPhase, number, *wait);
      }
    gate->isReleased = true;
  }
  return std::nullopt;
}

std::optional<BarrierFault>
kernelscope::findEndlessWait(Operation *function, const Barriers &barriers) {
  bool waits = llvm::any_of(barriers.rings(), [](const BarrierRing &ring) {
    return !ring.usesOf(BarrierAction::Wait).empty();
  });
  if (!waits)
    return std::nullopt;
  std::optional<BarrierProgram> program =
      BarrierProgram::create(function, barriers);
  if (!program)
    return std::nullopt;
  return BarrierMachine(barriers, *program).run();
}
