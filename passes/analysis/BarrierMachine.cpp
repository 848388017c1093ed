//===- BarrierMachine.cpp - what steps do to barriers in a run ------------===//

#include "passes/analysis/BarrierMachine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

unsigned kernelscope::loopsAround(Operation *op) {
  unsigned loops = 0;
  while (Operation *loop = op->getParentOfType<LoopLikeOpInterface>()) {
    ++loops;
    op = loop;
  }
  return loops;
}

/// Whether `op` is in nothing but loops of known length.
static bool runsAlways(Operation *op) {
  for (Operation *around = op->getParentOp();
       around && !isa<FunctionOpInterface>(around);
       around = around->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(around);
    if (!loop || !tt::constantOf(loop.getLowerBound()) ||
        !tt::constantOf(loop.getUpperBound()))
      return false;
  }
  return true;
}

void BarrierMachine::addTo(RingFacts &facts, const BarrierUse &use) {
  switch (use.action.kind) {
  case BarrierAction::Init:
    facts.isInitialisedAlways &=
        use.action.predicates.empty() && runsAlways(use.op);
    break;
  case BarrierAction::Wait:
    facts.waiters.insert(partitionOf(use.op));
    break;
  case BarrierAction::Complete:
    facts.knowsBytes &= use.action.bytes.has_value();
    facts.weight = 2;
    break;
  case BarrierAction::ArriveWhenDone:
    facts.weight = std::max(facts.weight, 1);
    break;
  default:
    break;
  }
  if (use.action.arrives()) {
    facts.isArrivedAt = true;
    facts.arrivers.insert(partitionOf(use.op));
    facts.arrivalLoops = std::max(facts.arrivalLoops, loopsAround(use.op));
  }
}

BarrierMachine::BarrierMachine(const Barriers &barriers,
                               const BarrierProgram &program,
                               const PhaseEdit *edit)
    : program(program), edit(edit), rings(program.numRings),
      values(program.initial), slots(program.numBarrierSlots),
      buffers(program.numSlots - program.numBarrierSlots) {
  for (auto [facts, ring] : llvm::zip(rings, barriers.rings()))
    for (const BarrierUse &use : ring.uses)
      addTo(facts, use);
  for (Barrier &barrier : slots) {
    barrier.seen.resize(1);
    barrier.brought.resize(slots.size() + 2);
  }
}

/// Null, and the run fails, where it is not known.
Barrier *BarrierMachine::barrierOf(RunId id) {
  const RunValue &value = values[id];
  if (value.memory >= 0 && value.memory < int(program.numRings) &&
      !value.isPart) {
    const RunMemory &ring = program.memories[value.memory];
    int64_t place = value.number.value_or(0);
    if (place >= 0 && place < ring.depth)
      return &slots[ring.firstSlot + place];
  }
  fail();
  return nullptr;
}

/// Whether `action` happens; where that is not known the run fails.
bool BarrierMachine::isTaken(const StepAction &action) {
  bool isKnown = true;
  for (RunId predicate : action.predicates) {
    const Scalar &value = values[predicate].number;
    if (value == 0)
      return false;
    isKnown &= value.has_value();
  }
  if (!isKnown)
    fail();
  return isKnown;
}

/// Whether `action` may be done to `barrier`; else the run ends here.
bool BarrierMachine::isInitialised(const StepAction &action, const Step &step,
                                   const Barrier &barrier) {
  if (barrier.init || action.kind == BarrierAction::Init)
    return true;
  if (factsOf(action.barrier).isInitialisedAlways)
    bareUse = step.op;
  fail();
  return false;
}

/// Whether someone else has yet to see the last phase of a barrier that `agent`
/// is about to arrive at.
bool BarrierMachine::isHeldBack(unsigned agent, const Step &step) {
  for (const StepAction &action : step.actions) {
    if (!action.arrives() || !isTaken(action))
      continue;
    Barrier *barrier = barrierOf(action.barrier);
    if (!barrier || barrier->completed == 0 || agents[agent].isReleased)
      continue;
    const RingFacts &facts = factsOf(action.barrier);
    for (unsigned other = 0; other < agents.size(); ++other)
      if (other != agent && agents[other].state != Agent::Finished &&
          facts.waiters.count(agents[other].partition) &&
          barrier->seen[other] < barrier->completed)
        return true;
  }
  agents[agent].isReleased = false;
  return false;
}

void BarrierMachine::completePhase(Barrier &barrier) {
  if (barrier.pending > 0 || barrier.bytes != 0)
    return;
  ++barrier.completed;
  barrier.pending = barrier.needed;
  barrier.expected = 0;
}

/// Adds to what `known` says.
static void learn(Knowledge &known, const Knowledge &more) {
  int32_t *own = known.data();
  const int32_t *other = more.data();
  for (size_t i = 0, size = std::min(known.size(), more.size()); i < size; ++i)
    own[i] = std::max(own[i], other[i]);
}

void BarrierMachine::arrive(unsigned number, const StepAction &action,
                            const Step &step, Barrier &barrier) {
  Agent &agent = agents[number];
  if (!action.count)
    return fail();
  barrier.pending -= *action.count;
  barrier.last = step.op;
  learn(barrier.brought, agent.knows);
  if (action.kind == BarrierAction::ArriveWhenDone) {
    agent.committed = agent.products;
    barrier.async = step.op;
    barrier.asyncPhase = barrier.completed + 1;
    barrier.asyncAgent = number;
    bool counts = agent.products != 0;
    barrier.asyncKnowledge =
        counts ? productsOf(number) : unsigned(&barrier - slots.data());
    barrier.asyncNeeded = counts ? agent.products : int32_t(barrier.asyncPhase);
    barrier.brought[productsOf(number)] = agent.products;
  }
}

void BarrierMachine::act(unsigned number, const Step &step) {
  if (!step.accesses.empty()) {
    if (llvm::any_of(step.accesses, [](const StepAccess &access) {
          return access.isTensorCore && access.isAsync();
        }))
      ++agents[number].products;
    read(number, step);
    fill(number, step);
  }
  for (const StepAction &action : step.actions) {
    Barrier *barrier = isTaken(action) ? barrierOf(action.barrier) : nullptr;
    if (failed)
      return;
    if (!barrier)
      continue;
    bool makes = action.kind == BarrierAction::Init;
    if (!isInitialised(action, step, *barrier))
      return;
    if (action.kind == BarrierAction::Invalidate)
      checkInvalidation(number, step, action, *barrier);
    if (action.kind == BarrierAction::Complete && action.bytes &&
        factsOf(action.barrier).knowsBytes) {
      barrier->async = step.op;
      barrier->asyncPhase = barrier->completed + 1;
      barrier->asyncAgent = number;
      barrier->asyncKnowledge = barrier - slots.data();
      barrier->asyncNeeded = int32_t(barrier->asyncPhase);
    }
    if (makes || action.kind == BarrierAction::Invalidate) {
      *barrier = Barrier();
      barrier->seen.resize(agents.size());
      barrier->brought.resize(slots.size() + 2 * agents.size());
      forget(barrier - slots.data());
    }
    switch (action.kind) {
    case BarrierAction::Init:
      if (!action.count)
        return fail();
      barrier->init = step.op;
      barrier->needed = barrier->pending = *action.count;
      continue;
    case BarrierAction::Invalidate:
    case BarrierAction::Wait:
      continue;
    default:
      break;
    }
    if (action.arrives())
      arrive(number, action, step, *barrier);
    if (failed)
      return;
    if (action.bytes && factsOf(action.barrier).knowsBytes) {
      bool announces = action.kind == BarrierAction::Expect;
      barrier->bytes += announces ? *action.bytes : -*action.bytes;
      barrier->expected += announces ? *action.bytes : 0;
      if (announces)
        barrier->announced = step.op;
    }
    completePhase(*barrier);
  }
}

/// The wait that `agent` is at.
std::optional<BarrierMachine::Wait> BarrierMachine::waitOf(const Agent &agent) {
  const Step &step = stepOf(agent);
  for (const StepAction &action : step.actions) {
    if (action.kind != BarrierAction::Wait)
      continue;
    Barrier *barrier = barrierOf(action.barrier);
    bool isEdited = edit && edit->operand->getOwner() == step.op;
    Scalar phase = isEdited ? editedPhase() : values[action.phase].number;
    if (!barrier || !phase || !isInitialised(action, step, *barrier))
      break;
    return Wait{&step, &action, barrier, *phase & 1};
  }
  fail();
  return std::nullopt;
}

/// Lets a wait that can end return: one that sees a new phase, or else one that
/// does not block the first time. That is right for those that release buffers.
bool BarrierMachine::passWait() {
  std::optional<unsigned> best;
  std::optional<Wait> chosen;
  int bestWeight = 0;
  for (unsigned number = 0; number < agents.size(); ++number) {
    if (agents[number].state != Agent::AtWait)
      continue;
    std::optional<Wait> wait = waitOf(agents[number]);
    if (failed)
      return false;
    bool isNew = wait->barrier->seen[number] < wait->barrier->completed;
    int weight = isNew ? -1 : factsOf(wait->action->barrier).weight;
    if (wait->isOver() && (!best || weight <= bestWeight)) {
      best = number;
      bestWeight = weight;
      chosen = wait;
    }
  }
  if (!best)
    return false;
  Agent &agent = agents[*best];
  Barrier &barrier = *chosen->barrier;
  barrier.seen[*best] = barrier.completed;
  agent.knows[&barrier - slots.data()] = int32_t(barrier.completed);
  learn(agent.knows, barrier.brought);
  passed.insert(chosen->step->op);
  agent.state = Agent::Ready;
  ++agent.stack.back().next;
  return true;
}
