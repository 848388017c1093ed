//===- Frame.cpp - The values of a running agent --------------------------===//

#include "executor/plan/Frame.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::executor;

namespace {
/// What stands at the start of a slot whose value is deferred.
struct Mark {
  uint64_t ones = ~uint64_t{0};
  const void *value;
};
} // namespace

Frame::Frame(const Plan &plan, RunningProgram &program)
    : plan(plan), program(program), memory(program.memory),
      partitions(plan.partitions.size()) {
  bytes = std::make_unique<char[]>(plan.frameBytes + slotAlignment);
  const auto start = reinterpret_cast<uintptr_t>(bytes.get());
  char *base = bytes.get() + (-start & (slotAlignment - 1));
  pointers.reserve(plan.slots.size());
  for (const Plan::SlotInfo &slot : plan.slots)
    pointers.push_back(base + slot.offset);
  for (const auto &[slot, value] : plan.constants)
    std::memcpy(pointers[slot], value.data(), value.size());
  for (AsyncQueue &queue : queues) {
    queue.isEager = program.isEager();
    program.queues.push_back(&queue);
  }
  // PTX ISA: wgmma on one accumulator, and the pipeline of tcgen05; AMD's mover
  // counts down in order.
  queue(ttg::Completion::WgmmaGroup).isInOrder = true;
  queue(ttg::Completion::TensorCommit).isInOrder = true;
  queue(ttg::Completion::TensorCounter).isInOrder = true;
}

bool Frame::runDisturbed(const Body &body) {
  for (const Step &step : body.steps)
    if (!program.disturb() || !step(*this))
      return false;
  return true;
}

bool Frame::failTooLong(Operation *op) {
  program.isTooLong = true;
  return fault(op, programName() + " has done the work of " +
                       llvm::Twine(program.maxSteps) + " ops on scalars and " +
                       (op->hasTrait<OpTrait::ReturnLike>()
                            ? "has only reached its end"
                            : "is still in this loop") +
                       "; the limit can be raised with --max-steps, or "
                       "\"maxSteps\" in a launch spec");
}

bool Frame::exchange(Operation *op, Slot values, size_t elementBytes,
                     const Owners &owners) {
  Cluster &cluster = *program.cluster;
  const size_t bytes = plan.slots[values].bytes;
  auto meeting = cluster.arrive(cta, &plan.slots[values]);
  meeting->values.resize(bytes);
  auto isFirst = [&](size_t i) {
    const CTAs having = owners ? (*owners)[i] : ~CTAs{0};
    return llvm::countr_zero(having) == int(cta);
  };
  for (size_t i = 0; i * elementBytes < bytes; ++i)
    if (isFirst(i))
      std::memcpy(meeting->values.data() + i * elementBytes,
                  pointers[values] + i * elementBytes, elementBytes);
  if (!wait({op, [&] { return cluster.isComplete(*meeting); },
             [&] {
               return cluster.missing(*meeting) +
                      " to bring their part of a tensor";
             }}))
    return false;
  std::memcpy(pointers[values], meeting->values.data(), bytes);
  return true;
}

bool Frame::found(Operation *op, ArrayRef<char> values, bool changed) {
  if (!program.turns)
    return true;
  if (changed) {
    program.turns->changed();
    lastFound = 0;
    return true;
  }
  const uint64_t hash = llvm::hash_combine(
      op, llvm::xxh3_64bits(StringRef(values.data(), values.size())));
  return std::exchange(lastFound, hash) != hash ||
         program.scheduler.letOtherProgramsRun(op);
}

void Frame::setWatch(sanitize::Watch *record) {
  watch = record;
  for (AsyncQueue &queue : queues)
    queue.watch = record;
}

char *Frame::allocate(size_t size) {
  allocations.push_back(std::make_unique<char[]>(size));
  return allocations.back().get();
}

/// Who does the work that waits of this kind order.
static const char *engineOf(ttg::Completion completion) {
  switch (completion) {
  case ttg::Completion::BulkGroup:
    return "engine: TMA stores";
  case ttg::Completion::WgmmaGroup:
  case ttg::Completion::TensorCommit:
    return "engine: tensor core";
  default:
    return "engine: copies";
  }
}

bool Frame::waitTraced(const Wait &wait) {
  if (wait.isOver())
    return program.scheduler.wait(wait);
  const std::string agent = program.scheduler.runningAgent(),
                    what = wait.what();
  const uint64_t begin = program.trace->time();
  const bool goesOn = program.scheduler.wait(wait);
  program.trace->waited(agent, wait.op, what, begin);
  return goesOn;
}

void Frame::reset() {
  for (size_t kind = 0; kind < std::size(queues); ++kind) {
    queues[kind].clear();
    queues[kind].trace = program.trace;
    queues[kind].engine = engineOf(static_cast<ttg::Completion>(kind));
  }
  allocations.clear();
  deferred.clear();
  deferring.clear();
  lanes = 1;
  lastFound = 0;
}

bool Frame::end() {
  // The tensor core continues: what waits for a commit may be another agent.
  for (AsyncQueue &queue : queues)
    if (&queue != &this->queue(ttg::Completion::TensorCommit) && !queue.end())
      return false;
  return true;
}

Frame::Deferred Frame::defer(Slot slot, size_t size, Operation *op) {
  Deferred made = std::make_shared<std::vector<char>>(size);
  const Mark mark{.value = made.get()};
  std::memset(pointers[slot], 0xff, size);
  std::memcpy(pointers[slot], &mark, std::min(size, sizeof(mark)));
  deferred.push_back(made);
  deferring.push_back(op);
  return made;
}

Operation *Frame::deferredBy(Slot slot) {
  const Deferred value = deferredAt(slot, plan.slots[slot].bytes);
  auto found = std::find(deferred.begin(), deferred.end(), value);
  return value ? deferring[found - deferred.begin()] : nullptr;
}

Frame::Deferred Frame::deferredAt(Slot slot, size_t size) {
  Mark mark;
  if (deferred.empty() || size < sizeof(mark))
    return nullptr;
  std::memcpy(&mark, pointers[slot], sizeof(mark));
  if (mark.ones != ~uint64_t{0})
    return nullptr;
  auto found = std::find_if(deferred.begin(), deferred.end(), [&](auto &value) {
    return value.get() == mark.value;
  });
  return found == deferred.end() ? nullptr : *found;
}

void Frame::resolve(const Deferred &value) {
  for (Slot slot = 0; slot < pointers.size(); ++slot)
    if (plan.slots[slot].bytes == value->size() &&
        deferredAt(slot, value->size()) == value)
      std::memcpy(pointers[slot], value->data(), value->size());
  auto found = std::find(deferred.begin(), deferred.end(), value);
  if (found == deferred.end())
    return;
  deferring.erase(deferring.begin() + (found - deferred.begin()));
  deferred.erase(found);
}

Frame &Frame::partition(size_t index) {
  std::unique_ptr<Frame> &frame = partitions[index];
  if (!frame)
    frame = std::make_unique<Frame>(*plan.partitions[index], program);
  frame->cta = cta;
  return *frame;
}
