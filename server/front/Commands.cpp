//===- Commands.cpp - the server's own commands: preview, run, archs ------===//

#include "server/front/Session.h"

#include "passes/Target.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

using namespace kernelscope;

void Session::executeCommand(const Json &id, const Json &params) {
  std::string command = stringMember(params, "command");
  const Json &arguments = member(params, "arguments");
  const Json argument = arguments.is_array() && !arguments.empty()
                            ? arguments[0]
                            : Json::object();
  const Json &token = member(params, "workDoneToken");
  if (command == "kernelscope.archs")
    return listArchs(id);
  if (command == "kernelscope.preview")
    return runCommand(id, "preview", argument, token);
  if (command == "kernelscope.run")
    return runCommand(id, "run", argument, token);
  fail(id, ErrorCode::InvalidParams, "there is no command '" + command + "'");
}

void Session::listArchs(const Json &id) {
  Json list = Json::array();
  for (const Target &target : knownArchs())
    list.push_back({{"arch", target.arch},
                    {"vendor", target.isNvidia() ? "nvidia" : "amd"},
                    {"description", target.description}});
  reply(id, {{"result", std::move(list)}});
}

void Session::progress(const Json &token, Json value) {
  if (!token.is_null())
    notify("$/progress", {{"token", token}, {"value", std::move(value)}});
}

void Session::runCommand(const Json &id, const std::string &job,
                         const Json &argument, const Json &token) {
  std::string uri = stringMember(argument, "uri");
  Json request = argument.is_object() ? argument : Json::object();
  request["path"] = pathOf(uri);
  request["version"] = nullptr;
  if (const OpenDocument *document = find(argument)) {
    request["text"] = document->text.str();
    request["version"] = document->version;
  } else {
    std::ifstream file(pathOf(uri), std::ios::binary);
    if (!file)
      return fail(id, ErrorCode::InvalidParams,
                  "cannot read the document '" + uri + "'");
    request["text"] = std::string(std::istreambuf_iterator<char>(file), {});
  }

  progress(token, {{"kind", "begin"},
                   {"title", job == "run" ? "Run" : "Preview"},
                   {"message", stringMember(argument, "kernel")},
                   {"cancellable", true}});
  auto onProgress = [this, token](const Json &message) {
    if (message.contains("stage"))
      progress(token, {{"kind", "report"}, {"message", message["stage"]}});
  };
  Json about = {{"uri", uri},
                {"version", request["version"]},
                {"kernel", member(argument, "kernel")}};
  auto onAnswer = [this, id, job, token, about](Json answer) {
    progress(token, {{"kind", "end"}});
    finishCommand(id, job, about, std::move(answer));
  };
  uint64_t number = jobs.run(job, std::move(request), onProgress, onAnswer);
  active[id] = [this, number, token] {
    jobs.cancel(number);
    progress(token, {{"kind", "end"}, {"message", "cancelled"}});
  };
}

void Session::finishCommand(const Json &id, const std::string &job,
                            const Json &about, Json answer) {
  if (auto error = answer.find("error"); error != answer.end()) {
    Json value = errorValue(ErrorCode::RequestFailed,
                            stringMember(*error, "message", "the job failed"));
    value["data"] = std::move(*error);
    return reply(id, {{"error", std::move(value)}});
  }
  answer["uri"] = about["uri"];
  answer["version"] = about["version"];
  if (!client.showsResults && client.showDocument)
    showResult(job, about, answer);
  reply(id, {{"result", std::move(answer)}});
}

/// For a client that does nothing with a result: opens it as a file.
void Session::showResult(const std::string &job, const Json &about,
                         const Json &answer) {
  std::string text = stringMember(answer, job == "run" ? "report" : "text");
  std::string name =
      std::filesystem::path(pathOf(stringMember(about, "uri"))).stem().string();
  if (std::string kernel = stringMember(about, "kernel");
      !kernel.empty() && kernel != name)
    name += "." + std::filesystem::path(kernel).filename().string();
  name += job == "run" ? ".run.txt"
                       : "." + stringMember(answer, "arch") + "." +
                             stringMember(answer, "emit", "txt");
  std::string path = resultFiles.write(name, text);
  if (path.empty())
    return log.write("cannot write " + name);
  connection->send({{"jsonrpc", "2.0"},
                    {"id", "kernelscope-" + std::to_string(++lastOwnRequest)},
                    {"method", "window/showDocument"},
                    {"params", {{"uri", uriOf(path)}, {"takeFocus", false}}}});
}
