//===- Transfers.h - Copies of a wave in flight -----------------*- C++ -*-===//
//
// What copies to or from LDS do takes effect as late as the chip may have it:
// when the wave waits for it by the counter that the copy counts in, or ends.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_TRANSFERS_H
#define KERNELSCOPE_EXECUTOR_WAVE_TRANSFERS_H

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <deque>
#include <functional>

namespace kernelscope::wave {

class Wave;

/// Bytes of LDS.
struct LdsRange {
  uint64_t begin = 0, bytes = 0;
};

/// One instruction that a counter counts.
struct Transfer {
  /// What it does; nothing for an access of registers, which only counts, and
  /// for a mark, which does not even.
  std::function<void(Wave &)> finish;
  /// What it writes in LDS, or reads there.
  llvm::SmallVector<LdsRange, 0> ranges = {};
  bool writesLds = true;
  /// LLVM waits for it before a load of the same wave that may read what it
  /// writes.
  bool isTracked = false;
  bool isMark = false;
};

class Transfers {
public:
  /// Vector: loads, and on gfx9 stores, of vector memory, in order (vmcnt).
  /// Async: gfx1250's copies of lanes, NVIDIA's `cp.async`. Tensor: those of
  /// the data mover, and of `cp.async.bulk` from shared memory.
  enum Counter : unsigned { Vector, Async, Tensor };

  void start() {
    for (auto &queue : queues)
      queue.clear();
  }
  void issue(Wave &wave, Counter counter, Transfer transfer);
  /// Counts an access of registers, where something is in flight before it.
  void count(Counter counter) {
    if (!queues[counter].empty())
      queues[counter].push_back({});
  }
  /// A mark after the copies so far (`llvm.amdgcn.asyncmark`).
  void mark(Counter counter) {
    if (!queues[counter].empty()) {
      queues[counter].push_back({});
      queues[counter].back().isMark = true;
    }
  }
  /// Finishes the oldest until at most `left` are in flight.
  void wait(Wave &wave, Counter counter, uint64_t left);
  /// Finishes all before the mark that has `left` marks after it.
  void waitForMark(Wave &wave, Counter counter, uint64_t left);
  void finishAll(Wave &wave) {
    for (unsigned counter : {Vector, Async, Tensor})
      wait(wave, static_cast<Counter>(counter), 0);
  }
  /// Finishes the oldest of those that do something; false if there is none.
  bool finishOne(Wave &wave);
  /// What LLVM waits for before a load that may read what was copied.
  void waitForTracked(Wave &wave);

private:
  void finishOldest(Wave &wave, Counter counter);

  std::array<std::deque<Transfer>, 3> queues;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_TRANSFERS_H
