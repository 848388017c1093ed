//===- OriginText.cpp - where code comes from, in words -------------------===//

#include "server/features/OriginText.h"

#include "server/analysis/Origins.h"
#include "server/analysis/ParseMessages.h"

#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;

std::string kernelscope::describePlaces(const std::vector<SourcePlace> &places,
                                        SourceFiles *sources) {
  std::string text;
  for (const SourcePlace &place : places) {
    std::string name = "`" + place.file + ":" + std::to_string(place.line) +
                       ":" + std::to_string(place.column) + "`";
    std::string link = sources ? sources->link(place) : "";
    text += text.empty() ? "\nfrom " : ", called from ";
    text += link.empty() ? name : llvm::formatv("[{0}]({1})", name, link).str();
  }
  return text.empty() ? text : text + "\n";
}

std::string kernelscope::describeOrigin(const Document &document,
                                        const Unit &unit, mlir::Operation *op,
                                        SourceFiles *sources) {
  const auto *definition = unit.definitionOf(op);
  if (!definition)
    return "";
  Origins origins(*unit.fragment, document.syntax());
  auto origin = origins.of(op, unit.toDocument(definition->loc).begin);
  return origin ? describePlaces(sourcePlaces(*origin), sources) : "";
}
