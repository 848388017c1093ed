//===- Commands.cpp - the server's own commands: preview, run, ... --------===//

#include "server/front/Session.h"

#include "dialects/target/Target.h"
#include "passes/emit/Emit.h"
#include "server/front/RunFindings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

using namespace kernelscope;

Session::Command Session::findCommand(std::string_view name) {
  static constexpr std::pair<std::string_view, Command> commands[] = {
      {"kernelscope.archs", &Session::listArchs},
      {"kernelscope.bisect", &Session::bisect},
      {"kernelscope.emitted", &Session::toggleEmitted},
      {"kernelscope.passes", &Session::passes},
      {"kernelscope.preview", &Session::preview},
      {"kernelscope.run", &Session::run},
  };
  auto it = std::find_if(std::begin(commands), std::end(commands),
                         [&](const auto &row) { return row.first == name; });
  return it == std::end(commands) ? nullptr : it->second;
}

void Session::executeCommand(const Json &id, CommandParams params) {
  if (Command command = findCommand(params.command))
    return (this->*command)(id, params);
  fail(id, ErrorCode::InvalidParams,
       "there is no command '" + params.command + "'");
}

void Session::listArchs(const Json &id, const CommandParams &) {
  Json list = Json::array();
  for (const Target &target : knownArchs()) {
    Json emits = Json::array();
    for (const EmitInfo &info : knownEmits())
      if (info.isFor(target.vendor) && !info.isObject)
        emits.push_back({{"emit", info.name.str()},
                         {"title", info.title.str()},
                         {"suffix", info.suffix.str()}});
    list.push_back({{"arch", target.arch},
                    {"vendor", target.isNvidia() ? "nvidia" : "amd"},
                    {"description", target.description},
                    {"assembly", infoOf(assemblyOf(target.vendor)).name.str()},
                    {"emits", std::move(emits)}});
  }
  reply(id, {std::move(list), {}, {}});
}

void Session::preview(const Json &id, const CommandParams &params) {
  runCommand<PreviewRequest>(id, params, "preview");
}

void Session::run(const Json &id, const CommandParams &params) {
  runCommand<RunRequest>(id, params, "run");
}

void Session::bisect(const Json &id, const CommandParams &params) {
  runCommand<BisectRequest>(id, params, "bisect");
}

void Session::passes(const Json &id, const CommandParams &params) {
  runCommand<PassesRequest>(id, params, "passes");
}

void Session::progress(const Json &token, Json value) {
  if (!token.is_null())
    notify("$/progress", {{"token", token}, {"value", std::move(value)}});
}

/// Fills in the text of a document, of an open one as the editor has it.
bool Session::readDocument(About &about, KernelRequest &request) {
  request.path = pathOf(about.uri);
  if (const OpenDocument *document = find(about.uri)) {
    request.text = document->text.str();
    about.version = document->version;
    return true;
  }
  std::ifstream file(request.path, std::ios::binary);
  request.text = std::string(std::istreambuf_iterator<char>(file), {});
  return !file.fail();
}

template <typename JobRequest>
void Session::runCommand(const Json &id, const CommandParams &params,
                         const char *job) {
  About about;
  about.job = job;
  auto request = params.argument.get<JobRequest>();
  about.uri = stringMember(params.argument, "uri");
  about.kernel = request.kernel;
  if (!readDocument(about, request))
    return fail(id, ErrorCode::InvalidParams,
                about.uri.starts_with("file:")
                    ? "cannot read the file " + pathOf(about.uri)
                    : "the document '" + about.uri + "' is closed");

  Json token = params.workDoneToken;
  if (token.is_null() && client.workDoneProgress) {
    token = "kernelscope-" + about.job + "-" + std::to_string(++lastToken);
    ask("window/workDoneProgress/create", {{"token", token}});
  }
  Json begin = {{"kind", "begin"},
                {"title", about.job == "run"       ? "Run"
                          : about.job == "preview" ? "Preview"
                          : about.job == "passes"  ? "Passes"
                                                   : "Bisect"},
                {"message", about.kernel},
                {"cancellable", true}};
  // The amount of work of other jobs is not known.
  if (about.job == "run" || about.job == "bisect")
    begin["percentage"] = 0;
  progress(token, std::move(begin));
  auto onProgress = [this, token](const JobNews &news) {
    if (!news.stage)
      return;
    Json report = {{"kind", "report"}, {"message", *news.stage}};
    setIfAny(report, "percentage", news.percentage);
    progress(token, std::move(report));
  };
  auto onAnswer = [this, id, token, about](Json answer) {
    progress(token, {{"kind", "end"}});
    shown.erase(token);
    finishCommand(id, about, std::move(answer));
  };
  uint64_t number =
      jobs.run(about.job, std::move(request), onProgress, onAnswer);
  active[id] = [this, number, token] {
    jobs.cancel(number);
    progress(token, {{"kind", "end"}, {"message", "cancelled"}});
    shown.erase(token);
  };
  if (!token.is_null())
    shown[token] = id;
}

void Session::cancelProgress(ProgressParams params) {
  if (auto it = shown.find(params.token); it != shown.end())
    cancelRequest({it->second});
}

/// What a run has found stays with its text until that changes.
void Session::keepFindings(const About &about, const Json &answer) {
  OpenDocument *document = find(about.uri);
  if (!document || document->version != about.version)
    return;
  std::vector<JobDiagnostic> found;
  if (std::optional<JobError> error = errorOf(answer))
    found = error->diagnostics.value_or(found);
  else
    found = optionalOf<std::vector<JobDiagnostic>>(answer, "diagnostics")
                .value_or(found);
  Json before = std::exchange(
      document->ran,
      diagnosticsOfRun(found, document->text, document->uri, client.encoding));
  // A text with errors does not run, and the analysis has said so.
  std::erase_if(
      document->ran.get_ref<Json::array_t &>(), [&](const Json &entry) {
        return std::any_of(document->checked.begin(), document->checked.end(),
                           [&](const Json &old) {
                             return stringMember(old, "message") ==
                                    stringMember(entry, "message");
                           });
      });
  if (document->ran != before)
    publish(*document);
}

void Session::finishCommand(const Json &id, const About &about, Json answer) {
  if (about.job == "run")
    keepFindings(about, answer);
  if (auto error = answer.find("error"); error != answer.end())
    return reply(
        id, {{},
             {},
             ResponseError{ErrorCode::RequestFailed,
                           stringMember(*error, "message", "the job failed"),
                           std::move(*error)}});
  answer["uri"] = about.uri;
  answer["version"] = about.version ? Json(*about.version) : Json();
  // The passes of a dump are data, nothing to read.
  if (about.job != "passes" && !client.showsResults && client.showDocument)
    showResult(about, answer);
  reply(id, {std::move(answer), {}, {}});
}

/// For a client that does nothing with a result: opens it as a file.
void Session::showResult(const About &about, const Json &answer) {
  bool isReport = about.job != "preview";
  std::string text = stringMember(answer, isReport ? "report" : "text");
  std::string name = std::filesystem::path(pathOf(about.uri)).stem().string();
  if (!about.kernel.empty() && about.kernel != name)
    name += "." + std::filesystem::path(about.kernel).filename().string();
  std::optional<Emit> emit = parseEmit(stringMember(answer, "emit"));
  name += isReport ? "." + about.job + ".txt"
                   : "." + stringMember(answer, "arch") + "." +
                         (emit ? infoOf(*emit).suffix.str() : "txt");
  std::string path = resultFiles.write(name, text);
  if (path.empty())
    return log.write("cannot write " + name);
  ask("window/showDocument", {{"uri", uriOf(path)}, {"takeFocus", false}});
}
