//===- Answers.cpp - what the jobs answer ---------------------------------===//

#include "server/jobs/Answers.h"

using namespace kernelscope;

void kernelscope::to_json(Json &json, PreviewAnswer answer) {
  json = {{"arch", std::move(answer.arch)},
          {"isDefaultArch", answer.isDefaultArch},
          {"emit", std::move(answer.emit)},
          {"lines", answer.lines},
          {"kernels", std::move(answer.kernels)},
          {"diagnostics", answer.diagnostics},
          {"milliseconds", answer.milliseconds}};
  setIfAny(json, "text", std::move(answer.text));
  setIfAny(json, "base64", std::move(answer.base64));
}
void kernelscope::from_json(Json &json, PreviewAnswer &answer) {
  answer.arch = json.at("arch");
  answer.isDefaultArch = json.at("isDefaultArch");
  answer.emit = json.at("emit");
  json.at("lines").get_to(answer.lines);
  answer.kernels = std::move(json.at("kernels"));
  json.at("diagnostics").get_to(answer.diagnostics);
  answer.milliseconds = json.at("milliseconds");
  if (json.contains("text"))
    answer.text = takeString(json, "text");
  if (json.contains("base64"))
    answer.base64 = takeString(json, "base64");
}

void kernelscope::to_json(Json &json, RunAnswer answer) {
  json = {{"report", std::move(answer.report)},
          {"data", std::move(answer.data)},
          {"printed", std::move(answer.printed)},
          {"diagnostics", answer.diagnostics},
          {"matches", answer.matches}};
}
void kernelscope::from_json(Json &json, RunAnswer &answer) {
  answer.report = takeString(json, "report");
  answer.data = std::move(json.at("data"));
  answer.printed = takeString(json, "printed");
  json.at("diagnostics").get_to(answer.diagnostics);
  answer.matches = json.at("matches");
}

static Json jsonOf(BisectAnswer::Side side) {
  return {{"title", std::move(side.title)},
          {"line", side.line},
          {"text", std::move(side.text)}};
}
static BisectAnswer::Side sideOf(Json &json) {
  return {takeString(json, "title"), json.at("line"), takeString(json, "text")};
}

void kernelscope::to_json(Json &json, BisectAnswer answer) {
  json = {{"report", std::move(answer.report)},
          {"passes", std::move(answer.passes)},
          {"sections", std::move(answer.sections)},
          {"diagnostics", answer.diagnostics}};
  if (answer.before)
    json["before"] = jsonOf(std::move(*answer.before));
  if (answer.after)
    json["after"] = jsonOf(std::move(*answer.after));
}
void kernelscope::from_json(Json &json, BisectAnswer &answer) {
  answer.report = takeString(json, "report");
  json.at("passes").get_to(answer.passes);
  if (json.contains("before"))
    answer.before = sideOf(json.at("before"));
  if (json.contains("after"))
    answer.after = sideOf(json.at("after"));
  answer.sections = std::move(json.at("sections"));
  json.at("diagnostics").get_to(answer.diagnostics);
}
