//===- EngineLink.cpp - keeps an engine alive, and talks to it ------------===//

#include "server/front/EngineLink.h"

#include "server/lsp/Answers.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelscope;
using Clock = std::chrono::steady_clock;

/// Deaths over one text after which it is to blame, if the engine could not say
/// what it died of.
constexpr unsigned toleratedDeaths = 10;
/// Parts of one text that may be left out before all of it is.
constexpr size_t toleratedParts = 4;

EngineLink::EngineLink(boost::asio::io_context &io, Log &log,
                       std::chrono::milliseconds patience,
                       OnDiagnostics onDiagnostics)
    : io(io), log(log), patience(patience),
      onDiagnostics(std::move(onDiagnostics)), restart(io), watchdog(io) {
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

void EngineLink::start(Json params) {
  initializeParams = std::move(params);
  launch();
  watch();
}

void EngineLink::allow(const std::vector<std::string> &codes) {
  // Engines that are started later have to know.
  Json &options = initializeParams["initializationOptions"];
  if (!options.is_object())
    options = Json::object();
  options["allow"] = codes;
  if (child)
    child->send({{"allow", codes}});
}

//===----------------------------------------------------------------------===//
// Documents and requests
//===----------------------------------------------------------------------===//

void EngineLink::launch() {
  // A thread of the old engine may still have been writing when it was killed,
  // never after.
  new (board) PulseBoard();
  hanging.clear();
  gaveUp = false;
  lastSign = Clock::now();
  child = std::make_shared<Child>(io);
  child->start(
      "engine", memory, [this](Json message) { take(std::move(message)); },
      [this](int status) { engineEnded(status); });
  child->send({{"start", initializeParams}});
  for (auto &[number, document] : documents)
    sendOpen(*document);
  for (auto &[id, request] : pending)
    sendRequest(id, request);
}

void EngineLink::sendOpen(const OpenDocument &document) {
  if (child && !document.stopped)
    child->send({{"open", document.number},
                 {"uri", document.uri},
                 {"version", document.version},
                 {"text", document.text.str()},
                 {"quarantine", document.quarantine}});
}

void EngineLink::sendRequest(uint64_t id, const Pending &request) {
  if (child)
    child->send({{"request", id},
                 {"document", request.document},
                 {"method", request.method},
                 {"params", request.params}});
}

void EngineLink::open(OpenDocument &document) {
  documents[document.number] = &document;
  sendOpen(document);
}

void EngineLink::edit(OpenDocument &document, Json changes) {
  failPending(document.number, errorValue(ErrorCode::ContentModified,
                                          "the document was edited"));
  document.quarantine.clear();
  document.unexplainedDeaths = 0;
  if (document.stopped) {
    document.stopped = false;
    return sendOpen(document);
  }
  if (child)
    child->send({{"edit", document.number},
                 {"version", document.version},
                 {"changes", std::move(changes)}});
}

void EngineLink::close(OpenDocument &document) {
  failPending(document.number, errorValue(ErrorCode::ContentModified,
                                          "the document was closed"));
  documents.erase(document.number);
  if (child)
    child->send({{"close", document.number}});
}

void EngineLink::failPending(uint32_t document, const Json &error) {
  for (auto it = pending.begin(); it != pending.end();) {
    if (it->second.document != document) {
      ++it;
      continue;
    }
    Reply reply = std::move(it->second.reply);
    it = pending.erase(it);
    reply({{"error", error}});
  }
}

uint64_t EngineLink::request(OpenDocument &document, std::string method,
                             Json params, Reply reply) {
  uint64_t id = ++lastRequest;
  if (!hasWork())
    lastSign = Clock::now(); // an idle engine gives none, and need not
  const Pending &request =
      pending
          .emplace(id, Pending{document.number, std::move(method),
                               std::move(params), std::move(reply)})
          .first->second;
  if (document.stopped)
    answerWithout(id);
  else
    sendRequest(id, request);
  return id;
}

void EngineLink::cancel(uint64_t id) {
  auto it = pending.find(id);
  if (it == pending.end())
    return;
  if (child)
    child->send({{"cancel", id}, {"document", it->second.document}});
  pending.erase(it);
}

void EngineLink::answerWithout(uint64_t id) {
  auto it = pending.find(id);
  Pending request = std::move(it->second);
  pending.erase(it);
  Json result;
  if (OpenDocument *document = find(request.document))
    if (auto good = document->lastGood.find(request.method);
        good != document->lastGood.end())
      result = good->second;
  request.reply({{"result", std::move(result)}});
}

void EngineLink::take(Json message) {
  lastSign = Clock::now();
  backoff.signOfLife();
  if (auto diagnostics = message.find("diagnostics");
      diagnostics != message.end()) {
    OpenDocument *document = find(message["document"]);
    if (!document || document->version != message["version"])
      return;
    document->analysed = document->version;
    document->unexplainedDeaths = 0;
    return onDiagnostics(*document, std::move(*diagnostics));
  }
  auto it = pending.find(message["answer"].get<uint64_t>());
  if (it == pending.end())
    return;
  Pending request = std::move(it->second);
  pending.erase(it);
  message.erase("answer");
  OpenDocument *document = find(request.document);
  // An answer to parameters that name no place is one for the document as a
  // whole.
  if (document && message.contains("result") && request.params.size() == 1)
    document->lastGood[request.method] = message["result"];
  request.reply(std::move(message));
}

//===----------------------------------------------------------------------===//
// Death
//===----------------------------------------------------------------------===//

/// Sees to it that what killed an engine does not kill the next one.
void EngineLink::blame(const Pulse &pulse, const std::string &cause) {
  OpenDocument *document = find(pulse.document);
  if (uint64_t request = pulse.request) {
    if (auto it = pending.find(request); it != pending.end()) {
      log.write("request " + it->second.method + " ended the engine: " + cause);
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
  PositionEncoding encoding = ClientOptions::of(initializeParams).encoding;
  Span line = document.text.lineSpan(document.text.lineAt(offset));
  Json diagnostic = {
      {"range", toJson(document.text.rangeAt(
                    {std::min(offset, line.end), line.end}, encoding))},
      {"severity", 1},
      {"code", "stopped"},
      {"source", "kernelscope"},
      {"message", "analysis stopped here: it " + cause +
                      "; it starts again with the next edit"}};
  onDiagnostics(document, Json::array({std::move(diagnostic)}));
}

void EngineLink::engineEnded(int status) {
  child = nullptr;
  std::string cause =
      gaveUp
          ? "did not end in " + std::to_string(patience.count() / 1000) + " s"
      : status == -1 ? "could not be started"
      : WIFSIGNALED(status)
          ? std::string("crashed (") + strsignal(WTERMSIG(status)) + ")"
          : "ended";
  log.write("the engine " + cause);

  bool explained = false;
  for (const Pulse &pulse : *board) {
    if (pulse.document && (pulse.signal || hanging.contains(&pulse))) {
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
  for (auto &[id, request] : pending) {
    OpenDocument *document = find(request.document);
    if (request.isToBlame || ++request.deaths >= toleratedDeaths || !document ||
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
        auto now = Clock::now();
        bool busy = false;
        for (size_t slot = 0; slot < board->size(); ++slot) {
          const Pulse &pulse = (*board)[slot];
          uint32_t document = pulse.document;
          uint64_t beat = pulse.beat;
          if (document != seen[slot].document || beat != seen[slot].beat) {
            seen[slot] = {document, beat, now};
            lastSign = now;
          } else if (document) {
            if (now - seen[slot].since >= patience)
              hanging.insert(&pulse);
          }
          busy |= document != 0;
        }
        if (!hasWork() && !busy)
          lastSign = now;
        if (child && (!hanging.empty() || now - lastSign >= patience)) {
          log.write("the engine shows no sign of life");
          gaveUp = true;
          lastSign = now;
          child->kill();
        }
        watch();
      });
}
