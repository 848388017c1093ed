//===- Session.cpp - one client and all that is done for it ---------------===//

#include "server/front/Session.h"

#include "server/lsp/Answers.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

using namespace kernelscope;

namespace {

/// The entry of a table of methods, or null.
template <typename Table>
auto findIn(const Table &table, std::string_view method) {
  auto it =
      std::find_if(std::begin(table), std::end(table),
                   [&](const auto &entry) { return entry.first == method; });
  return it == std::end(table) ? nullptr : it->second;
}

} // namespace

/// Calls a handler with its parameters, made from JSON.
template <typename Params, void (Session::*Handler)(const Json &, Params)>
struct Session::Typed<Handler> {
  static void call(Session &session, const Json &id, const Json &params) {
    (session.*Handler)(id, params.get<Params>());
  }
};
template <typename Params, void (Session::*Handler)(Params)>
struct Session::Typed<Handler> {
  static void call(Session &session, const Json &params) {
    (session.*Handler)(params.get<Params>());
  }
};

Session::Request Session::findRequest(std::string_view method) {
  static constexpr std::pair<std::string_view, Request> requests[] = {
      {"initialize", Typed<&Session::initialize>::call},
      {"shutdown", Typed<&Session::shutdown>::call},
      {"workspace/executeCommand", Typed<&Session::executeCommand>::call},
      {workspaceSymbolMethod, Typed<&Session::workspaceSymbol>::call},
      {"textDocument/diagnostic", Typed<&Session::diagnostic>::call},
  };
  return findIn(requests, method);
}

Session::Notification Session::findNotification(std::string_view method) {
  static constexpr std::pair<std::string_view, Notification> notifications[] = {
      {"initialized", Typed<&Session::initialized>::call},
      {"exit", Typed<&Session::exit>::call},
      {"$/cancelRequest", Typed<&Session::cancelRequest>::call},
      {"window/workDoneProgress/cancel", Typed<&Session::cancelProgress>::call},
      {"textDocument/didOpen", Typed<&Session::didOpen>::call},
      {"textDocument/didChange", Typed<&Session::didChange>::call},
      {"textDocument/didClose", Typed<&Session::didClose>::call},
      {"workspace/didChangeConfiguration",
       Typed<&Session::didChangeConfiguration>::call},
  };
  return findIn(notifications, method);
}

Session::Session(boost::asio::io_context &io, Log &log,
                 std::chrono::milliseconds patience, int input, int output,
                 std::string token, OnEnd onEnd)
    : log(log), connection(std::make_shared<Connection>(io, input, output)),
      token(std::move(token)), onEnd(std::move(onEnd)),
      engine(io, log, patience,
             [this](OpenDocument &document, Json diagnostics) {
               document.checked = std::move(diagnostics);
               publish(document);
             }),
      jobs(io, log), emittedTimer(io), heap(io) {
  // Who needs a token may not be a client of ours.
  if (this->token.empty())
    engine.prepare();
  connection->start([this](const Frame &frame) { take(frame); },
                    [this] { end(state == State::ShutDown ? 0 : 1); });
}

void Session::end(int exitCode) {
  connection->finish([this, exitCode] {
    if (OnEnd once = std::exchange(onEnd, nullptr))
      once(exitCode);
  });
}

//===----------------------------------------------------------------------===//
// JSON-RPC
//===----------------------------------------------------------------------===//

void Session::take(const Frame &frame) {
  heap.use();
  auto refuse = [&](ErrorCode code, const std::string &message) {
    log.write("bad message: " + message);
    connection->send({{"jsonrpc", "2.0"},
                      {"id", nullptr},
                      {"error", ResponseError{code, message, {}}}});
  };
  if (!frame.error.empty())
    return refuse(ErrorCode::ParseError, frame.error);
  Json message;
  try {
    message = fromText(frame.body);
  } catch (const std::exception &problem) {
    return refuse(ErrorCode::ParseError, problem.what());
  }
  if (!message.is_object())
    return refuse(ErrorCode::InvalidRequest, "a message must be a JSON object");
  const Json &id = member(message, "id");
  const Json &method = member(message, "method");
  if (!method.is_string()) {
    // An answer to a request of ours needs nothing.
    if (method.is_null() &&
        (message.contains("result") || message.contains("error")))
      return;
    return refuse(ErrorCode::InvalidRequest, "a request must have a method");
  }
  if (!message.contains("id"))
    return takeNotification(method, member(message, "params"));
  // A larger integer is read as a float, and would come back as another number.
  if (!id.is_string() && !id.is_number_integer())
    return refuse(ErrorCode::InvalidRequest,
                  "the id of a request must be a string or an integer of at "
                  "most 64 bits");
  takeRequest(id, method, member(message, "params"));
}

void Session::takeRequest(const Json &id, const std::string &method,
                          const Json &params) {
  if (active.contains(id)) {
    // The id stays the first request's, so this answer goes past `reply`.
    connection->send(
        {{"jsonrpc", "2.0"},
         {"id", id},
         {"error", ResponseError{ErrorCode::InvalidRequest,
                                 "another request already has this id",
                                 {}}}});
    return;
  }
  active[id] = [] {};
  if (state == State::Created && method != "initialize")
    return fail(id, ErrorCode::ServerNotInitialized,
                "the first request must be `initialize`");
  if (state == State::ShutDown)
    return fail(id, ErrorCode::InvalidRequest, "the server has been shut down");
  try {
    if (Request request = findRequest(method))
      return request(*this, id, params);
    if (isFeature(method))
      return feature(id, method, params.get<FeatureParams>());
    fail(id, ErrorCode::MethodNotFound, "there is no method '" + method + "'");
  } catch (const Json::exception &problem) {
    fail(id, ErrorCode::InvalidParams, problem.what());
  }
}

void Session::takeNotification(const std::string &method, const Json &params) {
  Notification notification = findNotification(method);
  if (!notification)
    return; // as LSP requires
  if (state != State::Initialized && method != "exit")
    return log.write("not initialized, but received " + method);
  try {
    notification(*this, params);
  } catch (const Json::exception &problem) {
    log.write("bad parameters for " + method + ": " + problem.what());
  }
}

void Session::reply(const Json &id, Response response) {
  if (!active.erase(id))
    return;
  heap.use();
  connection->sendText(toText(id, response));
}

void Session::fail(const Json &id, ErrorCode code, std::string message) {
  reply(id, {{}, {}, ResponseError{code, std::move(message), {}}});
}

void Session::notify(const std::string &method, Json params) {
  connection->send(
      {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Session::ask(const std::string &method, Json params) {
  Json request = {{"jsonrpc", "2.0"},
                  {"id", "kernelscope-" + std::to_string(++lastOwnRequest)},
                  {"method", method}};
  if (!params.is_null())
    request["params"] = std::move(params);
  connection->send(request);
}

//===----------------------------------------------------------------------===//
// Life cycle
//===----------------------------------------------------------------------===//

void Session::initialize(const Json &id, InitializeParams params) {
  if (state != State::Created)
    return fail(id, ErrorCode::InvalidRequest,
                "the server is already initialized");
  if (!token.empty() && params.token != token) {
    log.write("a client without the token");
    fail(id, ErrorCode::InvalidRequest,
         "initializationOptions.token must be the token that the server was "
         "started with or has printed");
    return end(1);
  }
  state = State::Initialized;
  client = std::move(params.client);
  reply(id, {serverCapabilities(client), {}, {}});
  // After the answer, so that the client does not wait for our children.
  engine.start(client);
  jobs.prepare();
}

void Session::initialized(NoParams) {}

void Session::shutdown(const Json &id, NoParams) {
  state = State::ShutDown;
  reply(id, {});
  std::map<Json, std::function<void()>> unanswered = active;
  for (auto &[other, stop] : unanswered) {
    stop();
    fail(other, ErrorCode::RequestCancelled, "the server is shutting down");
  }
}

void Session::exit(NoParams) { end(state == State::ShutDown ? 0 : 1); }

void Session::cancelRequest(CancelParams params) {
  auto it = active.find(params.id);
  if (it == active.end())
    return;
  it->second();
  fail(params.id, ErrorCode::RequestCancelled, "cancelled");
}
