//===- Transfers.cpp - Copies of a wave in flight -------------------------===//

#include "executor/wave/Transfers.h"
#include "executor/wave/Workgroup.h"

using namespace llvm;

namespace kernelscope::wave {

void Transfers::issue(Wave &wave, Counter counter, Transfer transfer) {
  for (const LdsRange &range : transfer.ranges)
    if (!wave.beginTransfer(range, transfer.writesLds))
      return;
  queues[counter].push_back(std::move(transfer));
}

void Transfers::finishOldest(Wave &wave, Counter counter) {
  Transfer oldest = std::move(queues[counter].front());
  queues[counter].pop_front();
  for (const LdsRange &range : oldest.ranges)
    wave.endTransfer(range, oldest.writesLds);
  if (oldest.finish)
    oldest.finish(wave);
}

void Transfers::wait(Wave &wave, Counter counter, uint64_t left) {
  auto count = static_cast<uint64_t>(
      count_if(queues[counter], [](const Transfer &t) { return !t.isMark; }));
  while (count > left) {
    count -= !queues[counter].front().isMark;
    finishOldest(wave, counter);
  }
}

void Transfers::waitForMark(Wave &wave, Counter counter, uint64_t left) {
  auto count = static_cast<uint64_t>(
      count_if(queues[counter], [](const Transfer &t) { return t.isMark; }));
  while (count > left) {
    count -= queues[counter].front().isMark;
    finishOldest(wave, counter);
  }
}

bool Transfers::finishOne(Wave &wave) {
  for (unsigned counter : {Vector, Async, Tensor})
    for (bool isDone = false; !isDone && !queues[counter].empty();) {
      isDone = queues[counter].front().finish != nullptr;
      finishOldest(wave, static_cast<Counter>(counter));
      if (isDone)
        return true;
    }
  return false;
}

void Transfers::waitForTracked(Wave &wave) {
  std::deque<Transfer> &queue = queues[Vector];
  const auto last = std::find_if(queue.rbegin(), queue.rend(),
                                 [](const Transfer &t) { return t.isTracked; });
  for (auto count = std::distance(last, queue.rend()); count > 0; --count)
    finishOldest(wave, Vector);
}

} // namespace kernelscope::wave
