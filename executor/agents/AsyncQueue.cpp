//===- AsyncQueue.cpp - Asynchronous work in flight -----------------------===//

#include "executor/agents/AsyncQueue.h"
#include "executor/sanitize/Watch.h"

using namespace kernelscope::executor;

bool AsyncQueue::Item::read() {
  if (hasRead)
    return true;
  hasRead = true;
  return !work.read || work.read();
}

bool AsyncQueue::Item::write() {
  if (!read())
    return false;
  if (hasWritten)
    return true;
  hasWritten = true;
  return !work.write || work.write();
}

bool AsyncQueue::issue(AsyncWork item) {
  if (item.done)
    ends.learn(item.done);
  if (trace)
    item.write = trace->follow(engine, std::move(item.write));
  work.push_back({std::move(item), open});
  return !isEager || work.back().write();
}

void AsyncQueue::popOldest() {
  work.pop_front();
  ++first;
}

bool AsyncQueue::retireOldest() {
  Item &item = work.front();
  const bool done = item.write();
  if (watch)
    watch->waited(item.work.done);
  popOldest();
  return done;
}

bool AsyncQueue::wait(size_t pending) {
  while (!work.empty() && work.front().group < closedBefore(pending))
    if (!retireOldest())
      return false;
  return true;
}

bool AsyncQueue::waitForReads(size_t pending) {
  for (Item &item : work) {
    if (item.group >= closedBefore(pending))
      break;
    if (!item.read())
      return false;
    if (watch)
      watch->waited(item.work.done);
  }
  return true;
}

bool AsyncQueue::waitForInstructions(size_t pending) {
  size_t left = 0;
  for (const Item &item : work)
    left += item.work.instructions;
  while (left > pending) {
    left -= work.front().work.instructions;
    if (!retireOldest())
      return false;
  }
  return true;
}

bool AsyncQueue::finishUntil(size_t end) {
  for (size_t i = 0; i < work.size() && first + i < end; ++i)
    if (!work[i].write())
      return false;
  // What the sanitizer watches stays until the agent itself waits for it.
  while (!work.empty() && work.front().hasWritten && !work.front().work.done)
    popOldest();
  return true;
}

bool AsyncQueue::advance(Random &random) {
  std::vector<Item *> left;
  for (Item &item : work)
    if (!item.hasWritten)
      left.push_back(&item);
  if (left.empty())
    return true;
  Item &item = *left[isInOrder ? 0 : random.below(left.size())];
  return item.work.read && !item.hasRead ? item.read() : item.write();
}

bool AsyncQueue::end() {
  for (; !work.empty(); popOldest()) {
    Item &item = work.front();
    if (watch && item.work.op)
      watch->ended(item.work.op, item.work.done);
    if ((item.hasRead || first < signalled) && !item.write())
      return false;
  }
  return true;
}

void AsyncQueue::clear() {
  work.clear();
  open = first = signalled = 0;
  ends = {};
}
