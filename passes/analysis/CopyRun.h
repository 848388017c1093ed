//===- CopyRun.h - copies into rings, one iteration after another *- C++
//-*-===//
//
// Which buffer of a ring is copied into and which is read depends on integers
// that loops carry. So a function is run, as far as its copies, their groups
// and the waits for them go.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_COPYRUN_H
#define KERNELSCOPE_PASSES_ANALYSIS_COPYRUN_H

#include "passes/analysis/AsyncEvents.h"
#include "passes/analysis/AsyncFlow.h"

namespace kernelscope {

/// The first load of a buffer that a copy may still write, of those of which
/// the place in a ring is known. Nothing where there is none, or where a branch
/// that is not known decides over copies or waits. `events` are the function's.
std::optional<EarlyLoad> runCopies(mlir::Operation *function,
                                   AsyncEvents &events);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_COPYRUN_H
