//===- References.h - all places that use a name -------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_REFERENCES_H
#define KERNELSCOPE_SERVER_FEATURES_REFERENCES_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

/// The places that name the value, block, symbol or alias at `offset`, in the
/// order of the text.
std::vector<Span> references(const Document &document, size_t offset,
                             bool includeDefinition);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_REFERENCES_H
