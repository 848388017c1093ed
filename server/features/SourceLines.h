//===- SourceLines.h - which Python each line of the IR is of ---*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_SOURCELINES_H
#define KERNELSCOPE_SERVER_FEATURES_SOURCELINES_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

/// An op, and where in source files it comes from.
struct SourceLine {
  size_t offset = 0;               ///< Of its first result or its name.
  std::vector<SourcePlace> places; ///< The innermost call first.
};

/// Of each op with a place, in the order of the text.
std::vector<SourceLine> sourceLines(const Document &document);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SOURCELINES_H
