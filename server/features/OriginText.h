//===- OriginText.h - where code comes from, in words -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_ORIGINTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_ORIGINTEXT_H

#include "server/analysis/Document.h"
#include "server/features/SourceFiles.h"

#include <string>
#include <vector>

namespace kernelscope {

/// "from `a.py:1:2`, called from `b.py:3:4`", each a link if `sources` finds
/// the file; empty without places. `sources` may be null.
std::string describePlaces(const std::vector<SourcePlace> &places,
                           SourceFiles *sources);

/// The same of the places in source files that `op` is of.
std::string describeOrigin(const Document &document, const Unit &unit,
                           mlir::Operation *op, SourceFiles *sources);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_ORIGINTEXT_H
