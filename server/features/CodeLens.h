//===- CodeLens.h - what can be done with a kernel -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_CODELENS_H
#define KERNELSCOPE_SERVER_FEATURES_CODELENS_H

#include "passes/emit/Emit.h"
#include "server/analysis/Document.h"
#include "server/analysis/EmittedCode.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

struct CodeLens {
  enum Action { Preview, Run, ShowEmitted };
  Span span;         ///< The kernel's name.
  std::string title; ///< "PTX", "AMDGCN", "Run", ...
  Action action = Run;
  std::optional<Emit> preview; ///< What to preview.
  std::string kernel;          ///< The function's name, without `@`.
};

/// On each public `tt.func` a lens for the assembly of each vendor, one to
/// run it, and one that shows and hides what the compiler does: of `emitted`,
/// what the kernel takes of the chip. A lens whose compilation for the first
/// suitable one of `archs` would fail says why (PreviewGaps.h).
std::vector<CodeLens> codeLenses(const Document &document,
                                 const std::vector<std::string> &archs,
                                 const EmittedCode *emitted = nullptr);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_CODELENS_H
