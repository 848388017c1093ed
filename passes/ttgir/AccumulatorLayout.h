//===- AccumulatorLayout.h - Layouts of the sums of products ----*- C++ -*-===//
//
// How the warps share the result of a product that an instruction computes in
// registers, and which instructions suit its shape.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_TTGIR_ACCUMULATORLAYOUT_H
#define KERNELSCOPE_PASSES_TTGIR_ACCUMULATORLAYOUT_H

#include "dialects/target/MatrixInstructions.h"
#include "dialects/ttg/Cluster.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kernelscope::ttgir {

/// How the warps share the result of a product that is computed from another's,
/// or the reverse.
struct ChainedShare {
  /// If the dimension has fewer tiles than there are warps, those left over
  /// compute copies of it, or share the other dimensions.
  enum class Copies { Always, OfSeveralTiles, Never };

  /// The dimension that both results have, which warps share first.
  unsigned dim;
  Copies copies = Copies::Always;
};

/// The layout of the accumulator of `row`, of which each CTA of `cga` has
/// `part`; null for a unit that does not keep it in registers. Warps share it
/// as `chained` says, or such that each has about a square.
mlir::Attribute accumulatorLayout(const MatrixInstruction &row,
                                  mlir::RankedTensorType part,
                                  std::optional<ChainedShare> chained,
                                  unsigned warps, ttg::CGAEncodingAttr cga,
                                  const Target &target);

/// `instructions` in the order in which to try them for a result like `part`.
/// Those whose tiles leave warps without one come later, and those with tiles
/// larger than the result last: the more of them is copies.
llvm::SmallVector<const MatrixInstruction *>
fewestCopiesFirst(llvm::ArrayRef<const MatrixInstruction *> instructions,
                  mlir::RankedTensorType part,
                  std::optional<ChainedShare> chained, unsigned warps);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_ACCUMULATORLAYOUT_H
