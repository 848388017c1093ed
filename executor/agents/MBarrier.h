//===- MBarrier.h - Barriers in shared memory ------------------*- C++ -*-===//
//
// The state of mbarrier objects, after the PTX ISA, "mbarrier": a phase ends
// with its last arrival once all announced bytes are written; the next needs as
// many arrivals.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_MBARRIER_H
#define KERNELSCOPE_EXECUTOR_AGENTS_MBARRIER_H

#include "executor/agents/AsyncQueue.h"
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>

namespace kernelscope::executor {

/// One barrier that is initialised.
class MBarrier {
public:
  explicit MBarrier(uint32_t count) : count(count), pending(count) {}

  /// Takes `arrivals` off what the phase awaits; false, and nothing is done,
  /// when it awaits fewer.
  bool arrive(uint32_t arrivals);
  /// The phase awaits `arrivals` more.
  void add(uint32_t arrivals) { pending += arrivals; }
  /// Announces `size` bytes: the phase does not end before they are written.
  void expect(int64_t size) { bytes += size; }
  /// `size` bytes are written. False, and nothing is done, when all arrivals
  /// have come and announced fewer: the phase could never end.
  bool complete(int64_t size);

  /// Phases that have ended. The running phase has the parity of this number.
  uint64_t phase() const { return ended; }
  /// "2 of 4 arrivals and 512 bytes": what the running phase still lacks.
  std::string missing() const;

  /// Agents that wait for a phase of it.
  unsigned waiters = 0;

private:
  void endPhaseIfDone();

  uint32_t count, pending;
  int64_t bytes = 0; ///< announced less written; below 0 when those come first
  uint64_t ended = 0;
};

/// The barriers of a program, by the address of their memory, and the work
/// under way that ends with a signal to one.
class MBarriers {
public:
  /// Null when no barrier is initialised there.
  MBarrier *find(const char *at);
  /// False when there is one already.
  bool init(const char *at, uint32_t count);
  void invalidate(const char *at) { barriers.erase(at); }
  /// Memory that is allocated anew has no barriers.
  void forget(const char *begin, size_t size);
  void clear() {
    barriers.clear();
    work.clear();
  }

  /// Starts work that ends with a signal to the barrier at `at`. It takes
  /// effect as late as that allows: when no agent can go on and one waits for
  /// this barrier. `effect` gives the signal, too.
  void issue(const char *at, Effect effect) {
    work.emplace_back(at, std::move(effect));
  }
  /// Lets the oldest work take effect that some agent waits for. False when
  /// there is none.
  bool advance();

private:
  std::map<const char *, MBarrier> barriers;
  std::list<std::pair<const char *, Effect>> work;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_MBARRIER_H
