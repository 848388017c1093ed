//===- SpareWorkspaces.cpp - workspaces before documents need them --------===//

#include "server/engine/SpareWorkspaces.h"

#include "server/ipc/Heap.h"

#include <chrono>
#include <cstdlib>
#include <utility>

using namespace kernelscope;

constexpr size_t mostMade = 2, mostKept = 3;
/// After so long without work: documents that are opened one after another need
/// the processor themselves.
constexpr std::chrono::milliseconds breather(30);

/// Lets the system give the heap the pages that a document of a thousand lines
/// takes.
static void touchPages() {
  constexpr size_t bytes = 2 << 20, page = 4096;
  void *memory = std::malloc(bytes);
  for (size_t at = 0; memory && at < bytes; at += page)
    static_cast<volatile char *>(memory)[at] = 0;
  std::free(memory);
}

static std::shared_ptr<Workspace> made() {
  auto fresh = std::make_shared<Workspace>();
  touchPages();
  return fresh;
}

SpareWorkspaces::SpareWorkspaces() { spares.push_back(made()); }

std::shared_ptr<Workspace> SpareWorkspaces::take() {
  std::unique_lock lock(mutex);
  if (spares.empty()) {
    ++awaited;
    needed.notify_one();
    ready.wait(lock, [&] { return !spares.empty(); });
    --awaited;
  }
  std::shared_ptr<Workspace> taken = std::move(spares.back());
  spares.pop_back();
  return taken;
}

void SpareWorkspaces::refill() {
  std::lock_guard lock(mutex);
  if (spares.size() >= mostMade)
    return;
  mayRefill = true;
  needed.notify_one();
}

void SpareWorkspaces::giveBack(std::shared_ptr<Workspace> used) {
  std::lock_guard lock(mutex);
  if (used.use_count() == 1 && !used->hasGrown() && spares.size() < mostKept) {
    spares.push_back(std::move(used));
    ready.notify_one();
  }
  hasFreed = true;
  needed.notify_one();
}

void SpareWorkspaces::serve() {
  std::unique_lock lock(mutex);
  auto isAwaited = [&] { return awaited > spares.size(); };
  auto isQuietFor = [&](std::chrono::milliseconds time) {
    return needed.wait_for(lock, time) == std::cv_status::timeout;
  };
  auto make = [&] {
    lock.unlock();
    std::shared_ptr<Workspace> fresh = made();
    lock.lock();
    spares.push_back(std::move(fresh));
    ready.notify_one();
  };
  for (;;) {
    needed.wait(lock, [&] { return isAwaited() || mayRefill || hasFreed; });
    if (isAwaited()) {
      make();
    } else if (mayRefill) {
      if (!isQuietFor(breather))
        continue;
      while (spares.size() < mostMade)
        make();
      mayRefill = false;
    } else if (isQuietFor(std::chrono::seconds(1))) {
      // What MLIR keeps of contexts that are gone goes with the next one.
      while (spares.size() >= mostMade)
        spares.erase(spares.begin());
      while (spares.size() < mostMade)
        make();
      hasFreed = false;
      lock.unlock();
      releaseFreed(0);
      lock.lock();
    }
  }
}
