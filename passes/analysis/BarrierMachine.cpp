//===- BarrierMachine.cpp - what ops do to barriers in a run --------------===//

#include "passes/analysis/BarrierMachine.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;

static unsigned loopsAround(Operation *op) {
  unsigned loops = 0;
  while (Operation *loop = op->getParentOfType<LoopLikeOpInterface>()) {
    ++loops;
    op = loop;
  }
  return loops;
}

void BarrierMachine::addTo(RingFacts &facts, const BarrierUse &use) {
  switch (use.action.kind) {
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
    facts.arrivalLoops = std::max(facts.arrivalLoops, loopsAround(use.op));
  }
}

ArrayRef<BarrierAction> BarrierMachine::actionsOf(Operation *op) {
  auto [known, isNew] = actions.try_emplace(op);
  if (isNew)
    llvm::append_range(known->second, ttg::barrierActionsOf(op));
  return known->second;
}

/// Null, and the run fails, where it is not known.
Barrier *BarrierMachine::barrierOf(Value value) {
  RunValue barrier = valueOf(value);
  if (!barrier.allocation) {
    fail();
    return nullptr;
  }
  return &slots[{barrier.allocation.getAsOpaquePointer(),
                 barrier.number.value_or(0)}];
}

/// Whether `action` happens; where that is not known the run fails.
bool BarrierMachine::isTaken(const BarrierAction &action) {
  bool isKnown = true;
  for (Value predicate : action.predicates) {
    Scalar value = scalarOf(predicate);
    if (value == 0)
      return false;
    isKnown &= value.has_value();
  }
  if (!isKnown)
    fail();
  return isKnown;
}

/// Whether someone else has yet to see the last phase of a barrier that `agent`
/// is about to arrive at.
bool BarrierMachine::isHeldBack(unsigned agent,
                                ArrayRef<BarrierAction> actions) {
  for (const BarrierAction &action : actions) {
    if (!action.arrives() || !isTaken(action))
      continue;
    Barrier *barrier = barrierOf(action.barrier);
    if (!barrier || barrier->completed == 0 || agents[agent].isReleased)
      continue;
    const RingFacts &facts = rings[valueOf(action.barrier).allocation];
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

void BarrierMachine::act(Operation *op, ArrayRef<BarrierAction> actions) {
  for (const BarrierAction &action : actions) {
    Barrier *barrier = isTaken(action) ? barrierOf(action.barrier) : nullptr;
    if (failed)
      return;
    if (!barrier)
      continue;
    bool makes = action.kind == BarrierAction::Init;
    if (!makes && !barrier->init)
      return fail();
    switch (action.kind) {
    case BarrierAction::Init:
      if (!action.count)
        return fail();
      *barrier = Barrier();
      barrier->init = op;
      barrier->needed = barrier->pending = *action.count;
      continue;
    case BarrierAction::Invalidate:
      *barrier = Barrier();
      continue;
    case BarrierAction::Wait:
      continue;
    default:
      break;
    }
    const RingFacts &facts = rings[valueOf(action.barrier).allocation];
    if (action.arrives()) {
      if (!action.count)
        return fail();
      barrier->pending -= *action.count;
      barrier->last = op;
    }
    if (facts.knowsBytes && action.bytes) {
      bool announces = action.kind == BarrierAction::Expect;
      barrier->bytes += announces ? *action.bytes : -*action.bytes;
      barrier->expected += announces ? *action.bytes : 0;
      if (announces)
        barrier->announced = op;
    }
    completePhase(*barrier);
  }
}

/// The wait that `agent` is at.
std::optional<BarrierMachine::Wait> BarrierMachine::waitOf(const Agent &agent) {
  Operation *op = opOf(agent, program);
  for (const BarrierAction &action : actionsOf(op)) {
    if (action.kind != BarrierAction::Wait)
      continue;
    Barrier *barrier = barrierOf(action.barrier);
    bool isEdited = edit && edit->operand->getOwner() == op;
    Scalar phase = isEdited ? editedPhase() : scalarOf(action.phase);
    if (!barrier || !phase || !barrier->init)
      break;
    return Wait{op, barrier, *phase & 1};
  }
  fail();
  return std::nullopt;
}

/// Lets a wait that is over return: one that sees a new phase, or else one that
/// does not block the first time. That is right for who hands buffers back.
bool BarrierMachine::passWait() {
  std::optional<unsigned> best;
  int bestWeight = 0;
  for (unsigned number = 0; number < agents.size(); ++number) {
    if (agents[number].state != Agent::AtWait)
      continue;
    std::optional<Wait> wait = waitOf(agents[number]);
    if (failed)
      return false;
    bool isNew = wait->barrier->seen[number] < wait->barrier->completed;
    int weight = isNew ? -1 : factsOf(*wait).weight;
    if (wait->isOver() && (!best || weight <= bestWeight)) {
      best = number;
      bestWeight = weight;
    }
  }
  if (!best)
    return false;
  Agent &agent = agents[*best];
  std::optional<Wait> wait = waitOf(agent);
  wait->barrier->seen[*best] = wait->barrier->completed;
  passed.insert(wait->op);
  agent.state = Agent::Ready;
  ++agent.stack.back().next;
  return true;
}

BarrierFault BarrierMachine::fault(BarrierFault::Reason reason, unsigned agent,
                                   const Wait &wait) const {
  const Barrier &barrier = *wait.barrier;
  return {.reason = reason,
          .wait = wait.op,
          .phase = wait.phase,
          .init = barrier.init,
          .needed = barrier.needed,
          .arrived = barrier.needed - barrier.pending,
          .expected = barrier.expected,
          .copied = barrier.expected - barrier.bytes,
          .last = barrier.last,
          .isRepeated = passed.contains(wait.op),
          .isAcrossPartitions = barrier.last && partitionOf(barrier.last) !=
                                                    agents[agent].partition};
}

const BarrierMachine::RingFacts &BarrierMachine::factsOf(const Wait &wait) {
  for (const BarrierAction &action : actionsOf(wait.op))
    if (action.kind == BarrierAction::Wait)
      return rings[valueOf(action.barrier).allocation];
  return rings[Value()];
}

/// Of waits none of which can end, the one to blame.
std::optional<BarrierFault> BarrierMachine::explain() {
  SmallVector<std::pair<unsigned, Wait>> waits;
  for (unsigned number = 0; number < agents.size(); ++number)
    if (agents[number].state == Agent::AtWait)
      if (std::optional<Wait> wait = waitOf(agents[number]))
        waits.push_back({number, *wait});
  if (failed)
    return std::nullopt;
  for (auto &[agent, wait] : waits)
    if (wait.barrier->pending <= 0 && wait.barrier->bytes != 0) {
      BarrierFault found = fault(BarrierFault::MissingBytes, agent, wait);
      found.last = wait.barrier->announced;
      return found;
    }
  // Who did not see a phase that is complete asked for another one.
  for (auto &[agent, wait] : waits) {
    int64_t unseen = wait.barrier->completed - wait.barrier->seen[agent];
    if (unseen == 1 || (unseen > 1 && passed.contains(wait.op)))
      return fault(BarrierFault::WrongPhase, agent, wait);
    if (unseen > 1) {
      BarrierFault found = fault(BarrierFault::TooManyArrivals, agent, wait);
      found.arrived = unseen * wait.barrier->needed;
      return found;
    }
  }
  for (auto &[agent, wait] : waits)
    if (wait.barrier->pending > 0 &&
        wait.barrier->pending < wait.barrier->needed)
      return fault(BarrierFault::TooFewArrivals, agent, wait);
  // The others may wait for who waits where nothing arrives, or in a loop and
  // nothing arrives in one. A function without any arrival shows only a part.
  bool arrives = llvm::any_of(
      rings, [](const auto &ring) { return ring.second.isArrivedAt; });
  for (auto &[agent, wait] : waits) {
    const RingFacts &facts = factsOf(wait);
    if (loopsAround(wait.op) > facts.arrivalLoops ||
        (arrives && !facts.isArrivedAt))
      return fault(BarrierFault::NeverArrivedAt, agent, wait);
  }
  // Of several that wait for each other, the one that hands buffers back can
  // begin.
  std::pair<unsigned, Wait> *first = nullptr;
  for (auto &candidate : waits) {
    const RingFacts &facts = factsOf(candidate.second);
    if (candidate.second.barrier->completed != 0 || !facts.isArrivedAt)
      return std::nullopt;
    if (first && factsOf(first->second).weight == facts.weight)
      return std::nullopt;
    if (!first || facts.weight < factsOf(first->second).weight)
      first = &candidate;
  }
  if (!first)
    return std::nullopt;
  return fault(BarrierFault::NothingArrives, first->first, first->second);
}
