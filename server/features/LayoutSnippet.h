//===- LayoutSnippet.h - what completion types for a layout -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_LAYOUTSNIPPET_H
#define KERNELSCOPE_SERVER_FEATURES_LAYOUTSNIPPET_H

#include "dialects/Dialects.h"

#include <optional>
#include <string>

namespace kernelscope {

enum class LayoutKind {
  Distributed, ///< Of a tensor.
  Shared,      ///< Of a buffer in shared or tensor memory.
  Memory       ///< The memory that a buffer is in.
};

/// What an attribute of this name, as `ttg.blocked`, is as a layout; none if it
/// is no layout.
std::optional<LayoutKind> layoutKind(llvm::StringRef name);

/// `#ttg.blocked<{sizePerThread = [${1:1}], ...}>`, the name alone if it has no
/// parameters.
std::string snippetOfLayout(const Doc &doc);
/// The value that `text` begins with: up to the next comma, closing bracket or
/// end of the line that is not part of it.
llvm::StringRef leadingValue(llvm::StringRef text);
/// The value of `key` in that snippet; empty if it has no such key.
std::string exampleOfKey(const Doc &doc, llvm::StringRef key);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_LAYOUTSNIPPET_H
