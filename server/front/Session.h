//===- Session.h - one client and all that is done for it -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_SESSION_H
#define KERNELSCOPE_SERVER_FRONT_SESSION_H

#include "server/front/Connection.h"
#include "server/front/EngineLink.h"
#include "server/front/FunctionIndex.h"
#include "server/front/IdleHeap.h"
#include "server/front/JobLink.h"
#include "server/front/ResultFiles.h"
#include "server/jobs/Requests.h"
#include "server/lsp/Requests.h"

#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace kernelscope {

/// The protocol with one client: its life cycle, its documents, its requests.
/// Never looks into IR.
class Session {
public:
  /// Called once when the session ends, with the exit code that LSP requires.
  using OnEnd = std::function<void(int exitCode)>;

  /// With a `token`, a client that does not send it in `initialize` is turned
  /// away, before any other process is started for it.
  Session(boost::asio::io_context &io, Log &log,
          std::chrono::milliseconds patience, int input, int output,
          std::string token, OnEnd onEnd);

private:
  enum class State { Created, Initialized, ShutDown };

  using Request = void (*)(Session &, const Json &id, const Json &params);
  using Notification = void (*)(Session &, const Json &params);
  template <auto Handler> struct Typed;
  static Request findRequest(std::string_view method);
  static Notification findNotification(std::string_view method);

  void take(const Frame &frame);
  void takeRequest(const Json &id, const std::string &method,
                   const Json &params);
  void takeNotification(const std::string &method, const Json &params);

  void initialize(const Json &id, InitializeParams params);
  void shutdown(const Json &id, NoParams params);
  void feature(const Json &id, const std::string &method, FeatureParams params);
  void executeCommand(const Json &id, CommandParams params);
  void workspaceSymbol(const Json &id, FeatureParams params);
  void diagnostic(const Json &id, FeatureParams params);

  // WorkspaceSymbols.cpp
  void withFunctions(std::function<void()> use);
  void readFunctions();
  void functionsRead(const Json &answer);

  void initialized(NoParams params);
  void exit(NoParams params);
  void cancelRequest(CancelParams params);
  void cancelProgress(ProgressParams params);
  void didOpen(DidOpenParams params);
  void didChange(DidChangeParams params);
  void didClose(DidCloseParams params);
  void didChangeConfiguration(SettingsParams params);

  /// Answers a request, unless it has been.
  void reply(const Json &id, Response response);
  void fail(const Json &id, ErrorCode code, std::string message);
  void notify(const std::string &method, Json params);
  /// Sends a request of ours, whose answer needs nothing.
  void ask(const std::string &method, Json params = {});
  /// What the analysis and the last run have found.
  static Json findings(const OpenDocument &document);
  /// Sends it, to a client that does not ask for it.
  void publish(OpenDocument &document);
  /// Answers who asked for it.
  void answerPulls(OpenDocument &document);
  void failPulls(OpenDocument &document, const std::string &message);
  OpenDocument *find(const std::string &uri);
  void end(int exitCode);

  // Commands.cpp
  using Command = void (Session::*)(const Json &id, const CommandParams &);
  static Command findCommand(std::string_view name);
  void preview(const Json &id, const CommandParams &params);
  void run(const Json &id, const CommandParams &params);
  void bisect(const Json &id, const CommandParams &params);
  void passes(const Json &id, const CommandParams &params);
  void listArchs(const Json &id, const CommandParams &params);

  // Emitted.cpp
  void toggleEmitted(const Json &id, const CommandParams &params);
  /// Compiles the text, and shows what it became.
  void compileEmitted(OpenDocument &document, std::function<void(Json)> done);
  /// The text has changed, or the result is no longer wanted.
  void dropEmitted(OpenDocument &document);
  /// Compiles, once typing pauses, what is shown but not known yet.
  void compileWhenIdle();
  void sendEmitted(OpenDocument &document);
  /// Asks the client to request `what` again.
  void refresh(const char *what);

  /// What a result of a job is about.
  struct About {
    std::string job;
    std::string uri;
    std::optional<int64_t> version; ///< None if the document is not open.
    std::string kernel;
  };
  template <typename JobRequest>
  void runCommand(const Json &id, const CommandParams &params, const char *job);
  bool readDocument(About &about, KernelRequest &request);
  void finishCommand(const Json &id, const About &about, Json answer);
  void keepFindings(const About &about, const Json &answer);
  void showResult(const About &about, const Json &answer);
  void progress(const Json &token, Json value);

  Log &log;
  std::shared_ptr<Connection> connection;
  std::string token;
  OnEnd onEnd;
  State state = State::Created;
  ClientOptions client;
  EngineLink engine;
  JobLink jobs;
  ResultFiles resultFiles;
  std::map<std::string, std::unique_ptr<OpenDocument>> documents; ///< By URI.
  uint32_t lastDocument = 0;
  /// A search that waits for the job, and for how long.
  struct FunctionSearch {
    std::function<void()> use;
    boost::asio::steady_timer patience;
  };
  /// Those of the workspace's files, and the job that reads them.
  struct {
    FunctionIndex index;
    std::chrono::steady_clock::time_point until; ///< When to look again.
    bool isReading = false;                      ///< The job is running.
    Json token;                                  ///< Of its progress, if shown.
    std::string stage;                           ///< How far it is.
    std::vector<std::shared_ptr<FunctionSearch>> waiting; ///< For the job.
    bool saidPartial = false; ///< That answers lack what is not read yet.
    bool saidCut = false;     ///< That some files are not read at all.
  } functions;
  /// The requests without an answer, by id, and how to stop the work for each.
  std::map<Json, std::function<void()>> active;
  /// Of those, the ones whose progress is shown, by its token.
  std::map<Json, Json> shown;
  unsigned lastOwnRequest = 0, lastToken = 0;
  boost::asio::steady_timer emittedTimer;
  IdleHeap heap;
  std::shared_ptr<char> alive =
      std::make_shared<char>(); ///< Timers that fire late see that we are gone.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_SESSION_H
