//===- LayoutSnippet.h - what completion types for a layout -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_LAYOUTSNIPPET_H
#define KERNELSCOPE_SERVER_FEATURES_LAYOUTSNIPPET_H

#include "dialects/Dialects.h"

#include <string>

namespace kernelscope {

/// Whether an attribute of this name, as `ttg.blocked`, can be the layout of a
/// tensor or a buffer.
bool isLayout(llvm::StringRef name);
/// Whether it is one of memory, or the memory itself.
bool isOfMemory(llvm::StringRef name);

/// `#ttg.blocked<{sizePerThread = [${1:1}], ...}>`, the name alone if it has no
/// parameters.
std::string snippetOfLayout(const Doc &doc);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_LAYOUTSNIPPET_H
