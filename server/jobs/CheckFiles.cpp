//===- CheckFiles.cpp - the diagnostics of many files ---------------------===//

#include "server/jobs/CheckFiles.h"

#include "server/analysis/Document.h"
#include "server/jobs/Runner.h"

#include <algorithm>
#include <map>

using namespace kernelscope;

//===----------------------------------------------------------------------===//
// Diagnostics as JSON
//===----------------------------------------------------------------------===//

namespace {

Json toJson(Span span) { return {span.begin, span.end}; }
Span spanOf(const Json &json) { return {json[0], json[1]}; }

Json toJson(const RelatedInformation &related) {
  Json json = {{"message", related.message}};
  if (related.span)
    json["span"] = toJson(*related.span);
  if (related.source)
    json["source"] = {related.source->file, related.source->line,
                      related.source->column};
  return json;
}

RelatedInformation relatedOf(const Json &json) {
  RelatedInformation related;
  related.message = json["message"];
  if (json.contains("span"))
    related.span = spanOf(json["span"]);
  if (json.contains("source"))
    related.source = {json["source"][0], json["source"][1], json["source"][2]};
  return related;
}

/// Without its fixes.
Json toJson(const Diagnostic &diagnostic) {
  Json related = Json::array();
  for (const RelatedInformation &information : diagnostic.related)
    related.push_back(toJson(information));
  return {{"span", toJson(diagnostic.span)},
          {"severity", diagnostic.severity},
          {"code", diagnostic.code},
          {"message", diagnostic.message},
          {"related", std::move(related)}};
}

Diagnostic diagnosticOf(const Json &json) {
  Diagnostic diagnostic;
  diagnostic.span = spanOf(json["span"]);
  diagnostic.severity = json["severity"];
  diagnostic.code = json["code"];
  diagnostic.message = json["message"];
  for (const Json &related : json["related"])
    diagnostic.related.push_back(relatedOf(related));
  return diagnostic;
}

} // namespace

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

Json kernelscope::checkJob(const Json &request, JobProgress &progress) {
  for (const Json &file : request["files"]) {
    AnalyzeOptions options;
    options.quarantine = file["quarantine"].get<std::vector<size_t>>();
    options.allow = request["allow"].get<std::vector<std::string>>();
    options.progress = [&](size_t offset) { progress.place(offset); };
    auto document = analyze(Text(file["text"]), file["path"], options);
    Json diagnostics = Json::array();
    for (const Diagnostic &diagnostic : document->diagnostics())
      diagnostics.push_back(toJson(diagnostic));
    progress.part(std::move(diagnostics));
  }
  return Json::object();
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

namespace {

/// After so many deaths the rest of a file is given up.
constexpr size_t toleratedDeaths = 4;
/// So much text makes a child worth its start.
constexpr size_t batchBytes = size_t(256) << 10;

class FileChecker {
public:
  FileChecker(const std::vector<FileToCheck> &files,
              std::chrono::milliseconds time,
              const std::vector<std::string> &allow)
      : files(files), time(time), allow(allow), results(files.size()),
        deaths(files.size()),
        runner([&](uint64_t id, const Json &message) { take(id, message); },
               [&](uint64_t id, const Json &answer) { end(id, answer); }) {}

  std::vector<std::vector<Diagnostic>> run() {
    std::vector<size_t> batch;
    size_t bytes = 0;
    for (size_t i = 0; i < files.size(); ++i) {
      batch.push_back(i);
      bytes += files[i].text.size();
      if (bytes < batchBytes && i + 1 < files.size())
        continue;
      start(std::move(batch));
      batch.clear();
      bytes = 0;
    }
    runner.finish();
    return std::move(results);
  }

private:
  struct Death {
    size_t place;
    std::string reason;
  };
  struct Batch {
    std::vector<size_t> files;
    size_t done = 0;
  };

  void start(std::vector<size_t> indices) {
    Json request = Json::array();
    for (size_t index : indices) {
      Json quarantine = Json::array();
      for (const Death &death : deaths[index])
        quarantine.push_back(death.place);
      request.push_back({{"path", files[index].path},
                         {"text", files[index].text},
                         {"quarantine", std::move(quarantine)}});
    }
    batches[nextId] = {std::move(indices)};
    runner.start(nextId++, "check",
                 {{"files", std::move(request)}, {"allow", allow}}, time);
  }

  void take(uint64_t id, const Json &message) {
    if (!message.contains("part"))
      return;
    Batch &batch = batches[id];
    size_t index = batch.files[batch.done++];
    for (const Json &diagnostic : message["part"])
      results[index].push_back(diagnosticOf(diagnostic));
    for (const Death &death : deaths[index])
      explain(results[index], death);
  }

  /// Says at the diagnostic of a part that was left out what happened there.
  static void explain(std::vector<Diagnostic> &diagnostics,
                      const Death &death) {
    for (Diagnostic &diagnostic : diagnostics)
      if (diagnostic.code == "stopped" && diagnostic.span.touches(death.place))
        diagnostic.related.push_back({{}, {}, death.reason});
  }

  void end(uint64_t id, const Json &answer) {
    Batch batch = std::move(batches[id]);
    batches.erase(id);
    if (batch.done == batch.files.size())
      return;
    size_t index = batch.files[batch.done];
    const Json &error = answer["error"];
    Death death{error.value("place", size_t(0)), error["message"]};
    bool isAgain = std::any_of(
        deaths[index].begin(), deaths[index].end(),
        [&](const Death &other) { return other.place == death.place; });
    if (isAgain || !error.contains("place") ||
        deaths[index].size() == toleratedDeaths) {
      giveUp(index, death);
      ++batch.done;
    } else {
      deaths[index].push_back(std::move(death));
    }
    batch.files.erase(batch.files.begin(), batch.files.begin() + batch.done);
    if (!batch.files.empty())
      start(std::move(batch.files));
  }

  void giveUp(size_t index, const Death &death) {
    Diagnostic diagnostic;
    size_t end = std::min(death.place + 1, files[index].text.size());
    diagnostic.span = {std::min(death.place, end), end};
    diagnostic.code = "stopped";
    diagnostic.message = "analysis of this file is given up: " + death.reason;
    results[index] = {std::move(diagnostic)};
  }

  const std::vector<FileToCheck> &files;
  std::chrono::milliseconds time;
  const std::vector<std::string> &allow;
  std::vector<std::vector<Diagnostic>> results;
  std::vector<std::vector<Death>> deaths;
  std::map<uint64_t, Batch> batches;
  uint64_t nextId = 0;
  JobRunner runner;
};

} // namespace

std::vector<std::vector<Diagnostic>>
kernelscope::checkFiles(const std::vector<FileToCheck> &files,
                        std::chrono::milliseconds time,
                        const std::vector<std::string> &allow) {
  return FileChecker(files, time, allow).run();
}
