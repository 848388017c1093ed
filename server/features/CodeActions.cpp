//===- CodeActions.cpp - fixes that an editor can offer -------------------===//

#include "server/features/CodeActions.h"

#include "server/analysis/spellings/Spellings.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

static bool isOlderSpelling(const Diagnostic &diagnostic) {
  return diagnostic.code == "older-spelling" && !diagnostic.fixes.empty();
}

/// Everything in today's spelling; without edits if all is.
static CodeAction respellAll(const Document &document) {
  CodeAction action;
  action.kind = "source.fixAll.kernelscope";
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    if (!isOlderSpelling(diagnostic))
      continue;
    llvm::append_range(action.edits, diagnostic.fixes.front().edits);
    action.diagnostics.push_back(diagnostic);
  }
  action.edits = withoutOverlaps(std::move(action.edits));
  action.title = "Rewrite all older spellings in this file";
  return action;
}

/// The text of `document` with `edits` made, which do not overlap.
static std::string withEdits(const Document &document,
                             std::vector<TextEdit> edits) {
  std::string text(document.text().str());
  llvm::sort(edits, [](const TextEdit &a, const TextEdit &b) {
    return a.span.begin > b.span.begin;
  });
  for (const TextEdit &edit : edits)
    text.replace(edit.span.begin, edit.span.size(), edit.newText);
  return text;
}

/// Whether fewer rules are broken with `fix` than without it, and none of a
/// worse kind.
static bool mends(const QuickFix &fix, const Document &document) {
  auto count = [](const Document &some, Severity worst) {
    return llvm::count_if(some.diagnostics(), [&](const Diagnostic &found) {
      return found.severity <= worst;
    });
  };
  std::shared_ptr<const Document> changed =
      analyze(Text(withEdits(document, fix.edits)), document.path());
  return count(*changed, Severity::Error) <= count(document, Severity::Error) &&
         count(*changed, Severity::Warning) <=
             count(document, Severity::Warning) &&
         count(*changed, Severity::Hint) < count(document, Severity::Hint);
}

std::vector<CodeAction> kernelscope::codeActions(const Document &document,
                                                 Span span) {
  std::vector<CodeAction> actions;
  bool isOlder = false;
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    bool meets =
        diagnostic.span.begin <= span.end && span.begin <= diagnostic.span.end;
    if (!meets)
      continue;
    isOlder |= isOlderSpelling(diagnostic);
    for (const QuickFix &fix : diagnostic.fixes)
      if (!fix.isToBeChecked || mends(fix, document))
        actions.push_back({fix.title, "quickfix", fix.edits, {diagnostic}});
  }
  CodeAction all = respellAll(document);
  if (isOlder && all.diagnostics.size() > 1) {
    actions.push_back(all);
    actions.back().kind = "quickfix";
  }
  if (!all.edits.empty())
    actions.push_back(std::move(all));
  return actions;
}
