//===- TritonMetadata.cpp - the options that Triton compiled with ---------===//

#include "server/jobs/TritonMetadata.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace kernelscope;

namespace {

/// The object beside `path`; null if there is none that Triton wrote for AMD.
Json metadataBeside(const std::string &path) {
  llvm::SmallString<128> beside(path);
  llvm::sys::path::replace_extension(beside, "json");
  auto file = llvm::MemoryBuffer::getFile(beside, /*IsText=*/true);
  if (path.empty() || !file)
    return nullptr;
  Json json = Json::parse((*file)->getBuffer(), nullptr,
                          /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("triton_version"))
    return nullptr;
  auto target = json.find("target");
  if (target == json.end() || !target->is_object() ||
      target->value("backend", Json()) != "hip")
    return nullptr;
  return json;
}

template <typename Number>
void fill(std::optional<Number> &option, const Json &json, const char *key) {
  auto it = json.find(key);
  if (option || it == json.end())
    return;
  if constexpr (std::is_same_v<Number, bool>) {
    if (it->is_boolean())
      option = it->get<bool>();
  } else if (it->is_number_unsigned() && *it > 0) {
    option = it->get<Number>();
  }
}

/// `llvm_fn_attrs` as Triton's option takes it: a list of pairs becomes
/// "name=value,name".
std::string attributesOf(const Json &json) {
  auto list = json.find("llvm_fn_attrs");
  std::string text;
  if (list == json.end() || !list->is_array())
    return text;
  for (const Json &pair : *list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() ||
        !pair[1].is_string())
      continue;
    text += (text.empty() ? "" : ",") + pair[0].get<std::string>();
    if (pair[1] != "")
      text += "=" + pair[1].get<std::string>();
  }
  return text;
}

} // namespace

void kernelscope::addTritonMetadata(CompileRequest &request, bool isTtir) {
  Json json = metadataBeside(request.path);
  if (json.is_null())
    return;
  if (isTtir) {
    fill(request.warps, json, "num_warps");
    fill(request.ctas, json, "num_ctas");
    fill(request.stages, json, "num_stages");
  }
  fill(request.enableFpFusion, json, "enable_fp_fusion");
  fill(request.wavesPerEu, json, "waves_per_eu");
  fill(request.allowFlushDenorm, json, "allow_flush_denorm");
  if (auto mode = json.find("wgp_cu_mode");
      request.wgpCuMode.empty() && mode != json.end() && mode->is_string())
    request.wgpCuMode = *mode;
  if (request.llvmFnAttrs.empty())
    request.llvmFnAttrs = attributesOf(json);
}
