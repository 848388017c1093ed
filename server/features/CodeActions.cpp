//===- CodeActions.cpp - fixes that an editor can offer -------------------===//

#include "server/features/CodeActions.h"

using namespace kernelscope;

std::vector<CodeAction> kernelscope::codeActions(const Document &document,
                                                 Span span) {
  std::vector<CodeAction> actions;
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    bool meets =
        diagnostic.span.begin <= span.end && span.begin <= diagnostic.span.end;
    if (!meets)
      continue;
    for (const QuickFix &fix : diagnostic.fixes)
      actions.push_back({fix.title, fix.edits, {diagnostic}});
  }
  return actions;
}
