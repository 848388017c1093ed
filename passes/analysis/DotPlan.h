//===- DotPlan.h - Matrix products as instructions --------------*- C++ -*-===//
//
// Which registers go into each matrix instruction of a product, computed from
// the linear maps of the operands and the instruction's fragments alone. No IR
// is created here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_DOTPLAN_H
#define KERNELSCOPE_PASSES_ANALYSIS_DOTPLAN_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/target/MatrixInstructions.h"

namespace kernelscope {

/// One instruction: the registers of the tensors A, B and C, each list in the
/// order of the registers of the fragment that it fills. It adds to the
/// registers of C. In A and B the register after the tensor's last one stands
/// for a zero: the instruction is deeper than the tensor.
struct DotStep {
  llvm::SmallVector<unsigned> a, b, c;
};

/// A product in the order in which to issue it: instructions that follow each
/// other add to different registers where there are several.
struct DotPlan {
  /// The instruction computes the transpose, C^T = B^T * A^T: the registers of
  /// B fill its fragment A, and those of A its fragment B.
  bool isTransposed = false;
  /// Of A and B, bits of the lane along K that only distinguish copies: the
  /// instruction is deeper than the tensor, and takes zeros from lanes in which
  /// one of them is set.
  std::array<uint32_t, 2> idleLanes{};
  std::vector<DotStep> steps;
  /// For each register of C the one in `steps` that holds the same element.
  llvm::SmallVector<unsigned> sources;
};

/// The plan for C += A * B with distributed layouts (in-dims register, lane,
/// warp, block) of rank 2, or 3 with a batch in front. Which element of the
/// tensor stands for which one of the instruction follows from the lanes, so
/// that tiles may lie in the tensors in any linear way; along K it need only be
/// the same for A and B. Empty fragments ask for single products in each
/// thread. With `padsDepth` registers and lanes of A and B beyond the end of K
/// are zeros. Nothing if the layouts do not fit the instruction.
std::optional<DotPlan> planDot(const MatrixFragments &fragments,
                               const LinearLayout &a, const LinearLayout &b,
                               const LinearLayout &c, bool padsDepth = false);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_DOTPLAN_H
