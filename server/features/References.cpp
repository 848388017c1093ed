//===- References.cpp - all places that use a name ------------------------===//

#include "server/features/References.h"

#include "server/features/Name.h"

#include <algorithm>

using namespace kernelscope;

std::vector<Span> kernelscope::references(const Document &document,
                                          size_t offset,
                                          bool includeDefinition) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name)
    return {};
  std::vector<Span> spans = std::move(name->uses);
  if (includeDefinition && name->definition) {
    auto place = std::find_if(spans.begin(), spans.end(), [&](Span use) {
      return use.begin > name->definition->begin;
    });
    spans.insert(place, *name->definition);
  }
  return spans;
}
