//===- AsyncQueue.cpp - Asynchronous work under way -----------------------===//

#include "executor/agents/AsyncQueue.h"

using namespace kernelscope::executor;

bool AsyncQueue::Item::read() {
  if (hasRead)
    return true;
  hasRead = true;
  return !work.read || work.read();
}

bool AsyncQueue::finishOldest() {
  Item item = std::move(work.front());
  work.pop_front();
  ++finished;
  return item.read() && (!item.work.write || item.work.write());
}

bool AsyncQueue::finishGroups(size_t endGroup) {
  while (!work.empty() && work.front().group < endGroup)
    if (!finishOldest())
      return false;
  return true;
}

bool AsyncQueue::waitForReads(size_t pending) {
  for (Item &item : work) {
    if (item.group >= closedBefore(pending))
      break;
    if (!item.read())
      return false;
  }
  return true;
}

bool AsyncQueue::waitForInstructions(size_t pending) {
  size_t left = 0;
  for (const Item &item : work)
    left += item.work.instructions;
  while (left > pending) {
    left -= work.front().work.instructions;
    if (!finishOldest())
      return false;
  }
  return true;
}

bool AsyncQueue::finishUntil(size_t end) {
  while (!work.empty() && finished < end)
    if (!finishOldest())
      return false;
  return true;
}

bool AsyncQueue::end() {
  for (; !work.empty(); work.pop_front(), ++finished)
    if (work.front().hasRead && work.front().work.write &&
        !work.front().work.write())
      return false;
  return true;
}
