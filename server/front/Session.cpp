//===- Session.cpp - one client and all that is done for it ---------------===//

#include "server/front/Session.h"

#include "server/lsp/Answers.h"

#include <algorithm>
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

Session::Request Session::findRequest(std::string_view method) {
  static constexpr std::pair<std::string_view, Request> requests[] = {
      {"initialize", &Session::initialize},
      {"shutdown", &Session::shutdown},
      {"workspace/executeCommand", &Session::executeCommand},
  };
  return findIn(requests, method);
}

Session::Notification Session::findNotification(std::string_view method) {
  static constexpr std::pair<std::string_view, Notification> notifications[] = {
      {"initialized", &Session::initialized},
      {"exit", &Session::exit},
      {"$/cancelRequest", &Session::cancelRequest},
      {"textDocument/didOpen", &Session::didOpen},
      {"textDocument/didChange", &Session::didChange},
      {"textDocument/didClose", &Session::didClose},
      {"workspace/didChangeConfiguration", &Session::didChangeConfiguration},
  };
  return findIn(notifications, method);
}

Session::Session(boost::asio::io_context &io, Log &log,
                 std::chrono::milliseconds patience, int input, int output,
                 OnEnd onEnd)
    : log(log), connection(std::make_shared<Connection>(io, input, output)),
      onEnd(std::move(onEnd)),
      engine(io, log, patience,
             [this](OpenDocument &document, Json diagnostics) {
               publish(document, std::move(diagnostics));
             }),
      jobs(io, log) {
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
  auto refuse = [&](ErrorCode code, const std::string &message) {
    log.write("bad message: " + message);
    connection->send({{"jsonrpc", "2.0"},
                      {"id", nullptr},
                      {"error", errorValue(code, message)}});
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
    return refuse(ErrorCode::InvalidRequest, "a message is a JSON object");
  const Json &id = member(message, "id");
  const Json &method = member(message, "method");
  if (!method.is_string()) {
    // An answer to a request of ours needs nothing.
    if (method.is_null() &&
        (message.contains("result") || message.contains("error")))
      return;
    return refuse(ErrorCode::InvalidRequest, "a request has a method");
  }
  if (!message.contains("id"))
    return takeNotification(method, member(message, "params"));
  if (!id.is_string() && !id.is_number())
    return refuse(ErrorCode::InvalidRequest,
                  "the id of a request is a number or a string");
  takeRequest(id, method, member(message, "params"));
}

void Session::takeRequest(const Json &id, const std::string &method,
                          const Json &params) {
  if (active.contains(id)) {
    // The id stays the first request's, so this answer goes past `reply`.
    connection->send({{"jsonrpc", "2.0"},
                      {"id", id},
                      {"error", errorValue(ErrorCode::InvalidRequest,
                                           "another request has this id")}});
    return;
  }
  active[id] = [] {};
  if (state == State::Created && method != "initialize")
    return fail(id, ErrorCode::ServerNotInitialized,
                "the first request is `initialize`");
  if (state == State::ShutDown)
    return fail(id, ErrorCode::InvalidRequest, "the server has been shut down");
  try {
    if (Request request = findRequest(method))
      return (this->*request)(id, params);
    if (isFeature(method))
      return feature(id, method, params);
    fail(id, ErrorCode::MethodNotFound, "there is no method '" + method + "'");
  } catch (const Json::exception &problem) {
    fail(id, ErrorCode::InvalidParams, problem.what());
  }
}

void Session::takeNotification(const std::string &method, const Json &params) {
  Notification notification = findNotification(method);
  if (!notification)
    return; // as LSP wants it
  if (state != State::Initialized && method != "exit")
    return log.write("not initialized, and got " + method);
  try {
    (this->*notification)(params);
  } catch (const Json::exception &problem) {
    log.write("bad parameters of " + method + ": " + problem.what());
  }
}

void Session::reply(const Json &id, Json answer) {
  if (!active.erase(id))
    return;
  answer["jsonrpc"] = "2.0";
  answer["id"] = id;
  connection->send(answer);
}

void Session::fail(const Json &id, ErrorCode code, std::string message) {
  reply(id, {{"error", errorValue(code, std::move(message))}});
}

void Session::notify(const std::string &method, Json params) {
  connection->send(
      {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

//===----------------------------------------------------------------------===//
// Life cycle
//===----------------------------------------------------------------------===//

void Session::initialize(const Json &id, const Json &params) {
  if (state != State::Created)
    return fail(id, ErrorCode::InvalidRequest,
                "the server has been initialized already");
  state = State::Initialized;
  client = ClientOptions::of(params);
  reply(id, {{"result", serverCapabilities(client)}});
  // After the answer, so that the client does not wait for our children.
  engine.start(params);
  jobs.prepare();
}

void Session::initialized(const Json &) {}

void Session::shutdown(const Json &id, const Json &) {
  state = State::ShutDown;
  reply(id, {{"result", nullptr}});
  std::map<Json, std::function<void()>> unanswered = active;
  for (auto &[other, stop] : unanswered) {
    stop();
    fail(other, ErrorCode::RequestCancelled, "the server shuts down");
  }
}

void Session::exit(const Json &) { end(state == State::ShutDown ? 0 : 1); }

void Session::cancelRequest(const Json &params) {
  Json id = member(params, "id");
  auto it = active.find(id);
  if (it == active.end())
    return;
  it->second();
  fail(id, ErrorCode::RequestCancelled, "cancelled");
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

OpenDocument *Session::find(const Json &textDocument) {
  auto it = documents.find(stringMember(textDocument, "uri"));
  return it == documents.end() ? nullptr : it->second.get();
}

void Session::publish(const OpenDocument &document, Json diagnostics) {
  notify("textDocument/publishDiagnostics",
         {{"uri", document.uri},
          {"version", document.version},
          {"diagnostics", std::move(diagnostics)}});
}

void Session::didOpen(const Json &params) {
  const Json &item = params.at("textDocument");
  std::string uri = item.at("uri");
  auto document = std::make_unique<OpenDocument>();
  document->number = ++lastDocument;
  document->uri = uri;
  document->version = item.at("version");
  document->text = Text(item.at("text").get<std::string>());
  if (OpenDocument *before = find(item))
    engine.close(*before);
  OpenDocument &opened = *(documents[uri] = std::move(document));
  engine.open(opened);
}

void Session::didChange(const Json &params) {
  OpenDocument *document = find(params.at("textDocument"));
  if (!document)
    return log.write("a change of a document that is not open");
  Json changes = Json::array();
  for (const Json &change : params.at("contentChanges")) {
    Span span{0, document->text.size()};
    if (change.contains("range")) {
      std::optional<Range> range = rangeFrom(change["range"]);
      if (!range) {
        log.write("a change with a bad range");
        continue;
      }
      span = document->text.spanAt(*range, client.encoding);
    }
    const auto &text = change.at("text").get_ref<const std::string &>();
    document->text.replace(span, text);
    changes.push_back(
        {{"begin", span.begin}, {"end", span.end}, {"text", text}});
  }
  const Json &version = member(params["textDocument"], "version");
  document->version = version.is_number_integer() ? version.get<int64_t>()
                                                  : document->version + 1;
  engine.edit(*document, std::move(changes));
}

void Session::didClose(const Json &params) {
  OpenDocument *document = find(params.at("textDocument"));
  if (!document)
    return log.write("a document was closed that is not open");
  std::string uri = document->uri;
  engine.close(*document);
  documents.erase(uri);
  notify("textDocument/publishDiagnostics",
         {{"uri", uri}, {"diagnostics", Json::array()}});
}

/// An editor may send all of its settings, or only ours.
void Session::didChangeConfiguration(const Json &params) {
  const Json &all = member(params, "settings");
  const Json &ours = member(all, "kernelscope");
  engine.allow(allowedCodes(ours.is_object() ? ours : all));
}

void Session::feature(const Json &id, const std::string &method,
                      const Json &params) {
  const Json &textDocument = member(params, "textDocument");
  OpenDocument *document = find(textDocument);
  if (!document)
    return fail(id, ErrorCode::InvalidParams,
                "the document '" + stringMember(textDocument, "uri") +
                    "' is not open");
  uint64_t request =
      engine.request(*document, method, params,
                     [this, id](Json answer) { reply(id, std::move(answer)); });
  if (auto it = active.find(id); it != active.end())
    it->second = [this, request] { engine.cancel(request); };
}
