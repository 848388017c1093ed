//===- CodeActions.h - fixes that an editor can offer --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_CODEACTIONS_H
#define KERNELSCOPE_SERVER_FEATURES_CODEACTIONS_H

#include "server/analysis/Document.h"

#include <string>
#include <vector>

namespace kernelscope {

struct CodeAction {
  std::string title;
  std::vector<TextEdit> edits;
  std::vector<Diagnostic> diagnostics; ///< What it mends.
};

/// The quick fixes of the diagnostics that meet `span`.
std::vector<CodeAction> codeActions(const Document &document, Span span);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_CODEACTIONS_H
