//===- AsyncQueue.h - Asynchronous work in flight ---------------*- C++ -*-===//
//
// What an agent has issued and not waited for yet. Work may take effect at any
// time between its issue and the wait that orders it; the schedule says when.
// By default it does so at the wait, which is what shows a wait that is
// missing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H
#define KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H

#include "executor/agents/Random.h"
#include "executor/agents/Trace.h"
#include "executor/sanitize/Knowledge.h"
#include "mlir/IR/Operation.h"
#include <cstddef>
#include <deque>
#include <functional>

namespace kernelscope::executor {

namespace sanitize {
class Watch;
} // namespace sanitize

/// What asynchronous work does. False: it left a fault.
using Effect = std::function<bool()>;

/// Something in flight.
struct AsyncWork {
  /// Reads its source, which may be overwritten from then on. Null when `write`
  /// reads it.
  Effect read;
  Effect write;
  /// Instructions that the op becomes, for waits that count them.
  size_t instructions = 1;
  /// For the sanitizer: when its accesses to shared memory are done, and whose
  /// they are.
  sanitize::Moment done = {};
  mlir::Operation *op = nullptr;
};

/// Work that completes in the order of its issue, in groups: PTX ISA,
/// "cp.async.commit_group".
class AsyncQueue {
public:
  /// Adds to the group that is open. False after a fault.
  bool issue(AsyncWork item);
  /// Closes the group, which may be empty.
  void commit() { ++open; }

  /// The oldest groups take effect until at most `pending` closed ones are
  /// left; an open one is left, too. False after a fault.
  bool wait(size_t pending);
  /// As above, but they only read their sources.
  bool waitForReads(size_t pending);
  /// The oldest work takes effect until at most `pending` instructions are
  /// left, whether or not their group is closed.
  bool waitForInstructions(size_t pending);

  /// Issued so far; work that is issued later has this number or more.
  size_t issued() const { return first + work.size(); }
  /// Work with a number below `end` takes effect, though this agent has not
  /// waited for it: it signals a barrier.
  bool finishUntil(size_t end);
  /// All issued so far signals a barrier, and takes effect even if its agent
  /// ends before.
  void signal() { signalled = issued(); }
  /// Some work takes a step that nothing waits for yet: it reads or writes.
  /// False after a fault.
  bool advance(Random &random);

  /// The agent has ended: what has read its source or signals a barrier takes
  /// effect. The rest is dropped, since no wait has ordered it and its memory
  /// is gone.
  bool end();
  /// Drops everything.
  void clear();
  /// When all that has been issued so far is done, for the sanitizer.
  const sanitize::Clock &allDone() const { return ends; }

  // How it behaves, set by its frame.
  bool isEager = false;             ///< work takes effect when it is issued
  bool isInOrder = false;           ///< no work takes effect before older work
  sanitize::Watch *watch = nullptr; ///< of its agent; null without a sanitizer

  Trace *trace = nullptr;       ///< where its work is seen, if anywhere,
  const char *engine = nullptr; ///< and as whose

private:
  struct Item {
    AsyncWork work;
    size_t group;
    bool hasRead = false, hasWritten = false;

    bool read();
    bool write();
  };

  /// The first group that may be left when `pending` are.
  size_t closedBefore(size_t pending) const {
    return open > pending ? open - pending : 0;
  }
  /// A wait of the agent orders the oldest item.
  bool retireOldest();
  void popOldest();

  std::deque<Item> work;
  size_t open = 0;      ///< number of the group that is open
  size_t first = 0;     ///< number of the oldest item
  size_t signalled = 0; ///< items with a smaller number signal a barrier
  sanitize::Clock ends;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H
