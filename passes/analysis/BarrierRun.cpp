//===- BarrierRun.cpp - whether the waits on barriers end -----------------===//
//
// A partition runs until it must wait. A wait returns only when all others wait
// too, first one that sees a new phase: so arrivals are as far ahead as
// possible, and a wait for the wrong phase is not saved by being early. As no
// agent may be two phases ahead of those that wait for it, arrivals are held
// back until the last phase was seen, unless nothing else can continue.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/BarrierMachine.h"

#include "dialects/ttg/TTG.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

void BarrierMachine::enterFor(Agent &agent, const Step &loop) {
  Scalar from = values[loop.operands[0]].number,
         to = values[loop.operands[1]].number,
         by = values[loop.operands[2]].number;
  bool isKnown = from && to && by && *by > 0;
  // Without a step it has no end.
  if (by && *by <= 0)
    return fail();
  // Of partitions side by side, all loops must be known to go together.
  constexpr int64_t some = 8;
  if (!isKnown && (agents.size() > 1 || !loop.hasBarriers)) {
    if (agents.size() > 1 && loop.hasBarriers)
      fail();
    return;
  }
  int64_t trips = some;
  if (isKnown)
    trips = *to <= *from ? 0 : (*to - *from - 1) / *by + 1;
  auto isConstant = [&](unsigned number) {
    return tt::constantOf(loop.op->getOperand(number)).has_value();
  };
  if (trips == 0 && loop.hasBarriers && !(isConstant(0) && isConstant(1)))
    return fail();
  ArrayRef<RunId> inits = ArrayRef(loop.operands).drop_front(3);
  if (trips == 0)
    return assign(loop.results, inits);
  ArrayRef<RunId> arguments = program.blocks[loop.blocks[0]].arguments;
  assign(arguments.drop_front(), inits);
  set(arguments[0], {by ? from : std::nullopt});
  push(agent, loop.blocks[0], loop, trips);
}

static bool usesBarriers(const Step &step) {
  return step.hasBarriers || !step.actions.empty() || !step.accesses.empty();
}

/// The only region of `branch` that uses barriers, if nothing does after it: as
/// where a program has nothing to do and returns early. Then what decides it
/// need not be known. Nothing for others.
std::optional<unsigned> BarrierMachine::wholeWork(const Agent &agent,
                                                  const Step &branch) const {
  if (agents.size() != 1)
    return std::nullopt;
  for (const Frame &frame : agent.stack) {
    if (frame.owner && frame.owner->kind != Step::If)
      return std::nullopt;
    if (llvm::any_of(ArrayRef(program.blocks[frame.block].steps)
                         .drop_front(frame.next + 1),
                     usesBarriers))
      return std::nullopt;
  }
  std::optional<unsigned> found;
  for (unsigned block : branch.blocks) {
    if (llvm::none_of(program.blocks[block].steps, usesBarriers))
      continue;
    if (found)
      return std::nullopt;
    found = block;
  }
  return found;
}

void BarrierMachine::enterIf(Agent &agent, const Step &branch) {
  Scalar condition = values[branch.operands[0]].number;
  if (!condition) {
    if (auto block = wholeWork(agent, branch))
      return push(agent, *block, branch);
    if (branch.hasBarriers)
      return fail();
    for (RunId result : branch.results)
      set(result, {});
    return;
  }
  unsigned number = *condition ? 0 : 1;
  if (number < branch.blocks.size())
    push(agent, branch.blocks[number], branch);
}

void BarrierMachine::specialize(unsigned number, const Step &step) {
  if (step.blocks.empty())
    return fail();
  for (unsigned block : ArrayRef(step.blocks).drop_front()) {
    assign(program.blocks[block].arguments, step.operands);
    // What came before is as if it had seen it.
    for (Barrier &barrier : slots) {
      barrier.seen.push_back(barrier.completed);
      barrier.brought.append(2, 0);
    }
    for (Agent &other : agents)
      other.knows.append(2, 0);
    agents[number].children.push_back(agents.size());
    Agent child;
    child.partition = program.blocks[block].block->getParent();
    child.knows = agents[number].knows;
    push(child, block, step);
    agents.push_back(std::move(child));
  }
  push(agents[number], step.blocks[0], step);
}

/// Whether all partitions have ended, from which `agent` then knows what they
/// know.
bool BarrierMachine::isJoined(unsigned number) {
  Agent &agent = agents[number];
  for (unsigned child : agent.children)
    if (agents[child].state != Agent::Finished)
      return false;
  for (unsigned child : agent.children)
    for (auto [own, other] : llvm::zip(agent.knows, agents[child].knows))
      own = std::max(own, other);
  return true;
}

/// At the end of an iteration: whether there is another one.
bool BarrierMachine::leaveFor(Agent &agent) {
  Frame &frame = agent.stack.back();
  const Step &loop = *frame.owner;
  const StepBlock &body = program.blocks[frame.block];
  bool again = --frame.tripsLeft > 0;
  bool isEdited =
      edit && edit->operand->getOwner() == body.block->getTerminator();
  Scalar edited = isEdited ? editedPhase() : std::nullopt;
  ArrayRef<RunId> targets = loop.results;
  if (again)
    targets = ArrayRef(body.arguments).drop_front();
  assign(targets, body.yielded);
  if (isEdited)
    set(targets[edit->operand->getOperandNumber()], {edited});
  if (!again)
    return false;
  Scalar &counter = values[body.arguments[0]].number;
  Scalar by = values[loop.operands[2]].number;
  if (counter && by && body.arguments[0] != noValue)
    *counter += *by;
  frame.next = 0;
  return true;
}

/// At the end of a region of a loop: whether it continues.
bool BarrierMachine::leaveWhile(Agent &agent) {
  Frame &frame = agent.stack.back();
  const Step &loop = *frame.owner;
  ArrayRef<RunId> yielded = program.blocks[frame.block].yielded;
  if (frame.block == loop.blocks[1]) {
    assign(program.blocks[loop.blocks[0]].arguments, yielded);
    frame = {loop.blocks[0], &loop};
    return true;
  }
  Scalar goesOn = values[yielded[0]].number;
  if (!goesOn) {
    fail();
    return true;
  }
  assign(*goesOn ? ArrayRef(program.blocks[loop.blocks[1]].arguments)
                 : ArrayRef(loop.results),
         yielded.drop_front());
  if (*goesOn)
    frame = {loop.blocks[1], &loop};
  return *goesOn;
}

/// At the end of the innermost block.
void BarrierMachine::leaveBlock(unsigned number) {
  Agent &agent = agents[number];
  const Step *owner = agent.stack.back().owner;
  // The function, or a partition.
  if (agent.stack.size() == 1) {
    agent.state = Agent::Finished;
    return;
  }
  switch (owner->kind) {
  case Step::For:
    if (leaveFor(agent))
      return;
    break;
  case Step::While:
    if (leaveWhile(agent))
      return;
    break;
  case Step::Specialize:
    if (!isJoined(number)) {
      agent.state = Agent::AtJoin;
      return;
    }
    [[fallthrough]];
  default:
    assign(owner->results, program.blocks[agent.stack.back().block].yielded);
  }
  agent.state = Agent::Ready;
  agent.stack.pop_back();
  ++agent.stack.back().next;
}

/// One step; it moves on itself where it enters a region.
void BarrierMachine::step(unsigned number, const Step &step) {
  size_t depth = agents[number].stack.size();
  switch (step.kind) {
  case Step::For:
    enterFor(agents[number], step);
    break;
  case Step::If:
    enterIf(agents[number], step);
    break;
  case Step::While:
    assign(program.blocks[step.blocks[0]].arguments, step.operands);
    push(agents[number], step.blocks[0], step);
    break;
  case Step::Specialize:
    specialize(number, step);
    break;
  case Step::Act:
    if (isHeldBack(number, step)) {
      agents[number].state = Agent::AtGate;
      return;
    }
    act(number, step);
    break;
  default:
    evaluate(step);
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
    const std::vector<Step> &steps = program.blocks[frame.block].steps;
    if (frame.next < steps.size()) {
      const Step &next = steps[frame.next];
      if (next.waits &&
          llvm::any_of(next.actions, [&](const StepAction &action) {
            return action.kind == BarrierAction::Wait && isTaken(action);
          })) {
        agents[number].state = Agent::AtWait;
        ran = true;
        break;
      }
      step(number, next);
    } else {
      leaveBlock(number);
    }
    ran |= agents[number].state == Agent::Ready ||
           agents[number].state == Agent::Finished;
  }
  return ran;
}

std::optional<BarrierFault> BarrierMachine::run() {
  Agent main;
  main.stack.push_back({program.entry});
  main.knows.resize(slots.size() + 2);
  agents.push_back(std::move(main));
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
    for (const StepAction &action : stepOf(*gate).actions)
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

BarrierRun kernelscope::runBarriers(Operation *function,
                                    const Barriers &barriers) {
  BarrierRun result;
  // Without waits and arrivals it is a part of a program, as in tests of
  // passes.
  bool isWhole = llvm::any_of(barriers.rings(), [](const BarrierRing &ring) {
    return llvm::any_of(ring.uses, [](const BarrierUse &use) {
      return use.action.kind == BarrierAction::Wait || use.action.arrives();
    });
  });
  if (!isWhole)
    return result;
  std::optional<BarrierProgram> program =
      BarrierProgram::create(function, barriers);
  if (!program)
    return result;
  BarrierMachine machine(barriers, *program);
  result.endless = machine.run();
  result.isKnown = !machine.hasFailed();
  // The one to blame is that with whose other phase all waits end.
  if (!result.endless && result.isKnown)
    for (const BarrierFault &suspect : machine.suspectedWaits())
      if (findPhaseEdit(suspect, function, barriers)) {
        result.endless = suspect;
        break;
      }
  result.uninitialised = machine.uninitialisedUse();
  std::optional<UnguardedAccess> early =
      machine.unguardedAccess(barriers, result.endless.has_value());
  if (early && (early->hasNoWait || !result.endless)) {
    result.unguarded = early;
    result.endless.reset();
  }
  return result;
}
