//===- WorkerThreads.cpp - the threads of the engine ----------------------===//

#include "server/engine/WorkerThreads.h"

#include "server/engine/ThreadPulse.h"
#include "server/engine/Worker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/thread.h"

#include <optional>
#include <utility>

using namespace kernelscope;

/// MLIR's parser, and passes over regions, recurse.
constexpr unsigned stackBytes = 64u << 20;

WorkerThreads::WorkerThreads(unsigned mostAtWork, std::function<void()> receive,
                             std::function<void()> afterWork)
    : mostAtWork(mostAtWork), receive(std::move(receive)),
      afterWork(std::move(afterWork)) {}

void WorkerThreads::start() {
  std::lock_guard lock(mutex);
  startThread();
}

void WorkerThreads::startThread() {
  ++starting;
  llvm::thread(std::optional<unsigned>(stackBytes), [this] { run(); }).detach();
}

void WorkerThreads::add(std::shared_ptr<Worker> worker) {
  std::lock_guard lock(mutex);
  if (WorkerThread *last = worker->lastThread; last && last->isWaiting)
    last->wake.notify_one();
  claimed.push_back(std::move(worker));
}

std::shared_ptr<Worker> WorkerThreads::take(WorkerThread &self, bool reads) {
  auto mine = llvm::find_if(claimed, [&](const auto &worker) {
    return !reads || !worker->lastThread || !worker->lastThread->isWaiting;
  });
  if (mine == claimed.end() || atWork == mostAtWork)
    return nullptr;
  std::shared_ptr<Worker> worker = std::move(*mine);
  claimed.erase(mine);
  worker->lastThread = &self;
  ++atWork;
  return worker;
}

void WorkerThreads::read(std::unique_lock<std::mutex> &lock) {
  isReading = true;
  lock.unlock();
  receive();
  lock.lock();
  isReading = false;
}

std::shared_ptr<Worker>
WorkerThreads::next(WorkerThread &self, std::unique_lock<std::mutex> &lock) {
  for (bool reads = false;;) {
    if (std::shared_ptr<Worker> worker = take(self, reads)) {
      // Another reads now. It is woken without the lock, or it would wait for
      // that next.
      WorkerThread *reader =
          isReading || waiting.empty() ? nullptr : waiting.back();
      if (!isReading && !reader && !starting)
        startThread();
      lock.unlock();
      if (reader)
        reader->wake.notify_one();
      return worker;
    }
    reads = !isReading;
    if (reads) {
      read(lock);
      continue;
    }
    self.isWaiting = true;
    waiting.push_back(&self);
    self.wake.wait(lock);
    llvm::erase(waiting, &self);
    self.isWaiting = false;
  }
}

void WorkerThreads::run() {
  FatalSignalMarks marks;
  WorkerThread self;
  std::unique_lock lock(mutex);
  --starting;
  // The lock is held from one work's end to the next's begin: a thread that is
  // at neither would have another started in its place.
  for (;;) {
    std::shared_ptr<Worker> worker = next(self, lock);
    worker->work();
    worker.reset();
    lock.lock();
    if (claimed.empty()) {
      lock.unlock();
      afterWork();
      lock.lock();
    }
    --atWork;
  }
}
