//===- Requests.cpp - what the jobs are asked -----------------------------===//

#include "server/jobs/Requests.h"

#include <utility>

using namespace kernelscope;

namespace {

/// Sets `value` if the member is there and of its type.
void read(const Json &json, const char *key, std::string &value) {
  if (auto it = json.find(key); it != json.end() && it->is_string())
    value = *it;
}
template <typename Number>
void read(const Json &json, const char *key, std::optional<Number> &value) {
  if (auto it = json.find(key); it != json.end() && it->is_number_unsigned())
    value = it->get<Number>();
}
void read(const Json &json, const char *key, std::optional<bool> &value) {
  if (auto it = json.find(key); it != json.end() && it->is_boolean())
    value = it->get<bool>();
}

void read(const Json &json, const char *key, std::vector<std::string> &list) {
  if (auto it = json.find(key); it != json.end() && it->is_array())
    for (const Json &entry : *it)
      if (entry.is_string())
        list.push_back(entry);
}

Json kernelMembers(KernelRequest &request) {
  Json json = {{"kernel", std::move(request.kernel)},
               {"arch", std::move(request.arch)},
               {"path", std::move(request.path)},
               {"text", std::move(request.text)}};
  setIfAny(json, "line", request.line);
  return json;
}

void readKernel(const Json &json, KernelRequest &request) {
  read(json, "path", request.path);
  read(json, "text", request.text);
  read(json, "line", request.line);
  read(json, "kernel", request.kernel);
  read(json, "arch", request.arch);
}

Json compileMembers(CompileRequest &request) {
  Json json = kernelMembers(request);
  setIfAny(json, "warps", request.warps);
  setIfAny(json, "ctas", request.ctas);
  setIfAny(json, "stages", request.stages);
  setIfAny(json, "enableFpFusion", request.enableFpFusion);
  setIfAny(json, "wavesPerEu", request.wavesPerEu);
  setIfAny(json, "allowFlushDenorm", request.allowFlushDenorm);
  json["wgpCuMode"] = std::move(request.wgpCuMode);
  json["llvmFnAttrs"] = std::move(request.llvmFnAttrs);
  return json;
}
void readCompile(const Json &json, CompileRequest &request) {
  readKernel(json, request);
  read(json, "warps", request.warps);
  read(json, "ctas", request.ctas);
  read(json, "stages", request.stages);
  read(json, "enableFpFusion", request.enableFpFusion);
  read(json, "wavesPerEu", request.wavesPerEu);
  read(json, "allowFlushDenorm", request.allowFlushDenorm);
  read(json, "wgpCuMode", request.wgpCuMode);
  read(json, "llvmFnAttrs", request.llvmFnAttrs);
}

} // namespace

void kernelscope::to_json(Json &json, PreviewRequest request) {
  json = compileMembers(request);
  json["archs"] = std::move(request.archs);
  json["emit"] = std::move(request.emit);
}
void kernelscope::from_json(const Json &json, PreviewRequest &request) {
  readCompile(json, request);
  read(json, "archs", request.archs);
  read(json, "emit", request.emit);
}

void kernelscope::to_json(Json &json, RunRequest request) {
  json = compileMembers(request);
  json["device"] = std::move(request.device);
  json["spec"] = std::move(request.spec);
  json["output"] = std::move(request.output);
  json["inputs"] = std::move(request.inputs);
  json["trace"] = std::move(request.trace);
  json["code"] = std::move(request.code);
  setIfAny(json, "compare", request.compare);
  json["schedule"] = std::move(request.schedule);
  setIfAny(json, "sanitize", request.sanitize);
  setIfAny(json, "maxSteps", request.maxSteps);
}
void kernelscope::from_json(const Json &json, RunRequest &request) {
  readCompile(json, request);
  read(json, "device", request.device);
  if (auto spec = json.find("spec"); spec != json.end())
    request.spec = *spec;
  read(json, "output", request.output);
  read(json, "inputs", request.inputs);
  read(json, "trace", request.trace);
  read(json, "code", request.code);
  read(json, "compare", request.compare);
  read(json, "schedule", request.schedule);
  read(json, "sanitize", request.sanitize);
  read(json, "maxSteps", request.maxSteps);
}

void kernelscope::to_json(Json &json, BisectRequest request) {
  json = kernelMembers(request);
  json["spec"] = std::move(request.spec);
  json["exact"] = request.exact;
}
void kernelscope::from_json(const Json &json, BisectRequest &request) {
  readKernel(json, request);
  if (auto spec = json.find("spec"); spec != json.end())
    request.spec = *spec;
  std::optional<bool> exact;
  read(json, "exact", exact);
  request.exact = exact.value_or(false);
}

void kernelscope::to_json(Json &json, PassesRequest request) {
  json = kernelMembers(request);
}
void kernelscope::from_json(const Json &json, PassesRequest &request) {
  readKernel(json, request);
}

void kernelscope::to_json(Json &json, CheckRequest request) {
  Json files = Json::array();
  for (CheckRequest::File &file : request.files)
    files.push_back({{"path", std::move(file.path)},
                     {"text", std::move(file.text)},
                     {"quarantine", std::move(file.quarantine)}});
  json = {{"files", std::move(files)},
          {"allow", std::move(request.settings.allow)},
          {"release", std::move(request.settings.release)}};
}
void kernelscope::from_json(const Json &json, CheckRequest &request) {
  for (const Json &entry : json.at("files")) {
    CheckRequest::File &file = request.files.emplace_back();
    entry.at("path").get_to(file.path);
    entry.at("text").get_to(file.text);
    entry.at("quarantine").get_to(file.quarantine);
  }
  json.at("allow").get_to(request.settings.allow);
  json.at("release").get_to(request.settings.release);
}
