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

namespace kernelscope {

static void to_json(Json &json, const Span &span) {
  json = {span.begin, span.end};
}
static void from_json(const Json &json, Span &span) {
  span = {json.at(0), json.at(1)};
}

static void to_json(Json &json, const SourcePlace &place) {
  json = {place.file, place.line, place.column};
}
static void from_json(const Json &json, SourcePlace &place) {
  place = {json.at(0), json.at(1), json.at(2)};
}

static void to_json(Json &json, const RelatedInformation &related) {
  json = {{"message", related.message}};
  setIfAny(json, "span", related.span);
  setIfAny(json, "source", related.source);
}
static void from_json(const Json &json, RelatedInformation &related) {
  related.message = json.at("message");
  related.span = optionalOf<Span>(json, "span");
  related.source = optionalOf<SourcePlace>(json, "source");
}

/// Without its fixes.
static void to_json(Json &json, const Diagnostic &diagnostic) {
  json = {{"span", diagnostic.span},
          {"severity", diagnostic.severity},
          {"code", diagnostic.code},
          {"message", diagnostic.message},
          {"related", diagnostic.related}};
}
static void from_json(const Json &json, Diagnostic &diagnostic) {
  diagnostic.span = json.at("span");
  diagnostic.severity = json.at("severity");
  diagnostic.code = json.at("code");
  diagnostic.message = json.at("message");
  json.at("related").get_to(diagnostic.related);
}

} // namespace kernelscope

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

Json kernelscope::checkJob(const CheckRequest &request, JobProgress &progress) {
  for (const CheckRequest::File &file : request.files) {
    AnalyzeOptions options;
    options.quarantine = file.quarantine;
    options.settings = request.settings;
    options.progress = [&](size_t offset) { progress.place(offset); };
    auto document = analyze(Text(file.text), file.path, options);
    progress.part(document->diagnostics());
  }
  return Json::object();
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

namespace {

/// After so many deaths the rest of a file is given up.
constexpr size_t toleratedFileDeaths = 4;
/// So much text makes a child worth its start.
constexpr size_t batchBytes = size_t(256) << 10;

class FileChecker {
public:
  FileChecker(const std::vector<FileToCheck> &files,
              std::chrono::milliseconds time, const ClientSettings &settings,
              const std::function<void(size_t)> &onFile)
      : files(files), time(time), settings(settings), onFile(onFile),
        results(files.size()), deaths(files.size()),
        runner([&](uint64_t id, const JobNews &news) { take(id, news); },
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
    CheckRequest request;
    request.settings = settings;
    for (size_t index : indices) {
      CheckRequest::File &file = request.files.emplace_back(
          CheckRequest::File{files[index].path, files[index].text, {}});
      for (const Death &death : deaths[index])
        file.quarantine.push_back(death.place);
    }
    batches[nextId] = {std::move(indices)};
    runner.start(nextId++, "check", std::move(request), time);
  }

  void take(uint64_t id, const JobNews &news) {
    if (!news.part)
      return;
    Batch &batch = batches[id];
    size_t index = batch.files[batch.done++];
    results[index] = news.part->get<std::vector<Diagnostic>>();
    for (const Death &death : deaths[index])
      explain(results[index], death);
    noteDone();
  }

  void noteDone() {
    ++filesDone;
    if (onFile)
      onFile(filesDone);
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
    JobError error = errorOf(answer).value_or(JobError());
    Death death{error.place.value_or(0), error.message};
    bool isAgain = std::any_of(
        deaths[index].begin(), deaths[index].end(),
        [&](const Death &other) { return other.place == death.place; });
    if (isAgain || !error.place ||
        deaths[index].size() == toleratedFileDeaths) {
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
    diagnostic.message =
        "the analysis of this file was abandoned: " + death.reason;
    results[index] = {std::move(diagnostic)};
    noteDone();
  }

  const std::vector<FileToCheck> &files;
  std::chrono::milliseconds time;
  const ClientSettings &settings;
  const std::function<void(size_t)> &onFile;
  size_t filesDone = 0;
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
                        const ClientSettings &settings,
                        const std::function<void(size_t done)> &onFile) {
  return FileChecker(files, time, settings, onFile).run();
}
