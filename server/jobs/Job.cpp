//===- Job.cpp - what jobs answer and report, as JSON ---------------------===//

#include "server/jobs/Job.h"

#include <algorithm>
#include <iterator>
#include <utility>

using namespace kernelscope;

namespace {

constexpr std::pair<JobFailure, const char *> kinds[] = {
    {JobFailure::InvalidIR, "ir"},        {JobFailure::InvalidUsage, "usage"},
    {JobFailure::MissingTool, "missing"}, {JobFailure::Crashed, "crash"},
    {JobFailure::LimitExceeded, "limit"}, {JobFailure::Cancelled, "cancelled"},
};

} // namespace

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

void kernelscope::to_json(Json &json, const JobDiagnostic &diagnostic) {
  json = {{"severity", diagnostic.severity}, {"message", diagnostic.message}};
  setIfAny(json, "line", diagnostic.line);
  setIfAny(json, "column", diagnostic.column);
}
void kernelscope::from_json(const Json &json, JobDiagnostic &diagnostic) {
  diagnostic.severity = json.at("severity");
  diagnostic.message = json.at("message");
  diagnostic.line = optionalOf<size_t>(json, "line");
  diagnostic.column = optionalOf<size_t>(json, "column");
}

void kernelscope::to_json(Json &json, const JobError &error) {
  auto kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto &entry) {
        return entry.first == error.kind;
      });
  json = {{"kind", kind->second}, {"message", error.message}};
  setIfAny(json, "stage", error.stage);
  setIfAny(json, "line", error.line);
  setIfAny(json, "column", error.column);
  setIfAny(json, "place", error.place);
  setIfAny(json, "diagnostics", error.diagnostics);
}
void kernelscope::from_json(const Json &json, JobError &error) {
  auto kind =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto &entry) {
        return json.at("kind") == entry.second;
      });
  error.kind = kind == std::end(kinds) ? JobFailure::Crashed : kind->first;
  error.message = json.at("message");
  error.stage = optionalOf<std::string>(json, "stage");
  error.line = optionalOf<size_t>(json, "line");
  error.column = optionalOf<size_t>(json, "column");
  error.place = optionalOf<uint64_t>(json, "place");
  error.diagnostics =
      optionalOf<std::vector<JobDiagnostic>>(json, "diagnostics");
}

Json kernelscope::failedJob(const JobError &error) {
  return {{"error", error}};
}

Json kernelscope::jobError(JobFailure failure, std::string message) {
  JobError error;
  error.kind = failure;
  error.message = std::move(message);
  return failedJob(error);
}

std::optional<JobError> kernelscope::errorOf(const Json &answer) {
  return optionalOf<JobError>(answer, "error");
}

int kernelscope::exitCodeOf(const Json &answer) {
  std::optional<JobError> error = errorOf(answer);
  if (!error)
    return 0;
  return error->kind == JobFailure::InvalidUsage  ? 2
         : error->kind == JobFailure::MissingTool ? 3
                                                  : 1;
}

//===----------------------------------------------------------------------===//
// News
//===----------------------------------------------------------------------===//

void kernelscope::to_json(Json &json, JobNews news) {
  json = Json::object();
  setIfAny(json, "stage", std::move(news.stage));
  setIfAny(json, "percentage", news.percentage);
  setIfAny(json, "line", news.line);
  setIfAny(json, "part", std::move(news.part));
  setIfAny(json, "answer", std::move(news.answer));
  setIfAny(json, "fatal", std::move(news.fatal));
}
void kernelscope::from_json(Json &json, JobNews &news) {
  news.stage = optionalOf<std::string>(json, "stage");
  news.percentage = optionalOf<unsigned>(json, "percentage");
  news.line = optionalOf<size_t>(json, "line");
  news.fatal = optionalOf<std::string>(json, "fatal");
  for (auto [key, value] :
       {std::pair("part", &news.part), std::pair("answer", &news.answer)})
    if (auto it = json.find(key); it != json.end())
      *value = std::move(*it);
}
