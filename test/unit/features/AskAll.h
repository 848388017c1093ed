//===- AskAll.h - every feature, asked about one place ----------*- C++ -*-===//
//
// For texts of which nobody wrote down the answers: nothing may crash, and
// whatever range is answered has to lie in the text.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_TEST_UNIT_FEATURES_ASKALL_H
#define KERNELSCOPE_TEST_UNIT_FEATURES_ASKALL_H

#include "server/analysis/Document.h"
#include "server/features/CallHierarchy.h"
#include "server/features/CodeActions.h"
#include "server/features/CodeLens.h"
#include "server/features/Completion.h"
#include "server/features/Definition.h"
#include "server/features/DocumentHighlight.h"
#include "server/features/DocumentSymbols.h"
#include "server/features/FoldingRanges.h"
#include "server/features/Formatting.h"
#include "server/features/Hover.h"
#include "server/features/InlayHints.h"
#include "server/features/LayoutView.h"
#include "server/features/LinkedEditing.h"
#include "server/features/Refactorings.h"
#include "server/features/References.h"
#include "server/features/Rename.h"
#include "server/features/SelectionRanges.h"
#include "server/features/SemanticTokens.h"
#include "server/features/SignatureHelp.h"
#include "server/features/SourceFiles.h"
#include "server/features/SourceLines.h"

#include <string>
#include <vector>

namespace kernelscope {

/// Collects the features whose answers have a range beyond the text.
class RangeCheck {
public:
  explicit RangeCheck(const Document &document)
      : size(document.text().size()) {}

  void operator()(const char *feature, Span span) {
    if (span.begin > span.end || span.end > size)
      faults += std::string(feature) + ": " + std::to_string(span.begin) +
                " to " + std::to_string(span.end) + " of " +
                std::to_string(size) + "\n";
  }
  void operator()(const char *feature, const std::vector<TextEdit> &edits) {
    for (const TextEdit &edit : edits)
      (*this)(feature, edit.span);
  }
  void operator()(const char *feature, const std::vector<CodeAction> &actions) {
    for (const CodeAction &action : actions)
      (*this)(feature, action.edits);
  }
  void operator()(const char *feature, const std::vector<Span> &spans) {
    for (Span span : spans)
      (*this)(feature, span);
  }

  std::string faults; ///< A line each.

private:
  size_t size;
};

/// Asks the features that are about a place; returns the answers' faults.
inline std::string askAt(const Document &document, size_t offset) {
  RangeCheck check(document);
  if (auto answer = hover(document, offset))
    check("hover", answer->span);
  if (auto answer = definition(document, offset)) {
    check("definition", answer->origin);
    check("definition", answer->target);
  }
  check("references", references(document, offset, /*includeDefinition=*/true));
  completion(document, offset);
  signatureHelp(document, offset);
  for (const DocumentHighlight &highlight : documentHighlight(document, offset))
    check("highlight", highlight.span);
  functionAt(document, offset);
  callersOf(document, offset);
  calleesOf(document, offset);
  if (auto link = sourceLinkAt(document, offset))
    check("source link", link->span);
  check("selection ranges", selectionRanges(document, offset));
  check("linked editing", linkedEditing(document, offset));
  check("format as typed", formatTyped(document, offset));
  check("rename", rename(document, offset, "renamed").edits);
  check("code actions", codeActions(document, {offset, offset}));
  check("refactorings", refactorings(document, {offset, offset}));
  if (auto view = layoutView(document, offset))
    check("layout", view->span);
  return check.faults;
}

/// Asks the features that are about the whole text; returns the answers'
/// faults.
inline std::string askWhole(const Document &document) {
  RangeCheck check(document);
  const Span all{0, document.text().size()};
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    check("diagnostics", diagnostic.span);
    // What stands in for what was taken out is nobody's concern.
    if ((diagnostic.message + diagnostic.code).find("kernelscope.") !=
        std::string::npos)
      check.faults += diagnostic.code + ": " + diagnostic.message + "\n";
  }
  documentSymbols(document);
  for (const FoldingRange &range : foldingRanges(document))
    check("folding", range.span);
  for (const CodeLens &lens : codeLenses(document, {}))
    check("lenses", lens.span);
  for (const SourceLink &link : sourceLinks(document))
    check("source links", link.span);
  sourceLines(document);
  check("format", format(document, all));
  check("rewrite", rewriteActions(document));
  removeUnused(document);
  semanticTokens(document, all);
  inlayHints(document, all);
  return check.faults;
}

} // namespace kernelscope

#endif // KERNELSCOPE_TEST_UNIT_FEATURES_ASKALL_H
