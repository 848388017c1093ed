//===- Hover.h - what an editor shows under the mouse --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_HOVER_H
#define KERNELSCOPE_SERVER_FEATURES_HOVER_H

#include "server/analysis/EmittedCode.h"
#include "server/features/SourceFiles.h"

#include <optional>
#include <string>

namespace kernelscope {

struct Hover {
  Span span;            ///< The word that the text is about.
  std::string markdown; ///< GitHub-flavoured; code blocks are tagged `mlir`.
};

/// Of an op: its documentation and the types of its operands and results. Of a
/// value: its type and where it comes from. Of an alias: what it stands for. Of
/// a layout: what it says about the tensor. Nothing on white space and
/// punctuation.
/// With `sources`, the Python lines that an op comes from are links; of
/// `emitted`, the instructions that an op became.
std::optional<Hover> hover(const Document &document, size_t offset,
                           SourceFiles *sources = nullptr,
                           const EmittedCode *emitted = nullptr);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_HOVER_H
