//===- Worker.cpp - the thread of one open document -----------------------===//

#include "server/engine/Worker.h"

#include "server/analysis/ParserWatch.h"
#include "server/ipc/Heap.h"
#include "server/jobs/Answers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/thread.h"

#include <csignal>
#include <unistd.h>
#include <utility>

using namespace kernelscope;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// How long a text must rest before it is analysed, unless someone waits for an
/// answer, once an edit comes before the text before it was analysed.
constexpr auto quietTime = 2ms;
/// MLIR's parser, and passes over regions, recurse.
constexpr unsigned stackBytes = 64u << 20;

namespace {

/// The slot of this thread, for the handler of fatal signals.
thread_local Pulse *thisPulse = nullptr;

/// Holds a slot of the board while this thread works on a document. With all
/// slots taken it works unseen.
class PulseHolder {
public:
  PulseHolder(PulseBoard &board, uint32_t document, int64_t version,
              uint64_t request = 0) {
    for (Pulse &slot : board) {
      uint32_t free = 0;
      if (!slot.document.compare_exchange_strong(free, document))
        continue;
      slot.version = version;
      slot.request = request;
      slot.offset = 0;
      slot.thread = gettid();
      ++slot.beat;
      thisPulse = &slot;
      return;
    }
  }
  ~PulseHolder() {
    if (Pulse *pulse = std::exchange(thisPulse, nullptr))
      pulse->document = 0;
  }
  PulseHolder(const PulseHolder &) = delete;
  PulseHolder &operator=(const PulseHolder &) = delete;
};

void beatAt(size_t offset) {
  if (!thisPulse)
    return;
  thisPulse->offset.store(offset, std::memory_order_relaxed);
  thisPulse->beat.fetch_add(1, std::memory_order_relaxed);
}

/// Marks the document that a thread dies over, on a stack of its own: what ends
/// it may be an overflow.
class FatalSignalMarks {
public:
  FatalSignalMarks() : stack(64 << 10) {
    stack_t alternative{};
    alternative.ss_sp = stack.data();
    alternative.ss_size = stack.size();
    sigaltstack(&alternative, nullptr);
    struct sigaction action{};
    action.sa_flags = SA_ONSTACK | SA_RESETHAND;
    action.sa_handler = [](int signal) {
      if (thisPulse) {
        thisPulse->signal = signal;
        if (std::optional<size_t> place = ParserWatch::position())
          thisPulse->offset = *place;
      }
      raise(signal);
    };
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
      sigaction(signal, &action, nullptr);
  }
  ~FatalSignalMarks() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  FatalSignalMarks(const FatalSignalMarks &) = delete;
  FatalSignalMarks &operator=(const FatalSignalMarks &) = delete;

private:
  std::vector<char> stack;
};

} // namespace

Worker::Worker(WorkerContext &context, engine::Open open,
               ClientSettings settings,
               const std::vector<std::string> &sourceFolders)
    : context(context), document(open.document), uri(std::move(open.uri)),
      text(std::move(open.text)), version(open.version),
      quarantine(std::move(open.quarantine)), settings(std::move(settings)),
      sources(std::make_shared<SourceFiles>(pathOf(uri), sourceFolders)) {}

void Worker::start() {
  llvm::thread(std::optional<unsigned>(stackBytes),
               [self = shared_from_this()]() mutable {
                 self->work();
                 self = nullptr;
                 releaseLater();
               })
      .detach();
}

void Worker::close() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
    isStale = true;
  }
  changed.notify_one();
}

void Worker::edit(const engine::Edit &edit) {
  {
    std::lock_guard lock(mutex);
    for (const engine::Change &change : edit.changes)
      text.replace(change.span, change.text);
    version = edit.version;
    settled = Clock::now();
    if (dirty || isAnalysing)
      settled += quietTime;
    dirty = true;
    isStale = true;
    quarantine.clear();
    std::erase_if(requests, [&](const engine::Request &request) {
      return !llvm::is_contained(edit.kept, request.id);
    });
    emitted = nullptr;
  }
  changed.notify_one();
}

void Worker::setSettings(ClientSettings wanted,
                         const std::vector<std::string> &sourceFolders) {
  {
    std::lock_guard lock(mutex);
    settings = std::move(wanted);
    sources = std::make_shared<SourceFiles>(pathOf(uri), sourceFolders);
    dirty = true;
  }
  changed.notify_one();
}

void Worker::setEmitted(const engine::Emitted &message) {
  std::shared_ptr<const EmittedCode> code;
  if (!message.code.is_null())
    code = std::make_shared<const EmittedCode>(message.code.get<EmittedCode>());
  std::lock_guard lock(mutex);
  if (message.version == version)
    emitted = std::move(code);
}

void Worker::request(engine::Request request) {
  {
    std::lock_guard lock(mutex);
    requests.push_back(std::move(request));
  }
  changed.notify_one();
}

void Worker::cancel(uint64_t id) {
  std::lock_guard lock(mutex);
  std::erase_if(requests, [&](const engine::Request &request) {
    return request.id == id;
  });
}

void Worker::work() {
  FatalSignalMarks marks;
  std::unique_lock lock(mutex);
  while (!stopping) {
    if (dirty && (!requests.empty() || Clock::now() >= settled)) {
      analyse(lock);
    } else if (dirty) {
      changed.wait_until(lock, settled);
    } else if (!requests.empty()) {
      engine::Request next = std::move(requests.front());
      requests.erase(requests.begin());
      snapshot.emitted = emitted;
      lock.unlock();
      answer(next);
      lock.lock();
    } else if (context.spares.areFew()) {
      lock.unlock();
      context.spares.add();
      lock.lock();
    } else {
      changed.wait(lock);
    }
  }
}

/// Analyses the newest text, without the lock while it works.
void Worker::analyse(std::unique_lock<std::mutex> &lock) {
  Snapshot next{uri, version, nullptr, sources, nullptr, settings.archs};
  Text copy = text;
  AnalyzeOptions options;
  options.previous = unfinished ? unfinished : snapshot.document;
  if (!options.previous)
    options.workspace = context.spares.take();
  options.cancelled = &isStale;
  options.progress = beatAt;
  options.quarantine = quarantine;
  options.settings = settings;
  dirty = false;
  isStale = false;
  isAnalysing = true;
  lock.unlock();

  Json diagnostics;
  context.processors.acquire();
  {
    PulseHolder pulse(context.board, document, next.version);
    next.document = analyze(std::move(copy), pathOf(uri), options);
    if (next.document->isComplete())
      diagnostics = diagnosticsOf(next, context.client);
  }
  context.processors.release();
  if (next.document->isComplete()) {
    snapshot = std::move(next);
    unfinished = nullptr;
  } else {
    unfinished = std::move(next.document);
  }

  lock.lock();
  isAnalysing = false;
  if (!dirty && !stopping)
    context.send(toMessage(engine::Diagnostics{document, snapshot.version,
                                               std::move(diagnostics)}));
  // The version before goes, which takes a while, as others may edit.
  lock.unlock();
  options.previous = nullptr;
  lock.lock();
}

void Worker::answer(const engine::Request &request) {
  Response response;
  context.processors.acquire();
  {
    PulseHolder pulse(context.board, document, snapshot.version, request.id);
    response = answerOf(snapshot, context.client, request.method,
                        request.params, sent);
  }
  context.processors.release();
  context.send(toMessage(engine::Answer{
      request.id, std::move(response.text),
      response.error ? std::move(response.error->message) : ""}));
}
