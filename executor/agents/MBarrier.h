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
#include "mlir/IR/Operation.h"
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>

namespace kernelscope::executor {

/// What is known to an agent that sees that a phase of a barrier has ended.
class PhaseKnowledge {
public:
  void arrive(const sanitize::Release &by) {
    if (by)
      running.learn(*by);
  }
  void endPhase(uint64_t phase);
  /// Null when there is none, or it is too long ago to be kept: then what a
  /// later phase knows is all that can be said.
  const sanitize::Knowledge *of(uint64_t phase) const;
  /// The agents that arrived in this phase know of this moment.
  bool knows(sanitize::Moment moment) const {
    return running.done.knows(moment);
  }

private:
  static constexpr size_t kept = 4;
  sanitize::Knowledge running;
  std::deque<std::pair<uint64_t, sanitize::Knowledge>> ended;
};

/// One barrier that is initialised.
class MBarrier {
public:
  MBarrier(uint32_t count, mlir::Operation *init)
      : init(init), count(count), pending(count) {}

  /// Subtracts `arrivals` from those that the phase still needs; false, and
  /// nothing is done, if it needs fewer. `by` is what the one who arrives
  /// knows.
  bool arrive(uint32_t arrivals, const sanitize::Release &by);
  /// The phase needs `arrivals` more.
  void add(uint32_t arrivals) { pending += arrivals; }
  /// Announces `size` bytes: the phase does not end before they are written.
  void expect(int64_t size) { bytes += size; }
  /// `size` bytes are written. False, and nothing is done, when all arrivals
  /// have come and announced fewer: the phase could never end.
  bool complete(int64_t size, const sanitize::Release &by);

  /// Phases that have ended. The running phase has the parity of this number.
  uint64_t phase() const { return ended; }
  /// "2 of 4 arrivals and 512 bytes": what the running phase still needs.
  std::string missing() const;

  /// An agent starts the wait `op` for the end of phase number `phase`.
  void beginWait(uint64_t phase, mlir::Operation *op) {
    waiting.push_back({phase, op, {}});
  }
  /// The oldest such wait ends, at the moment `at` of its agent if the
  /// sanitizer runs.
  void endWait(uint64_t phase, mlir::Operation *op, sanitize::Moment at);
  bool hasWaiters() const { return !waiting.empty(); }
  /// A wait for a phase that ended, and whose successor ended as well before
  /// the wait was known to return: it may see the phase after the next. Null
  /// for none; returned once.
  mlir::Operation *takeMissed() { return std::exchange(missed, nullptr); }

  /// What an agent learns from the end of phase number `phase`; null for
  /// nothing.
  const sanitize::Knowledge *known(uint64_t phase) const {
    return knowledge.of(phase);
  }

  mlir::Operation *init; ///< the op that initialised it

private:
  void endPhaseIfDone();

  uint32_t count, pending;
  int64_t bytes = 0; ///< announced less written; below 0 when those come first
  uint64_t ended = 0;
  PhaseKnowledge knowledge;
  struct Waiting {
    uint64_t phase;
    mlir::Operation *op;
    sanitize::Moment seen; ///< when it was over
  };
  std::vector<Waiting> waiting, over;
  mlir::Operation *missed = nullptr;
};

/// The barriers of a program, by the address of their memory, and the work in
/// flight that ends with a signal to one.
class MBarriers {
public:
  /// Null when no barrier is initialised there.
  MBarrier *find(const char *at);
  /// False when there is one already.
  bool init(const char *at, uint32_t count, mlir::Operation *op);
  void invalidate(const char *at, mlir::Operation *op) {
    barriers.erase(at);
    invalidated[at] = op;
  }
  /// The op that has invalidated the barrier there; null for none.
  mlir::Operation *invalidatedBy(const char *at) const {
    auto found = invalidated.find(at);
    return found == invalidated.end() ? nullptr : found->second;
  }
  /// The first barrier in these bytes; null for none.
  MBarrier *findIn(const char *begin, size_t size);
  /// Newly allocated memory has no barriers.
  void forget(const char *begin, size_t size);
  void clear() {
    barriers.clear();
    invalidated.clear();
    work.clear();
  }

  /// Starts work that ends with a signal to the barrier at `at`. `effect` gives
  /// the signal, too. By default it takes effect as late as that allows: when
  /// no agent can continue and one waits for this barrier. `op` is whose work
  /// it is, and `done` what is known when it is done. An `engine` signals in
  /// the order in which it was given work. False after a fault.
  bool issue(const char *at, mlir::Operation *op, sanitize::Release done,
             Effect effect, const void *engine = nullptr) {
    if (trace)
      effect =
          trace->follow("engine: what signals a barrier", std::move(effect));
    if (isEager)
      return effect();
    work.push_back({at, op, std::move(done), std::move(effect), engine});
    return true;
  }
  /// The op of work that has still to signal the barrier at `at`, and that is
  /// not `known` to be done; null for none.
  mlir::Operation *pendingSignal(const char *at,
                                 const sanitize::Clock &known) const;
  /// Lets the oldest work that some agent waits for take effect. False when
  /// there is none.
  bool advance();
  /// Lets any work take effect. False when there is none.
  bool advance(Random &random);

  bool isEager = false; ///< work takes effect when it is issued

  Trace *trace = nullptr; ///< where that work is seen, if anywhere

private:
  struct Work {
    const char *at;
    mlir::Operation *op;
    sanitize::Release done;
    Effect effect;
    const void *engine;
  };
  /// Lets `next` take effect, or what its engine must signal before.
  bool takeEffect(std::list<Work>::iterator next);

  std::map<const char *, MBarrier> barriers;
  std::map<const char *, mlir::Operation *> invalidated; ///< by which op
  std::list<Work> work;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_MBARRIER_H
