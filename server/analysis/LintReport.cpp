//===- LintReport.cpp - what lints find, told in the text -----------------===//

#include "server/analysis/LintReport.h"

#include "server/analysis/LintFixes.h"
#include "server/analysis/ParseMessages.h"

using namespace kernelscope;

static Severity severityAt(LintLevel level) {
  switch (level) {
  case LintLevel::Hint:
    return Severity::Hint;
  case LintLevel::Warning:
    return Severity::Warning;
  case LintLevel::Error:
    return Severity::Error;
  }
  return Severity::Warning;
}

Diagnostic kernelscope::describeFinding(
    const LintFinding &finding,
    llvm::function_ref<Span(mlir::Operation *)> placeOf,
    const FragmentPlaces &places, const Syntax &syntax, Origins &origins) {
  Diagnostic diagnostic;
  diagnostic.span = placeOf(finding.op);
  diagnostic.severity = severityAt(finding.level);
  diagnostic.code = finding.code.str();
  diagnostic.message =
      ("'" + finding.op->getName().getStringRef() + "' " + finding.message)
          .str();
  if (finding.other)
    diagnostic.related.push_back(
        {placeOf(finding.other), std::nullopt, finding.note});
  if (finding.fix)
    if (std::optional<QuickFix> fix = writeFix(*finding.fix, places, syntax))
      diagnostic.fixes.push_back(std::move(*fix));
  if (auto origin = origins.of(finding.op, diagnostic.span.begin))
    addSourcePlaces(diagnostic, *origin);
  return diagnostic;
}

void kernelscope::settleHint(Diagnostic &diagnostic, llvm::StringRef path) {
  llvm::StringRef message = diagnostic.message;
  if (diagnostic.severity != Severity::Hint || !isLint(diagnostic.code) ||
      !(path.ends_with(".ttgir") || path.ends_with(".source")) ||
      !message.consume_back(laterPass))
    return;
  diagnostic.message = message.str();
  diagnostic.severity = Severity::Error;
}
