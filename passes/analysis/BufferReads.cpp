//===- BufferReads.cpp - reads of buffers before their data ---------------===//
//
// Who reads a buffer must know that what fills it is done: by a wait on its
// barrier, or by one for somebody who has waited.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/BarrierMachine.h"

using namespace mlir;
using namespace kernelscope;
using ttg::BarrierAction;
using ttg::Completion;

/// The number of the buffer, or -1 where it is not known which one it is.
int BarrierMachine::bufferOf(const StepAccess &access) const {
  const RunValue &value = values[access.memory];
  if (value.memory < int(program.numRings))
    return -1;
  const RunMemory &memory = program.memories[value.memory];
  if (!value.number && memory.depth != 1)
    return -1;
  int64_t place = value.number.value_or(0);
  if (place < 0 || place >= memory.depth)
    return -1;
  return int(memory.firstSlot - program.numBarrierSlots + place);
}

/// Remembers that `agent` reads what fills the buffer now.
void BarrierMachine::noteRead(Buffer &buffer, unsigned number, const Step &step,
                              const StepAccess &access) {
  Agent &agent = agents[number];
  if (buffer.lastRead.size() <= number)
    buffer.lastRead.resize(number + 1);
  buffer.isOverrun |= buffer.fills > buffer.lastRead[number] + 1;
  buffer.lastRead[number] = buffer.fills;
  BufferRead read = {step.op, number, productsOf(number), agent.products,
                     access.isTensorCore};
  if (!access.isTensorCore || !access.isAsync()) {
    read.knowledge = readsOf(number);
    read.needed = ++agent.reads;
    agent.knows[read.knowledge] = read.needed;
  }
  // Copies to global memory have waits of their own.
  if (access.completion == Completion::BulkGroup)
    return;
  // The last of each kind covers those before it.
  auto *same = llvm::find_if(buffer.reads, [&](const BufferRead &other) {
    return other.knowledge == read.knowledge;
  });
  if (same == buffer.reads.end())
    buffer.reads.push_back(read);
  else
    *same = read;
}

/// Whether `agent` has no wait for the ring of the barrier that signals
/// `buffer`.
bool BarrierMachine::hasNoWait(const Agent &agent, const Buffer &buffer) const {
  if (buffer.isFilledByTensorCore)
    return false;
  for (auto [facts, memory] : llvm::zip(rings, program.memories))
    if (buffer.knowledge >= memory.firstSlot &&
        buffer.knowledge < memory.firstSlot + memory.depth)
      return !facts.waiters.count(agent.partition);
  return false;
}

void BarrierMachine::read(unsigned number, const Step &step) {
  for (const StepAccess &access : step.accesses) {
    int place = access.isWrite || tooEarly ? -1 : bufferOf(access);
    if (place < 0 || (access.predicate != noValue &&
                      values[access.predicate].number.value_or(0) == 0))
      continue;
    Buffer &buffer = buffers[place];
    noteRead(buffer, number, step, access);
    const RunMemory &memory = program.memories[values[access.memory].memory];
    if (!buffer.wasFilled && !buffer.emptyRead && memory.isOnlyFilled &&
        !(access.isTensorCore && access.isAsync())) {
      buffer.emptyRead = step.op;
      buffer.emptyReader = number;
    }
    // Products and copies to tensor memory are done one after another; before
    // any commit, tokens may say more than barriers.
    if (!buffer.filler || buffer.isOverrun ||
        (buffer.isFilledByTensorCore && access.isTensorCore))
      continue;
    if (buffer.isFilledByTensorCore &&
        agents[buffer.fillingAgent].committed < buffer.needed)
      continue;
    if (agents[number].knows[buffer.knowledge] < buffer.needed)
      tooEarly = {UnguardedAccess::Read, step.op, buffer.filler,
                  hasNoWait(agents[number], buffer)};
  }
}

/// A step that writes to buffers, before its actions.
void BarrierMachine::fill(unsigned number, const Step &step) {
  for (const StepAccess &access : step.accesses) {
    if (!access.isWrite)
      continue;
    Scalar isMade = access.predicate == noValue
                        ? Scalar(-1)
                        : values[access.predicate].number;
    if (isMade == 0)
      continue;
    int place = bufferOf(access);
    const RunValue &value = values[access.memory];
    if (place < 0 || value.isPart || !isMade) {
      forgetAll(value.memory, /*wereFilled=*/true);
      continue;
    }
    Buffer &buffer = buffers[place];
    buffer.filler = nullptr;
    if (!access.isAsync()) {
      buffer.reads.clear();
      continue;
    }
    checkOverwrite(number, step, buffer, access.isTensorCore);
    buffer.reads.clear();
    buffer.fillingAgent = number;
    buffer.isFilledByTensorCore = access.isTensorCore;
    if (access.isTensorCore) {
      buffer.filler = step.op;
      buffer.knowledge = productsOf(number);
      buffer.needed = agents[number].products;
    } else if (const Barrier *barrier = completedBy(step)) {
      ++buffer.fills;
      buffer.filler = step.op;
      buffer.knowledge = barrier - slots.data();
      buffer.needed = int32_t(barrier->completed + 1);
    }
    if (buffer.filler && buffer.emptyRead && !buffer.wasFilled && !tooEarly &&
        buffer.emptyReader != number)
      tooEarly = {UnguardedAccess::Read, buffer.emptyRead, step.op,
                  hasNoWait(agents[buffer.emptyReader], buffer)};
    buffer.wasFilled = true;
  }
}

/// Whether those who read `buffer` are known to be done. What hands it back may
/// be yet to come, except where they arrive at a barrier that nothing waits
/// for, or at one that who fills it waits for: they did so before they read.
void BarrierMachine::checkOverwrite(unsigned number, const Step &step,
                                    const Buffer &buffer, bool isTensorCore) {
  if (tooEarly || buffer.isOverrun)
    return;
  Region *filler = agents[number].partition;
  for (const BufferRead &read : buffer.reads) {
    const Agent &reader = agents[read.agent];
    bool isOrdered = isTensorCore && read.isTensorCore;
    bool isUncommitted = read.knowledge == productsOf(read.agent) &&
                         reader.committed < read.needed;
    if (!isOrdered && !isUncommitted &&
        agents[number].knows[read.knowledge] < read.needed &&
        llvm::any_of(
            rings,
            [&](const RingFacts &ring) {
              bool isWaited = ring.waiters.count(filler) && ring.weight == 0 &&
                              filler != reader.partition;
              return ring.arrivers.count(reader.partition) &&
                     (ring.waiters.empty() || isWaited);
            }))
      tooEarly = {UnguardedAccess::Overwrite, step.op, read.op};
  }
}

/// Whether everything that `agent` has started has arrived at a barrier that it
/// invalidates. Only of rings that nothing waits for: Triton 3.6 invalidates
/// the barriers that release its last buffers.
void BarrierMachine::checkInvalidation(unsigned number, const Step &step,
                                       const StepAction &action,
                                       const Barrier &barrier) {
  const Knowledge &knows = agents[number].knows;
  if (barrier.async && !tooEarly && barrier.asyncAgent == number &&
      factsOf(action.barrier).waiters.empty() &&
      knows[&barrier - slots.data()] < barrier.asyncPhase &&
      knows[barrier.asyncKnowledge] < barrier.asyncNeeded)
    tooEarly = {UnguardedAccess::Invalidate, step.op, barrier.async};
}

/// The barrier on which the bytes complete that `step` copies; null where that
/// is not known.
const Barrier *BarrierMachine::completedBy(const Step &step) {
  for (const StepAction &action : step.actions)
    if (action.kind == BarrierAction::Complete && isTaken(action))
      if (const Barrier *barrier = barrierOf(action.barrier))
        return factsOf(action.barrier).knowsBytes ? barrier : nullptr;
  return nullptr;
}

/// What fills the buffers of a ring is not known.
void BarrierMachine::forgetAll(int memory, bool wereFilled) {
  if (memory < int(program.numRings))
    return;
  const RunMemory &ring = program.memories[memory];
  for (int64_t i = 0; i < ring.depth; ++i) {
    Buffer &buffer = buffers[ring.firstSlot - program.numBarrierSlots + i];
    buffer = {};
    buffer.wasFilled = wereFilled;
  }
}

/// The phases of `barrier` start again: what it signalled before is settled.
void BarrierMachine::forget(unsigned barrier) {
  for (Agent &agent : agents)
    agent.knows[barrier] = 0;
  for (Barrier &other : slots)
    other.brought[barrier] = 0;
  for (Buffer &buffer : buffers)
    if (buffer.filler && buffer.knowledge == barrier)
      buffer = {};
}

std::optional<UnguardedAccess>
BarrierMachine::unguardedAccess(const Barriers &barriers,
                                bool isEndless) const {
  if (tooEarly || !isEndless)
    return tooEarly;
  // Who reads without any wait may run so far ahead that others wait forever.
  for (unsigned i = program.numRings; i < program.memories.size(); ++i) {
    const RunMemory &memory = program.memories[i];
    const Buffer &buffer = buffers[memory.firstSlot - program.numBarrierSlots];
    if (!buffer.emptyRead || buffer.wasFilled)
      continue;
    const auto &users = barriers.buffers()[i - program.numRings].users;
    for (auto [facts, ring] : llvm::zip(rings, barriers.rings()))
      for (const BarrierUse &use : ring.uses)
        if (use.action.kind == BarrierAction::Complete &&
            users.contains(use.op) &&
            !facts.waiters.count(agents[buffer.emptyReader].partition))
          return UnguardedAccess{UnguardedAccess::Read, buffer.emptyRead,
                                 use.op, true};
  }
  return std::nullopt;
}
