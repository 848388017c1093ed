//===- SourceLines.cpp - which Python each line of the IR is of -----------===//

#include "server/features/SourceLines.h"

#include "server/analysis/Origins.h"
#include "server/analysis/ParseMessages.h"
#include "server/analysis/Unit.h"

#include <algorithm>

using namespace kernelscope;

std::vector<SourceLine> kernelscope::sourceLines(const Document &document) {
  std::vector<SourceLine> lines;
  for (const Unit &unit : document.units()) {
    if (unit.statement == noSyntax || !unit.fragment->isParsed)
      continue;
    Origins origins(*unit.fragment, document.syntax());
    for (const auto &definition : unit.ops()) {
      Span name = unit.toDocument(definition.loc);
      auto origin = origins.of(definition.op, name.begin);
      if (!origin || !unit.span.contains(name))
        continue;
      std::vector<SourcePlace> places = sourcePlaces(*origin);
      if (!places.empty())
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
