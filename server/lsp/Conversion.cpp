//===- Conversion.cpp - what the features' results have in common ---------===//

#include "server/lsp/Conversion.h"

#include "passes/lint/Lint.h"

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

std::string kernelscope::rulePage(const std::string &code) {
  std::string docs =
      "https://github.com/kernelscope/kernelscope/blob/main/docs/";
  // It has a section for each lint, named for its code.
  if (isLint(code))
    return docs + "rules.md#" + code;
  return code.ends_with("-spelling") ? docs + "spellings.md" : "";
}

Json Conversion::diagnostic(const Diagnostic &from) const {
  Json related = Json::array();
  for (const RelatedInformation &information : from.related) {
    std::string message = information.message;
    Json place = location(information.span.value_or(from.span));
    if (const std::optional<SourcePlace> &source = information.source) {
      size_t line = source->line ? source->line - 1 : 0;
      size_t column = source->column ? source->column - 1 : 0;
      Position position{line, column};
      if (source->file.starts_with('/'))
        place = {{"uri", uriOf(source->file)},
                 {"range", toJson(Range{position, position})}};
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
