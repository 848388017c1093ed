//===- LintFixes.h - edits of the text that mend what lints find -*- C++ -*-==//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_LINTFIXES_H
#define KERNELSCOPE_SERVER_ANALYSIS_LINTFIXES_H

#include "server/analysis/LintReport.h"

namespace kernelscope {

/// What an editor can offer for `fix`, in offsets of the document; nothing
/// where the text does not show what must change. `syntax` is that of the
/// document.
std::optional<QuickFix> writeFix(const LintFix &fix,
                                 const FragmentPlaces &places,
                                 const Syntax &syntax);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_LINTFIXES_H
