//===- Definition.h - where a name is defined ----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_DEFINITION_H
#define KERNELSCOPE_SERVER_FEATURES_DEFINITION_H

#include "server/analysis/Document.h"

#include <optional>

namespace kernelscope {

struct Definition {
  Span origin; ///< The name that was asked about.
  Span target; ///< The name where it is defined.
};

/// The definition of the value, block, symbol or alias at `offset`.
std::optional<Definition> definition(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_DEFINITION_H
