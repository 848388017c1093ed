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
    for (const auto &definition : unit.ops()) {
      std::vector<SourcePlace> places =
          sourcePlaces(unit.fragment->origins.at(definition.op));
      if (places.empty())
        continue;
      Span name = unit.toDocument(definition.loc);
      if (unit.span.contains(name))
        lines.push_back({name.begin, std::move(places)});
    }
  }
  // The parser has inner ops before outer ones.
  std::sort(lines.begin(), lines.end(),
            [](const SourceLine &a, const SourceLine &b) {
              return a.offset < b.offset;
            });
  return lines;
}
