//===- MatrixChoice.h - The instruction of a product ------------*- C++ -*-===//
//
// Lowering emits what is chosen here, and hover shows it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_MATRIXCHOICE_H
#define KERNELSCOPE_PASSES_ANALYSIS_MATRIXCHOICE_H

#include "dialects/ttg/TTG.h"
#include "passes/analysis/DotPlan.h"

namespace kernelscope {

/// What a matrix unit takes elements of `type` as; nothing if none does.
std::optional<MatrixElement> matrixElement(mlir::Type type);

/// The instruction that `op` becomes on `target`, and its plan: the first in
/// the table that fits types and layouts. Nothing if there is none.
struct MatrixChoice {
  const MatrixInstruction *instruction;
  DotPlan plan;
};
std::optional<MatrixChoice> chooseMatrixInstruction(tt::DotOp op,
                                                    const Target &target);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_MATRIXCHOICE_H
