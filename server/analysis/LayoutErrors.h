//===- LayoutErrors.h - errors that many ops have of one layout -*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_LAYOUTERRORS_H
#define KERNELSCOPE_SERVER_ANALYSIS_LAYOUTERRORS_H

#include "server/analysis/Unit.h"

namespace kernelscope {

/// Adds to an error about the layout of an operand or result of `op` a note at
/// the alias of that layout, where its module takes no such layout.
/// `hasPartitions`: the function's partitions may have other numbers of warps.
void noteLayout(Diagnostic &error, mlir::Operation *op,
                const Fragment &fragment, bool hasPartitions);

/// Makes of the errors that name one alias, for one reason, one at the alias,
/// with those that use it as notes. Its code is `verify.layout`.
void tellAtAliases(std::vector<Diagnostic> &diagnostics);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_LAYOUTERRORS_H
