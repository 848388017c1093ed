//===- CodeActions.h - fixes that an editor can offer --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_CODEACTIONS_H
#define KERNELSCOPE_SERVER_FEATURES_CODEACTIONS_H

#include "server/analysis/Document.h"

#include <string>
#include <vector>

namespace kernelscope {

struct CodeAction {
  std::string title;
  std::string kind; ///< LSP's: `quickfix`, `source.fixAll.kernelscope`.

  std::vector<TextEdit> edits;
  std::vector<Diagnostic> diagnostics; ///< What it mends.
};

/// The quick fixes of the diagnostics that meet `span`. Where one of them is an
/// older spelling, also the fix of all of them; and that one as a source action
/// wherever the document has any.
std::vector<CodeAction> codeActions(const Document &document, Span span);

/// For each release of Triton, the newest first, what makes of the text one of
/// it: `source.rewriteFor.kernelscope.3.6`. Without edits where it is one.
std::vector<CodeAction> rewriteActions(const Document &document);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_CODEACTIONS_H
