//===- LintReport.h - what lints find, told in the text ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_LINTREPORT_H
#define KERNELSCOPE_SERVER_ANALYSIS_LINTREPORT_H

#include "passes/lint/Lint.h"
#include "server/analysis/Origins.h"
#include "server/analysis/Unit.h"

namespace kernelscope {

/// Where the document has what a fragment was parsed from.
struct FragmentPlaces {
  const Fragment &fragment;
  /// Null while the fragment is built: its offsets are then the document's.
  const Unit *unit = nullptr;

  Span span(mlir::SMRange range) const {
    return unit ? unit->toDocument(range) : fragment.span(range);
  }
};

/// What an editor shows of `finding`, whose ops are at `placeOf`. The edit that
/// mends it is in what `places` are of, of the document with `syntax`, and so
/// are `origins`.
Diagnostic describeFinding(const LintFinding &finding,
                           llvm::function_ref<Span(mlir::Operation *)> placeOf,
                           const FragmentPlaces &places, const Syntax &syntax,
                           Origins &origins);

/// In what a stage of Triton's pipeline ends with (`.ttgir`), or Gluon begins
/// with (`.source`), no pass comes that mends what a lint has only hinted at:
/// it becomes an error. `path` is the document's.
void settleHint(Diagnostic &diagnostic, llvm::StringRef path);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_LINTREPORT_H
