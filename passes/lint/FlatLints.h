//===- FlatLints.h - lints of a function with what it calls -----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LINT_FLATLINTS_H
#define KERNELSCOPE_PASSES_LINT_FLATLINTS_H

#include "passes/analysis/FlatFunction.h"
#include "passes/lint/Lint.h"

namespace kernelscope {

/// All lints on `flat`. What they find is on the ops that it has copies of.
void lintFlat(const FlatFunction &flat, EmitLint emit);

/// All lints on a verified function whose calls, if any, do what is not known.
void lintAlone(mlir::Operation *function, EmitLint emit);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_FLATLINTS_H
