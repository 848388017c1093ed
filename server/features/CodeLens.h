//===- CodeLens.h - what can be done with a kernel -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_CODELENS_H
#define KERNELSCOPE_SERVER_FEATURES_CODELENS_H

#include "server/analysis/Document.h"

#include <string>
#include <vector>

namespace kernelscope {

enum class LensAction { PreviewPTX, PreviewAMDGCN, Run };

struct CodeLens {
  Span span;         ///< The kernel's name.
  std::string title; ///< "PTX", "AMDGCN", "Run"
  LensAction action = LensAction::PreviewPTX;
  std::string kernel; ///< The function's name, without `@`.
};

/// One lens of each action on each public `tt.func`.
std::vector<CodeLens> codeLenses(const Document &document);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_CODELENS_H
