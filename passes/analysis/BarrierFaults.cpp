//===- BarrierFaults.cpp - why a run comes to no end ----------------------===//

#include "passes/analysis/BarrierMachine.h"

using namespace mlir;
using namespace kernelscope;

BarrierFault BarrierMachine::fault(BarrierFault::Reason reason, unsigned agent,
                                   const Wait &wait) const {
  const Barrier &barrier = *wait.barrier;
  return {.reason = reason,
          .wait = wait.step->op,
          .phase = wait.phase,
          .init = barrier.init,
          .needed = barrier.needed,
          .arrived = barrier.needed - barrier.pending,
          .expected = barrier.expected,
          .copied = barrier.expected - barrier.bytes,
          .last = barrier.last,
          .isRepeated = passed.contains(wait.step->op),
          .isAcrossPartitions = barrier.last && partitionOf(barrier.last) !=
                                                    agents[agent].partition};
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
    if (unseen == 1 || (unseen > 1 && passed.contains(wait.step->op)))
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
      rings, [](const RingFacts &ring) { return ring.isArrivedAt; });
  for (auto &[agent, wait] : waits) {
    const RingFacts &facts = factsOf(wait.action->barrier);
    if (loopsAround(wait.step->op) > facts.arrivalLoops ||
        (arrives && !facts.isArrivedAt))
      return fault(BarrierFault::NeverArrivedAt, agent, wait);
  }
  // Of several that wait for each other, the one that hands buffers back can
  // begin. Where that is not plain, each may be the one.
  std::pair<unsigned, Wait> *first = nullptr;
  bool isPlain = true;
  for (auto &candidate : waits) {
    const RingFacts &facts = factsOf(candidate.second.action->barrier);
    int64_t completed = candidate.second.barrier->completed;
    isPlain &= completed == 0 && facts.isArrivedAt &&
               !(first &&
                 factsOf(first->second.action->barrier).weight == facts.weight);
    if (!first || facts.weight < factsOf(first->second.action->barrier).weight)
      first = &candidate;
    if (facts.isArrivedAt)
      suspects.push_back(fault(completed == 0 ? BarrierFault::NothingArrives
                                              : BarrierFault::WrongPhase,
                               candidate.first, candidate.second));
  }
  if (!first || !isPlain)
    return std::nullopt;
  return fault(BarrierFault::NothingArrives, first->first, first->second);
}
