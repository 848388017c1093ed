//===- Conversion.cpp - what the features' results have in common ---------===//

#include "server/lsp/Conversion.h"

#include "passes/lint/Lint.h"

#include <algorithm>

using namespace kernelscope;

static int protocolSeverity(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Information:
    return 3;
  case Severity::Hint:
    return 4;
  }
  __builtin_unreachable();
}

/// The section of docs/rules.md about the rules of an op, or of all of a
/// dialect.
static constexpr struct {
  llvm::StringLiteral op, section;
} sections[] = {
    {"amdg.arrive_barrier", "barriers"},
    {"amdg.async_copy_mbarrier_arrive", "barriers"},
    {"amdg.buffer_load_to_local", "direct-to-lds-copies"},
    {"amdg.init_barrier", "barriers"},
    {"amdg.wait_barrier", "barriers"},
    {"nvws.", "asynchronous-references"},
    {"ttg.async_copy_global_to_local", "direct-to-lds-copies"},
    {"ttng.arrive_barrier", "barriers"},
    {"ttng.async_shared_store", "stores-to-the-shared-memory-of-a-cluster"},
    {"ttng.async_tma_copy_global_to_local", "tma-and-barriers-across-ctas"},
    {"ttng.async_tma_gather", "tma-and-barriers-across-ctas"},
    {"ttng.barrier_expect", "barriers"},
    {"ttng.clc_try_cancel", "tma-and-barriers-across-ctas"},
    {"ttng.init_barrier", "barriers"},
    {"ttng.inval_barrier", "barriers"},
    {"ttng.tc_gen5_commit", "matrix-products-across-ctas"},
    {"ttng.tc_gen5_mma", "matrix-products-across-ctas"},
    {"ttng.tc_gen5_mma_scaled", "matrix-products-across-ctas"},
    {"ttng.wait_barrier", "barriers"},
};

std::string kernelscope::rulePage(const std::string &code) {
  std::string docs =
      "https://github.com/kernelscope/kernelscope/blob/main/docs/";
  // It has a section for each lint, named for its code.
  if (isLint(code))
    return docs + "rules.md#" + code;
  llvm::StringRef op = code;
  if (op.consume_front("verify."))
    for (const auto &[name, section] : sections)
      if (op == name || (name.ends_with(".") && op.starts_with(name)))
        return docs + "rules.md#" + section.str();
  return code.ends_with("-spelling") ? docs + "spellings.md" : "";
}

Json Conversion::location(const SourcePlace &place) const {
  std::string path = sources ? sources->find(place.file) : "";
  if (path.empty())
    return nullptr;
  Position position{std::max(place.line, 1u) - 1,
                    std::max(place.column, 1u) - 1};
  return {{"uri", uriOf(path)}, {"range", toJson(Range{position, position})}};
}

Json Conversion::diagnostic(const Diagnostic &from) const {
  Json related = Json::array();
  for (const RelatedInformation &information : from.related) {
    std::string message = information.message;
    Json place = location(information.span.value_or(from.span));
    if (const std::optional<SourcePlace> &source = information.source) {
      if (Json found = location(*source); !found.is_null())
        place = std::move(found);
      else
        message +=
            " (" + source->file + ":" + std::to_string(source->line) + ")";
    }
    related.push_back(
        {{"location", std::move(place)}, {"message", std::move(message)}});
  }
  Json result = {{"range", range(from.span)},
                 {"severity", protocolSeverity(from.severity)},
                 {"code", from.code},
                 {"source", "kernelscope"},
                 {"message", from.message}};
  if (std::string page = rulePage(from.code); !page.empty())
    result["codeDescription"] = {{"href", std::move(page)}};
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  return result;
}
