//===- Frame.cpp - The values of a running agent --------------------------===//

#include "executor/plan/Frame.h"
#include <cstring>

using namespace kernelscope::executor;

Frame::Frame(const Plan &plan, RunningProgram &program)
    : program(program), memory(program.memory), plan(plan),
      partitions(plan.partitions.size()) {
  bytes = std::make_unique<char[]>(plan.frameBytes + slotAlignment);
  const auto start = reinterpret_cast<uintptr_t>(bytes.get());
  char *base = bytes.get() + (-start & (slotAlignment - 1));
  pointers.reserve(plan.slots.size());
  for (const Plan::SlotInfo &slot : plan.slots)
    pointers.push_back(base + slot.offset);
  for (const auto &[slot, value] : plan.constants)
    std::memcpy(pointers[slot], value.data(), value.size());
}

char *Frame::allocate(size_t size) {
  allocations.push_back(std::make_unique<char[]>(size));
  return allocations.back().get();
}

void Frame::reset() {
  for (AsyncQueue &queue : queues)
    queue.clear();
  allocations.clear();
  lanes = 1;
}

bool Frame::end() {
  // The tensor core goes on: what waits for a commit may be another agent.
  for (AsyncQueue &queue : queues)
    if (&queue != &this->queue(ttg::Completion::TensorCommit) && !queue.end())
      return false;
  return true;
}

Frame &Frame::partition(size_t index) {
  std::unique_ptr<Frame> &frame = partitions[index];
  if (!frame)
    frame = std::make_unique<Frame>(*plan.partitions[index], program);
  return *frame;
}
