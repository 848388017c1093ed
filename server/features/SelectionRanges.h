//===- SelectionRanges.h - what a growing selection holds -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_SELECTIONRANGES_H
#define KERNELSCOPE_SERVER_FEATURES_SELECTIONRANGES_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

/// The spans around `offset`, each inside the next: the word, what is in its
/// brackets, the brackets with what is before them (`tensor<...>`), the line of
/// the op, the op with its regions, what is in the region around it, and so on.
std::vector<Span> selectionRanges(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SELECTIONRANGES_H
