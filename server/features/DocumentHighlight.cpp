//===- DocumentHighlight.cpp - the uses of a name, for colour -------------===//

#include "server/features/DocumentHighlight.h"

#include "server/features/Name.h"

using namespace kernelscope;

std::vector<DocumentHighlight>
kernelscope::documentHighlight(const Document &document, size_t offset) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name)
    return {};
  std::vector<DocumentHighlight> highlights;
  if (name->definition)
    highlights.push_back({*name->definition, true});
  for (Span use : name->uses)
    highlights.push_back({use, false});
  return highlights;
}
