//===- EditErrors.h - the parse errors of an edited op ----------*- C++ -*-===//
//
// An op that is being typed cannot be parsed until its end. What the parser
// says of it, it says without the rest of the function, too.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_EDITERRORS_H
#define KERNELSCOPE_SERVER_ANALYSIS_EDITERRORS_H

#include "server/analysis/Culprit.h"
#include "server/analysis/Reparse.h"

namespace kernelscope {

/// The errors that a parse of `patched`, the text of `request`, would report:
/// those of the edited ops, if the parser took all others of `earlier`. Nothing
/// if these have no errors, or some that may be due to other ops. `earlier` is
/// left alone.
std::optional<FailedParse> findErrors(const EarlierUnit &earlier,
                                      const Syntax &syntax,
                                      const FragmentRequest &request,
                                      const PatchedText &patched);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_EDITERRORS_H
