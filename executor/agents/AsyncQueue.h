//===- AsyncQueue.h - Asynchronous work under way --------------*- C++ -*-===//
//
// What an agent has issued and not waited for yet. Work may take effect at any
// time between its issue and the wait that orders it; here it does so at the
// wait, which is what shows a wait that is missing.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H
#define KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H

#include <deque>
#include <functional>
#include <vector>

namespace kernelscope::executor {

/// Work that completes in groups, in order: PTX ISA, "cp.async.commit_group".
class AsyncQueue {
public:
  using Effect = std::function<void()>;

  /// Adds to the group that is open.
  void issue(Effect effect) { open.push_back(std::move(effect)); }
  /// Closes the group, which may be empty.
  void commit() {
    groups.push_back(std::move(open));
    open.clear();
  }
  /// The oldest groups take effect until at most `pending` are left.
  void wait(size_t pending) {
    for (; groups.size() > pending; groups.pop_front())
      for (const Effect &effect : groups.front())
        effect();
  }
  /// Drops work that no wait has ordered.
  void clear() {
    open.clear();
    groups.clear();
  }

private:
  std::vector<Effect> open;
  std::deque<std::vector<Effect>> groups;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_ASYNCQUEUE_H
