//===- InlayHints.h - what the text does not say -------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_INLAYHINTS_H
#define KERNELSCOPE_SERVER_FEATURES_INLAYHINTS_H

#include "server/analysis/Document.h"
#include "server/analysis/EmittedCode.h"

#include <string>
#include <vector>

namespace kernelscope {

struct InlayHint {
  size_t offset = 0; ///< The hint stands before this byte.
  std::string label;
  std::string tooltip; ///< Markdown; may be empty.
  /// What the label names, if it is a place in a source file.
  std::optional<SourcePlace> source = std::nullopt;
};

/// For each op with a `loc` the source line it came from, at the end of the
/// op's line, once for each run of ops of the same line. Beside each barrier
/// what arrives at it, and of `emitted` what each line became: at the end of
/// the line, or after the op's name where the line is long.
std::vector<InlayHint> inlayHints(const Document &document, Span span,
                                  const EmittedCode *emitted = nullptr);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_INLAYHINTS_H
