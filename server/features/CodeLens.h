//===- CodeLens.h - what can be done with a kernel -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_CODELENS_H
#define KERNELSCOPE_SERVER_FEATURES_CODELENS_H

#include "passes/emit/Emit.h"
#include "server/analysis/Document.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

struct CodeLens {
  Span span;         ///< The kernel's name.
  std::string title; ///< "PTX", "AMDGCN", "Run"
  /// What to preview; nothing: to run the kernel.
  std::optional<Emit> preview;
  std::string kernel; ///< The function's name, without `@`.
};

/// On each public `tt.func` a lens for the assembly of each vendor, and one to
/// run it.
std::vector<CodeLens> codeLenses(const Document &document);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_CODELENS_H
