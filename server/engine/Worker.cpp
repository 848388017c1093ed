//===- Worker.cpp - the work on one open document -------------------------===//

#include "server/engine/Worker.h"

#include "server/analysis/Unit.h"
#include "server/engine/ThreadPulse.h"
#include "server/jobs/Answers.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace kernelscope;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// How long a text must rest before it is analysed, unless someone waits for an
/// answer, once an edit comes before the text before it was analysed.
constexpr auto quietTime = 2ms;

Worker::Worker(WorkerContext &context, engine::Open open,
               ClientSettings settings,
               const std::vector<std::string> &sourceFolders)
    : context(context), document(open.document), uri(std::move(open.uri)),
      text(std::move(open.text)), version(open.version),
      quarantine(std::move(open.quarantine)), settings(std::move(settings)),
      sources(std::make_shared<SourceFiles>(pathOf(uri), sourceFolders)) {}

Worker::~Worker() {
  std::shared_ptr<Workspace> workspace;
  if (const Document *last = snapshot.document.get())
    workspace = last->sharedWorkspace();
  snapshot = {};
  unfinished = nullptr;
  if (workspace)
    context.spares.giveBack(std::move(workspace));
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

bool Worker::claim() {
  std::lock_guard lock(mutex);
  if (isClaimed || !(stopping || dirty || !requests.empty()))
    return false;
  return isClaimed = true;
}

void Worker::work() {
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
    } else {
      break;
    }
  }
  isClaimed = false;
}

/// Analyses the newest text, without the lock while it works.
void Worker::analyse(std::unique_lock<std::mutex> &lock) {
  Snapshot next{uri, version, nullptr, sources, nullptr, settings.archs};
  Text copy = text;
  AnalyzeOptions options;
  options.previous = unfinished ? unfinished : snapshot.document;
  options.previousIsSpent = true;
  options.cancelled = &isStale;
  options.progress = PulseHolder::beatAt;
  options.quarantine = quarantine;
  options.settings = settings;
  dirty = false;
  isStale = false;
  isAnalysing = true;
  lock.unlock();

  if (!options.previous)
    options.workspace = context.spares.take();
  Json diagnostics;
  {
    PulseHolder pulse(context.board, document, next.version);
    next.document = analyze(std::move(copy), pathOf(uri), options);
    if (next.document->isComplete())
      diagnostics = diagnosticsOf(next, context.client);
  }
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
  {
    PulseHolder pulse(context.board, document, snapshot.version, request.id);
    response = answerOf(snapshot, context.client, request.method,
                        request.params, sent);
  }
  context.send(toMessage(engine::Answer{
      request.id, std::move(response.text),
      response.error ? std::move(response.error->message) : ""}));
}
