//===- RunFindings.cpp - what a run found, as diagnostics -----------------===//

#include "server/front/RunFindings.h"

#include <utility>

using namespace kernelscope;

namespace {

Json placeOf(const JobDiagnostic &found, const Text &text,
             PositionEncoding encoding) {
  const size_t line = found.line.value_or(0);
  const Span span =
      text.spanAt({{line, found.column.value_or(0)}, {line, std::string::npos}},
                  PositionEncoding::UTF8);
  const Range range = text.rangeAt(span, encoding);
  auto position = [](Position at) {
    return Json{{"line", at.line}, {"character", at.character}};
  };
  return {{"start", position(range.start)}, {"end", position(range.end)}};
}

} // namespace

Json kernelscope::diagnosticsOfRun(const std::vector<JobDiagnostic> &found,
                                   const Text &text, const std::string &uri,
                                   PositionEncoding encoding) {
  Json list = Json::array();
  for (const JobDiagnostic &entry : found) {
    Json range = placeOf(entry, text, encoding);
    if (entry.severity != "note")
      list.push_back({{"range", std::move(range)},
                      {"severity", entry.severity == "error" ? 1 : 2},
                      {"code", "run"},
                      {"source", "kernelscope"},
                      {"message", entry.message}});
    else if (!list.empty() && entry.line)
      list.back()["relatedInformation"].push_back(
          {{"location", {{"uri", uri}, {"range", std::move(range)}}},
           {"message", entry.message}});
  }
  return list;
}
