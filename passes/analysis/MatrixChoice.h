//===- MatrixChoice.h - The instruction of a product ------------*- C++ -*-===//
//
// Lowering emits what is chosen here, and hover shows it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_MATRIXCHOICE_H
#define KERNELSCOPE_PASSES_ANALYSIS_MATRIXCHOICE_H

#include "dialects/target/DescribedProducts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/analysis/DotPlan.h"

namespace kernelscope {

/// The instruction that `op` becomes on `target`, and its plan: the first in
/// the table that fits types and layouts. Nothing if there is none.
struct MatrixChoice {
  const MatrixInstruction *instruction;
  DotPlan plan;
};
std::optional<MatrixChoice> chooseMatrixInstruction(tt::DotOp op,
                                                    const Target &target);

/// The instructions of a product that is in memory, which its types and layouts
/// have chosen.
struct DescribedChoice {
  const DescribedProduct *product;
  /// What one instruction computes; rows of all CTAs that take part.
  unsigned rows, columns;
  /// How many each group of four warps issues (wgmma), or each CTA or pair of
  /// CTAs (tcgen05).
  int64_t count;
};
/// Of an op that verifies: a ttng.warp_group_dot or ttng.tc_gen5_mma; nothing
/// for others.
std::optional<DescribedChoice> findDescribedChoice(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_MATRIXCHOICE_H
