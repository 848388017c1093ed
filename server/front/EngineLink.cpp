//===- EngineLink.cpp - keeps an engine alive, and talks to it ------------===//

#include "server/front/EngineLink.h"

#include "server/ipc/Heap.h"
#include "server/lsp/Conversion.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelscope;

/// Deaths over one text after which it is to blame, if the engine could not say
/// what it died of.
constexpr unsigned toleratedDeaths = 10;
/// Parts of one text that may be left out before all of it is.
constexpr size_t toleratedParts = 4;

EngineLink::EngineLink(boost::asio::io_context &io, Log &log,
                       std::chrono::milliseconds patience,
                       OnDiagnostics onDiagnostics)
    : io(io), log(log), patience(patience),
      onDiagnostics(std::move(onDiagnostics)), restart(io), watchdog(io),
      engineWatch(patience) {
  memory = memfd_create("kernelscope-pulse", MFD_CLOEXEC);
  void *page = MAP_FAILED;
  if (memory >= 0 && ftruncate(memory, sizeof(PulseBoard)) == 0)
    page = mmap(nullptr, sizeof(PulseBoard), PROT_READ | PROT_WRITE, MAP_SHARED,
                memory, 0);
  if (page == MAP_FAILED)
    throw std::bad_alloc();
  board = new (page) PulseBoard();
}

EngineLink::~EngineLink() {
  if (child)
    child->abandon();
  munmap(board, sizeof(PulseBoard));
  ::close(memory);
}

OpenDocument *EngineLink::find(uint32_t number) const {
  auto it = documents.find(number);
  return it == documents.end() ? nullptr : it->second;
}

void EngineLink::start(ClientOptions options) {
  client = std::move(options);
  if (child) {
    send(toMessage(engine::Start{client}));
  } else {
    restart.cancel(); // one that was prepared may have died
    launch();
  }
  watch();
}

void EngineLink::setSettings(ClientSettings settings,
                             std::optional<std::vector<std::string>> sources) {
  // Engines that are started later have to know.
  client.settings = settings;
  if (sources)
    client.sources = std::move(*sources);
  send(
      toMessage(engine::Settings{std::move(settings), client.sourceFolders()}));
}

//===----------------------------------------------------------------------===//
// Documents and requests
//===----------------------------------------------------------------------===//

void EngineLink::launch() {
  // A thread of the old engine may still have been writing when it was killed,
  // never after.
  new (board) PulseBoard();
  engineWatch.reset();
  gaveUp = false;
  child = std::make_shared<Child>(io);
  child->start(
      "engine", memory, hugePagesVariable,
      [this](Json message) { take(std::move(message)); },
      [this](int status) { engineEnded(status); });
  send(toMessage(engine::Start{client}));
  for (auto &[number, document] : documents)
    sendOpen(*document);
  for (auto &[id, waiting] : pending)
    send(toMessage(waiting.request));
}

void EngineLink::sendOpen(const OpenDocument &document) {
  if (child && !document.stopped)
    send(toMessage(engine::Open{document.number, document.uri, document.version,
                                document.text.str(), document.quarantine}));
  if (!document.emitted.is_null())
    setEmitted(document);
}

void EngineLink::setEmitted(const OpenDocument &document) {
  send(toMessage(
      engine::Emitted{document.number, document.version, document.emitted}));
}

void EngineLink::open(OpenDocument &document) {
  documents[document.number] = &document;
  sendOpen(document);
}

void EngineLink::edit(OpenDocument &document,
                      std::vector<engine::Change> changes) {
  std::vector<uint64_t> kept;
  for (const auto &[id, waiting] : pending)
    if (waiting.request.document == document.number && waiting.typedTo &&
        std::ranges::all_of(changes, [&](const engine::Change &change) {
          return change.span.begin >= *waiting.typedTo;
        }))
      kept.push_back(id);
  failPending(document.number, "the document was edited", kept);
  document.quarantine.clear();
  document.unexplainedDeaths = 0;
  if (document.stopped) {
    document.stopped = false;
    return sendOpen(document);
  }
  send(toMessage(engine::Edit{document.number, document.version,
                              std::move(changes), std::move(kept)}));
}

void EngineLink::close(OpenDocument &document) {
  failPending(document.number, "the document was closed");
  documents.erase(document.number);
  send(toMessage(engine::Close{document.number}));
}

void EngineLink::failPending(uint32_t document, const std::string &message,
                             const std::vector<uint64_t> &kept) {
  for (auto it = pending.begin(); it != pending.end();) {
    if (it->second.request.document != document ||
        std::ranges::find(kept, it->first) != kept.end()) {
      ++it;
      continue;
    }
    Reply reply = std::move(it->second.reply);
    it = pending.erase(it);
    reply({{}, {}, ResponseError{ErrorCode::ContentModified, message, {}}});
  }
}

uint64_t EngineLink::request(OpenDocument &document, std::string method,
                             FeatureParams params, Reply reply) {
  uint64_t id = ++lastRequest;
  std::optional<size_t> typedTo;
  if (method == "textDocument/completion" && params.position)
    typedTo = document.text.offsetAt(*params.position, client.encoding);
  if (!hasWork())
    engineWatch.sign(); // an idle engine gives none, and need not
  const Pending &waiting =
      pending
          .emplace(id, Pending{{id, document.number, std::move(method),
                                std::move(params)},
                               std::move(reply),
                               0,
                               false,
                               typedTo})
          .first->second;
  if (document.stopped)
    answerWithout(id);
  else
    send(toMessage(waiting.request));
  return id;
}

void EngineLink::cancel(uint64_t id) {
  auto it = pending.find(id);
  if (it == pending.end())
    return;
  send(toMessage(engine::Cancel{id, it->second.request.document}));
  pending.erase(it);
}

void EngineLink::answerWithout(uint64_t id) {
  auto it = pending.find(id);
  Pending waiting = std::move(it->second);
  pending.erase(it);
  Response response;
  if (OpenDocument *document = find(waiting.request.document))
    if (auto good = document->lastGood.find(waiting.request.method);
        good != document->lastGood.end())
      response.text = good->second;
  waiting.reply(std::move(response));
}

void EngineLink::take(Json message) {
  engineWatch.sign();
  backoff.signOfLife();
  auto received = MessageOf<engine::FromEngine>::read(std::move(message));
  std::visit(OnMessageKind{[this](engine::Diagnostics &diagnostics) {
                             takeDiagnostics(std::move(diagnostics));
                           },
                           [this](engine::Answer &answer) {
                             takeAnswer(std::move(answer));
                           }},
             received);
}

void EngineLink::takeDiagnostics(engine::Diagnostics diagnostics) {
  OpenDocument *document = find(diagnostics.document);
  if (!document || document->version != diagnostics.version)
    return;
  document->analysed = document->version;
  document->unexplainedDeaths = 0;
  onDiagnostics(*document, std::move(diagnostics.list));
}

void EngineLink::takeAnswer(engine::Answer answer) {
  auto it = pending.find(answer.id);
  if (it == pending.end())
    return;
  Pending waiting = std::move(it->second);
  pending.erase(it);
  OpenDocument *document = find(waiting.request.document);
  if (!answer.refusal.empty())
    return waiting.reply({{},
                          {},
                          ResponseError{ErrorCode::RequestFailed,
                                        std::move(answer.refusal),
                                        {}}});
  if (document && waiting.request.params.isAboutWhole())
    document->lastGood[waiting.request.method] = answer.result;
  waiting.reply({{}, std::move(answer.result), {}});
}

//===----------------------------------------------------------------------===//
// Death
//===----------------------------------------------------------------------===//

/// Sees to it that what killed an engine does not kill the next one.
void EngineLink::blame(const Pulse &pulse, const std::string &cause) {
  OpenDocument *document = find(pulse.document);
  if (uint64_t request = pulse.request) {
    if (auto it = pending.find(request); it != pending.end()) {
      log.write("request " + it->second.request.method +
                " killed the engine: " + cause);
      it->second.isToBlame = true;
    }
    return;
  }
  if (!document || document->version != pulse.version)
    return; // that text is no more
  size_t offset = std::min<size_t>(pulse.offset, document->text.size());
  bool again =
      std::find(document->quarantine.begin(), document->quarantine.end(),
                offset) != document->quarantine.end();
  document->quarantine.push_back(offset);
  log.write("analysis of " + document->uri + " stopped at byte " +
            std::to_string(offset) + ": " + cause);
  if (again || document->quarantine.size() > toleratedParts)
    stopAnalysis(*document, offset, cause);
}

/// Gives the document up until it is edited, and says so at the place.
void EngineLink::stopAnalysis(OpenDocument &document, size_t offset,
                              const std::string &cause) {
  document.stopped = true;
  document.analysed = document.version;
  Span line = document.text.lineSpan(document.text.lineAt(offset));
  Diagnostic diagnostic;
  diagnostic.span = {std::min(offset, line.end), line.end};
  diagnostic.code = "stopped";
  diagnostic.message =
      "analysis stopped here: it " + cause + "; it resumes with the next edit";
  Conversion conversion{document.uri, document.text, client};
  onDiagnostics(document, Json::array({conversion.diagnostic(diagnostic)}));
}

void EngineLink::engineEnded(int status) {
  child = nullptr;
  std::string cause =
      gaveUp ? "did not finish in " + std::to_string(patience.count() / 1000) +
                   " s"
      : status == -1 ? "could not be started"
      : WIFSIGNALED(status)
          ? std::string("crashed (") + strsignal(WTERMSIG(status)) + ")"
          : "ended";
  log.write("the engine " + cause);

  bool explained = false;
  for (const Pulse &pulse : *board) {
    if (pulse.document && (pulse.signal || engineWatch.isHanging(pulse))) {
      explained = true;
      blame(pulse, cause);
    }
  }
  if (!explained) {
    for (const Pulse &pulse : *board)
      if (OpenDocument *document = find(pulse.document);
          document && ++document->unexplainedDeaths >= toleratedDeaths)
        blame(pulse, cause);
  }

  std::vector<uint64_t> lost;
  for (auto &[id, waiting] : pending) {
    OpenDocument *document = find(waiting.request.document);
    if (waiting.isToBlame || ++waiting.deaths >= toleratedDeaths || !document ||
        document->stopped)
      lost.push_back(id);
  }
  for (uint64_t id : lost)
    if (pending.contains(id))
      answerWithout(id);

  auto delay = explained ? std::chrono::milliseconds(0) : backoff.next();
  restart.expires_after(delay);
  restart.async_wait(
      [this, alive = std::weak_ptr(alive)](boost::system::error_code error) {
        if (!error && !alive.expired())
          launch();
      });
}

bool EngineLink::hasWork() const {
  return !pending.empty() ||
         std::any_of(documents.begin(), documents.end(), [](const auto &entry) {
           return !entry.second->stopped &&
                  entry.second->analysed != entry.second->version;
         });
}

/// Looks, a few times in each span of patience, whether the engine gets on.
void EngineLink::watch() {
  watchdog.expires_after(patience / 8);
  watchdog.async_wait(
      [this, alive = std::weak_ptr(alive)](boost::system::error_code error) {
        if (error || alive.expired())
          return;
        if (child && engineWatch.isStuck(*board, child->process(), hasWork())) {
          log.write("the engine makes no progress");
          gaveUp = true;
          engineWatch.sign();
          child->kill();
        }
        watch();
      });
}
