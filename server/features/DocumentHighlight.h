//===- DocumentHighlight.h - the uses of a name, for colour --*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_DOCUMENTHIGHLIGHT_H
#define KERNELSCOPE_SERVER_FEATURES_DOCUMENTHIGHLIGHT_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

struct DocumentHighlight {
  Span span;
  bool isWrite = false; ///< The definition; all others are reads.
};

std::vector<DocumentHighlight> documentHighlight(const Document &document,
                                                 size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_DOCUMENTHIGHLIGHT_H
