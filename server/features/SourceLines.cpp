//===- SourceLines.cpp - which Python each line of the IR is of -----------===//

#include "server/features/SourceLines.h"

#include "server/analysis/ParseMessages.h"
#include "server/analysis/Unit.h"

#include <algorithm>

using namespace kernelscope;

std::vector<SourceLine> kernelscope::sourceLines(const Document &document) {
  std::vector<SourceLine> lines;
  for (const Unit &unit : document.units()) {
    if (unit.statement == noSyntax || !unit.fragment->isParsed)
      continue;
    for (const auto &[op, location] : unit.fragment->origins) {
      const auto *definition = unit.fragment->state.getOpDef(op);
      std::vector<SourcePlace> places = sourcePlaces(location);
      if (!definition || places.empty())
        continue;
      Span name = unit.toDocument(definition->loc);
      if (unit.span.contains(name))
        lines.push_back({name.begin, std::move(places)});
    }
  }
  // The map of origins has no order.
  std::sort(lines.begin(), lines.end(),
            [](const SourceLine &a, const SourceLine &b) {
              return a.offset < b.offset;
            });
  return lines;
}
