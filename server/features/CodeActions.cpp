//===- CodeActions.cpp - fixes that an editor can offer -------------------===//

#include "server/features/CodeActions.h"

#include "passes/lint/Lint.h"

#include "server/analysis/spellings/Spellings.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

static bool isSpelling(const Diagnostic &diagnostic) {
  return (diagnostic.code == "older-spelling" ||
          diagnostic.code == "newer-spelling") &&
         !diagnostic.fixes.empty();
}

static bool meets(Span a, Span b) {
  return a.begin <= b.end && b.begin <= a.end;
}

/// Everything in the spelling of the file's release, or today's if nothing
/// shows it; without edits if everything is already.
static CodeAction respellAll(const Document &document) {
  CodeAction action;
  action.kind = "source.fixAll.kernelscope";
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    if (!isSpelling(diagnostic))
      continue;
    llvm::append_range(action.edits, diagnostic.fixes.front().edits);
    action.diagnostics.push_back(diagnostic);
  }
  if (action.diagnostics.empty())
    return action;
  std::optional<Release> release = document.release();
  action.edits = release ? document.editsFor(*release)
                         : withoutOverlaps(std::move(action.edits));
  action.title = release
                     ? "Rewrite this file for Triton " + release->str()
                     : std::string("Rewrite all older spellings in this file");
  return action;
}

/// The fix of one hint in the spelling of the file's release: those of all the
/// edits that change what the hint's own would.
static QuickFix fixFor(const Diagnostic &hint, const Document &document,
                       const CodeAction &all) {
  std::optional<Release> release = document.release();
  QuickFix fix = hint.fixes.front();
  if (!release)
    return fix;
  QuickFix own{"Rewrite for Triton " + release->str(), {}, false};
  for (const TextEdit &edit : all.edits)
    if (meets(edit.span, hint.span) ||
        llvm::any_of(fix.edits, [&](const TextEdit &other) {
          return meets(edit.span, other.span);
        }))
      own.edits.push_back(edit);
  return own;
}

std::vector<CodeAction> kernelscope::rewriteActions(const Document &document) {
  std::vector<CodeAction> actions;
  for (Release release = newestRelease; release >= oldestRelease;
       --release.minor)
    actions.push_back({"Rewrite for Triton " + release.str(),
                       "source.rewriteFor.kernelscope." + release.str(),
                       document.editsFor(release),
                       {}});
  return actions;
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

/// A comment before the line that turns a warning off there.
static CodeAction suppress(const Diagnostic &warning,
                           const Document &document) {
  const Text &text = document.text();
  llvm::StringRef content = text.str();
  size_t begin = text.lineSpan(text.lineAt(warning.span.begin)).begin;
  size_t indent = content.substr(begin).find_first_not_of(" \t");
  return {"Suppress " + warning.code + " here",
          "quickfix",
          {{{begin, begin},
            (content.substr(begin, indent) + "// kernelscope: allow(" +
             warning.code + ")\n")
                .str()}},
          {warning}};
}

std::vector<CodeAction> kernelscope::codeActions(const Document &document,
                                                 Span span) {
  std::vector<CodeAction> actions;
  CodeAction all = respellAll(document);
  bool isOlder = false;
  // Each costs an analysis; a request for a whole file is about other actions.
  int checksLeft = 4;
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    if (!meets(diagnostic.span, span))
      continue;
    if (isSpelling(diagnostic)) {
      isOlder = true;
      QuickFix fix = fixFor(diagnostic, document, all);
      actions.push_back({fix.title, "quickfix", fix.edits, {diagnostic}});
      continue;
    }
    for (const QuickFix &fix : diagnostic.fixes)
      if (!fix.isToBeChecked || (checksLeft-- > 0 && mends(fix, document)))
        actions.push_back({fix.title, "quickfix", fix.edits, {diagnostic}});
    if (isLint(diagnostic.code) && diagnostic.severity != Severity::Error)
      actions.push_back(suppress(diagnostic, document));
  }
  if (isOlder && all.diagnostics.size() > 1) {
    actions.push_back(all);
    actions.back().kind = "quickfix";
  }
  if (!all.edits.empty())
    actions.push_back(std::move(all));
  return actions;
}
