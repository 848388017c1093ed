//===- AsyncQueue.h - Asynchronous work under way --------------*- C++ -*-===//
//
// What an agent has issued and not waited for yet. Work may take effect at any
// time between its issue and the wait that orders it; here it does so at the
// wait, which is what shows a wait that is missing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H
#define KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <deque>
#include <functional>

namespace kernelscope::executor {

/// What asynchronous work does. False: it left a fault.
using Effect = std::function<bool()>;

/// Something under way.
struct AsyncWork {
  /// Reads its source, which may be overwritten from then on. Null when `write`
  /// reads it.
  Effect read;
  Effect write;
  /// Instructions that the op becomes, for waits that count them.
  size_t instructions = 1;
};

/// Work that completes in the order of its issue, in groups: PTX ISA,
/// "cp.async.commit_group".
class AsyncQueue {
public:
  /// Adds to the group that is open.
  void issue(AsyncWork item) { work.push_back({std::move(item), open}); }
  /// Closes the group, which may be empty.
  void commit() { ++open; }

  /// The oldest groups take effect until at most `pending` closed ones are
  /// left; an open one is left, too. False after a fault.
  bool wait(size_t pending) { return finishGroups(closedBefore(pending)); }
  /// As above, but they only read their sources.
  bool waitForReads(size_t pending);
  /// The oldest work takes effect until at most `pending` instructions are
  /// left, whether or not their group is closed.
  bool waitForInstructions(size_t pending);

  /// Issued so far; work that is issued later has this number or more.
  size_t issued() const { return finished + work.size(); }
  /// Work with a number below `end` takes effect.
  bool finishUntil(size_t end);

  /// The agent has ended: what has read its source takes effect. What has not
  /// is dropped, since no wait has ordered it and its memory is gone.
  bool end();
  /// Drops everything.
  void clear() { *this = AsyncQueue(); }

private:
  struct Item {
    AsyncWork work;
    size_t group;
    bool hasRead = false;

    bool read();
  };

  /// The first group that may be left when `pending` are.
  size_t closedBefore(size_t pending) const {
    return open > pending ? open - pending : 0;
  }
  bool finishGroups(size_t endGroup);
  bool finishOldest();

  std::deque<Item> work;
  size_t open = 0;     ///< number of the group that is open
  size_t finished = 0; ///< items that have taken effect
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H
