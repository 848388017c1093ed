//===- DiagnosticCollector.cpp - all that is wrong with a text ------------===//

#include "server/analysis/DiagnosticCollector.h"

#include "server/analysis/Allowed.h"
#include "server/analysis/AttributeErrors.h"
#include "server/analysis/LayoutErrors.h"
#include "server/analysis/LintReport.h"
#include "server/analysis/NearMisses.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"
#include "server/analysis/spellings/Spellings.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace kernelscope;

bool kernelscope::hasAllBraces(const Syntax &syntax) {
  return syntax.strayBraces().empty() &&
         llvm::all_of(syntax.regions(), [](const Region &region) {
           return region.owner == noSyntax ||
                  (region.isOpened && region.isClosed);
         });
}

/// Of one chunk: `}` that are missing go to `missing`, and `{` that are missing
/// and stray `}` to `braces`.
static void checkBraces(const Syntax &syntax, Span chunk,
                        std::vector<Diagnostic> &missing,
                        std::vector<Diagnostic> &braces) {
  auto add = [](std::vector<Diagnostic> &list, Span span,
                const char *message) -> Diagnostic & {
    Diagnostic diagnostic;
    diagnostic.span = span;
    diagnostic.code = "syntax";
    diagnostic.message = message;
    return list.emplace_back(std::move(diagnostic));
  };
  auto tokenBefore = [&](size_t offset) {
    return syntax.tokens()[syntax.tokenAfter(offset - 1)].span();
  };
  for (const Region &region : syntax.regions()) {
    if (!chunk.contains(region.body) || region.owner == noSyntax)
      continue;
    if (!region.isOpened)
      add(braces, tokenBefore(region.body.begin), "expected '{' after this");
    if (!region.isClosed)
      add(missing, tokenBefore(region.body.end), "expected '}' after this")
          .related.push_back({Span{region.openBrace(), region.body.begin},
                              std::nullopt,
                              "to close the region that starts here"});
  }
  for (SyntaxId id : syntax.strayBraces())
    if (Span span = syntax.statement(id).span; chunk.contains(span))
      add(braces, span, "this '}' has no matching '{'");
}

/// A diagnostic of a unit as one of the document.
static Diagnostic inDocument(Diagnostic diagnostic, const Unit &unit) {
  diagnostic.span = unit.toDocument(diagnostic.span);
  // What was parsed together with the unit need not be near it any more.
  llvm::erase_if(diagnostic.related, [&](const RelatedInformation &related) {
    return related.span && !unit.has(related.span->begin);
  });
  for (RelatedInformation &related : diagnostic.related)
    if (related.span)
      related.span = unit.toDocument(*related.span);
  for (QuickFix &fix : diagnostic.fixes)
    for (TextEdit &edit : fix.edits)
      edit.span = unit.toDocument(edit.span);
  return diagnostic;
}

/// Leaves of the hints about spelling those that are not of the file's release.
static void speakForRelease(std::vector<Diagnostic> &all,
                            const Document &document, const Evidence &evidence,
                            mlir::MLIRContext &context) {
  std::optional<Release> release = document.release();
  if (!release)
    return;
  llvm::erase_if(all, [&](const Diagnostic &diagnostic) {
    return diagnostic.lastRelease >= release->minor;
  });
  if (evidence.hasNewerThan(*release))
    llvm::append_range(all, findNewer(document.syntax(), *release, context));
}

std::vector<Diagnostic> kernelscope::collectDiagnostics(
    const Document &document, std::vector<Diagnostic> found,
    const Evidence &evidence, const ClientSettings &settings,
    mlir::MLIRContext &context) {
  const Syntax &syntax = document.syntax();
  std::vector<Diagnostic> &all = found, braces;
  if (!hasAllBraces(syntax))
    for (SyntaxId root : syntax.chunks())
      checkBraces(syntax, syntax.region(root).body, all, braces);
  for (const Unit &unit : document.units())
    for (const Diagnostic &diagnostic : unit.facts->diagnostics) {
      all.push_back(inDocument(diagnostic, unit));
      suggestFunction(all.back(), syntax);
      tellAtAttribute(all.back(), syntax, context);
    }
  tellAtAliases(all);
  speakForRelease(all, document, evidence, context);
  // A lost string may have taken a brace with it: only the first thing that
  // is wrong counts.
  size_t firstError = document.text().size() + 1;
  for (const Diagnostic &other : all)
    if (other.code == "syntax")
      firstError = std::min(firstError, other.span.begin);
  for (Diagnostic &brace : braces)
    if (brace.span.begin < firstError) {
      firstError = brace.span.begin;
      all.push_back(std::move(brace));
    }
  for (Diagnostic &diagnostic : all)
    settleHint(diagnostic, document.path());
  auto place = [](const Diagnostic &d) {
    return std::tie(d.span.begin, d.span.end, d.message);
  };
  llvm::sort(all, [&](const Diagnostic &a, const Diagnostic &b) {
    return place(a) < place(b);
  });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const Diagnostic &a, const Diagnostic &b) {
                          return place(a) == place(b);
                        }),
            all.end());
  Allowed allowed(document.text(), syntax, settings.allow);
  llvm::erase_if(all, [&](const Diagnostic &diagnostic) {
    return allowed.allows(diagnostic);
  });
  return std::move(all);
}
