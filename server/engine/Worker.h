//===- Worker.h - the work on one open document -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ENGINE_WORKER_H
#define KERNELSCOPE_SERVER_ENGINE_WORKER_H

#include "server/engine/Messages.h"
#include "server/engine/Pulse.h"
#include "server/engine/SpareWorkspaces.h"
#include "server/ipc/Message.h"
#include "server/lsp/Answers.h"
#include "server/text/Text.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace kernelscope {

struct WorkerThread;

/// What all workers share.
struct WorkerContext {
  ClientOptions client;
  PulseBoard &board;
  SpareWorkspaces &spares;
  /// Sends a message to the front; from any thread.
  std::function<void(Json)> send;
};

/// Analyses one document whenever it changes, and answers requests for it. All
/// work is for the newest text: an edit drops the requests for the text before
/// that it does not keep, and what is found in that text is discarded. Messages
/// arrive on any thread, and one thread at a time works.
class Worker {
public:
  Worker(WorkerContext &context, engine::Open open, ClientSettings settings,
         const std::vector<std::string> &sourceFolders);
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  void edit(const engine::Edit &edit);
  /// Sends the diagnostics again, under these settings, with links to
  /// files in these folders.
  void setSettings(ClientSettings wanted,
                   const std::vector<std::string> &sourceFolders);
  /// What is shown beside the text, until the next edit.
  void setEmitted(const engine::Emitted &message);
  void request(engine::Request request);
  void cancel(uint64_t id);
  /// Nothing is reported any more, and work ends.
  void close();

  /// After a message: whether it brought work that no thread is at. Then the
  /// caller has to have `work` called.
  bool claim();
  /// Works until nothing is left to do.
  void work();
  /// The one that worked last; for `WorkerThreads`.
  WorkerThread *lastThread = nullptr;

private:
  void analyse(std::unique_lock<std::mutex> &lock);
  void answer(const engine::Request &request);

  WorkerContext &context;
  const uint32_t document;
  const std::string uri;

  std::mutex mutex; ///< Guards what follows, up to `requests`.
  std::condition_variable changed;
  Text text;
  int64_t version;
  bool dirty = true;
  bool stopping = false;
  bool isClaimed = false; ///< A thread works, or will.
  bool isAnalysing = false;
  std::chrono::steady_clock::time_point
      settled; ///< When a burst of edits counts as over.
  std::vector<size_t> quarantine;
  ClientSettings settings;
  std::shared_ptr<SourceFiles> sources;       ///< For the next analysis.
  std::shared_ptr<const EmittedCode> emitted; ///< Of this text; may be null.
  std::vector<engine::Request> requests;

  std::atomic<bool> isStale; ///< The analysis at work is of an older text.

  // Of the thread at work.
  Snapshot snapshot;
  SentTokens sent;
  std::shared_ptr<const Document> unfinished; ///< Of an analysis that ended
                                              ///< because it was stale.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_WORKER_H
