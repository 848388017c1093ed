//===- Definition.cpp - where a name is defined ---------------------------===//

#include "server/features/Definition.h"

#include "server/features/Name.h"

using namespace kernelscope;

std::optional<Definition> kernelscope::definition(const Document &document,
                                                  size_t offset) {
  std::optional<Name> name = nameAt(document, offset);
  if (!name || !name->definition)
    return std::nullopt;
  return Definition{name->origin, *name->definition};
}
