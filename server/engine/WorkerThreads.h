//===- WorkerThreads.h - the threads of the engine --------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ENGINE_WORKERTHREADS_H
#define KERNELSCOPE_SERVER_ENGINE_WORKERTHREADS_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace kernelscope {

class Worker;

/// A thread of the engine that may wait for work.
struct WorkerThread {
  std::condition_variable wake;
  bool isWaiting = false;
};

/// One thread at a time reads messages. It does itself what opening a document
/// brings, with the text in its caches, while another reads on: to start a
/// thread for it takes a tenth of a millisecond. Later work on the document
/// goes to the same thread if that has nothing to do.
class WorkerThreads {
public:
  /// `mostAtWork`: so many documents are worked on at the same time. `receive`
  /// reads a message and calls `add` for the work in it. `afterWork` is called
  /// by a thread that has done its work and sees no other.
  WorkerThreads(unsigned mostAtWork, std::function<void()> receive,
                std::function<void()> afterWork);

  /// Starts one thread more. They never end.
  void start();
  /// From `receive`: `worker` has been claimed, and waits for a thread.
  void add(std::shared_ptr<Worker> worker);

private:
  void startThread();
  void run();
  /// Waits for work; reads messages if no other thread does. Unlocks.
  std::shared_ptr<Worker> next(WorkerThread &self,
                               std::unique_lock<std::mutex> &lock);
  /// Work for this thread, null if there is none. The one that reads leaves
  /// work to the thread that did the last on the document if that waits.
  std::shared_ptr<Worker> take(WorkerThread &self, bool reads);
  void read(std::unique_lock<std::mutex> &lock);

  const unsigned mostAtWork;
  const std::function<void()> receive, afterWork;

  std::mutex mutex; ///< Guards what follows.
  std::deque<std::shared_ptr<Worker>> claimed;
  std::vector<WorkerThread *> waiting;
  unsigned atWork = 0, starting = 0;
  bool isReading = false;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_WORKERTHREADS_H
