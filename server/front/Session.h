//===- Session.h - one client and all that is done for it -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_SESSION_H
#define KERNELSCOPE_SERVER_FRONT_SESSION_H

#include "server/front/Connection.h"
#include "server/front/EngineLink.h"
#include "server/front/JobLink.h"
#include "server/front/ResultFiles.h"
#include "server/lsp/Protocol.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace kernelscope {

/// The protocol with one client: its life cycle, its documents, its requests.
/// Never looks into IR.
class Session {
public:
  /// Called once when the session is over, with the exit code that LSP asks
  /// for.
  using OnEnd = std::function<void(int exitCode)>;

  Session(boost::asio::io_context &io, Log &log,
          std::chrono::milliseconds patience, int input, int output,
          OnEnd onEnd);

private:
  enum class State { Created, Initialized, ShutDown };

  using Request = void (Session::*)(const Json &id, const Json &params);
  using Notification = void (Session::*)(const Json &params);
  static Request findRequest(std::string_view method);
  static Notification findNotification(std::string_view method);

  void take(const Frame &frame);
  void takeRequest(const Json &id, const std::string &method,
                   const Json &params);
  void takeNotification(const std::string &method, const Json &params);

  void initialize(const Json &id, const Json &params);
  void shutdown(const Json &id, const Json &params);
  void feature(const Json &id, const std::string &method, const Json &params);
  void executeCommand(const Json &id, const Json &params);

  void initialized(const Json &params);
  void exit(const Json &params);
  void cancelRequest(const Json &params);
  void didOpen(const Json &params);
  void didChange(const Json &params);
  void didClose(const Json &params);
  void didChangeConfiguration(const Json &params);

  /// Answers a request, unless it has been: `answer` is `{"result"}` or
  /// `{"error"}`.
  void reply(const Json &id, Json answer);
  void fail(const Json &id, ErrorCode code, std::string message);
  void notify(const std::string &method, Json params);
  void publish(const OpenDocument &document, Json diagnostics);
  OpenDocument *find(const Json &textDocument);
  void end(int exitCode);

  // Commands.cpp
  void runCommand(const Json &id, const std::string &job, const Json &argument,
                  const Json &token);
  void finishCommand(const Json &id, const std::string &job,
                     const Json &request, Json answer);
  void listArchs(const Json &id);
  void showResult(const std::string &job, const Json &request,
                  const Json &answer);
  void progress(const Json &token, Json value);

  Log &log;
  std::shared_ptr<Connection> connection;
  OnEnd onEnd;
  State state = State::Created;
  ClientOptions client;
  EngineLink engine;
  JobLink jobs;
  ResultFiles resultFiles;
  std::map<std::string, std::unique_ptr<OpenDocument>> documents; ///< By URI.
  uint32_t lastDocument = 0;
  /// The requests without an answer, by id, and how to stop the work for each.
  std::map<Json, std::function<void()>> active;
  unsigned lastOwnRequest = 0;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_SESSION_H
