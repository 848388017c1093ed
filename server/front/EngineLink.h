//===- EngineLink.h - keeps an engine alive, and talks to it ----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_ENGINELINK_H
#define KERNELSCOPE_SERVER_FRONT_ENGINELINK_H

#include "server/engine/Messages.h"
#include "server/engine/Pulse.h"
#include "server/front/Child.h"
#include "server/front/EngineWatch.h"
#include "server/front/Log.h"
#include "server/front/OpenDocument.h"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace kernelscope {

/// The engine as the front sees it: documents go in, diagnostics and answers
/// come out, and each request gets an answer whatever becomes of the engine. An
/// engine that dies or hangs is replaced, and the text that it died over is
/// kept from the next one: first the part around the place, after more deaths
/// the whole document.
class EngineLink {
public:
  using Reply = std::function<void(Response response)>;
  /// Diagnostics of the newest text of a document.
  using OnDiagnostics =
      std::function<void(OpenDocument &document, Json diagnostics)>;

  /// `patience`: how long an engine that has work may show no sign of life.
  EngineLink(boost::asio::io_context &io, Log &log,
             std::chrono::milliseconds patience, OnDiagnostics onDiagnostics);
  ~EngineLink();

  /// Starts an engine before the client's options are known: it loads while the
  /// client greets.
  void prepare() { launch(); }

  void start(ClientOptions client);

  /// What is wanted from now on: codes of warnings, the release, and where
  /// Python files are looked for.
  void setSettings(ClientSettings settings,
                   std::optional<std::vector<std::string>> sources);

  /// The document must stay where it is until `close`.
  void open(OpenDocument &document);
  /// The text has been edited. Requests for the old text get ContentModified,
  /// except for completions of a word that is only typed further: editors
  /// filter the list by what was typed since they asked.
  void edit(OpenDocument &document, std::vector<engine::Change> changes);
  void close(OpenDocument &document);
  /// What the document's text became is known, or not shown any more.
  void setEmitted(const OpenDocument &document);
  uint64_t request(OpenDocument &document, std::string method,
                   FeatureParams params, Reply reply);
  /// The request's reply is not called any more.
  void cancel(uint64_t id);

private:
  struct Pending {
    engine::Request request;
    Reply reply;
    unsigned deaths = 0;    ///< Engines that died while it waited.
    bool isToBlame = false; ///< An engine died of answering it.
    /// Of a completion: where in the text. An edit behind it changes nothing
    /// that the answer goes by.
    std::optional<size_t> typedTo;
  };

  void launch();
  void sendOpen(const OpenDocument &document);
  void send(Json message) {
    if (child)
      child->send(std::move(message));
  }
  void take(Json message);
  void takeDiagnostics(engine::Diagnostics diagnostics);
  void takeAnswer(engine::Answer answer);
  void engineEnded(int status);
  void blame(const Pulse &pulse, const std::string &cause);
  void stopAnalysis(OpenDocument &document, size_t offset,
                    const std::string &cause);
  /// Answers without the engine: with the last good answer, or with nothing
  /// found.
  void answerWithout(uint64_t id);
  /// Answers what waits for `document`, except for `kept`, with
  /// ContentModified.
  void failPending(uint32_t document, const std::string &message,
                   const std::vector<uint64_t> &kept = {});
  void watch();
  bool hasWork() const;
  OpenDocument *find(uint32_t number) const;

  boost::asio::io_context &io;
  Log &log;
  const std::chrono::milliseconds patience;
  OnDiagnostics onDiagnostics;

  ClientOptions client;
  std::shared_ptr<Child> child; ///< Null while there is no engine.
  int memory = -1;
  PulseBoard *board = nullptr;
  Backoff backoff;
  boost::asio::steady_timer restart;
  boost::asio::steady_timer watchdog;
  EngineWatch engineWatch;
  bool gaveUp = false; ///< We killed the engine.

  std::map<uint32_t, OpenDocument *> documents;
  std::map<uint64_t, Pending> pending;
  uint64_t lastRequest = 0;
  std::shared_ptr<char> alive =
      std::make_shared<char>(); ///< Timers that fire late see that we are gone.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_ENGINELINK_H
