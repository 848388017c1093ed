//===- OverlapProducts.h - Products of two iterations at once ---*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelscope::ttgir {

/// The `wgmma` products of a loop that may go on while its next iteration
/// begins: what they read of shared memory is kept that long, and until the
/// next iteration waits for them nothing reads their sums.
struct OverlappingProducts {
  /// Those whose sum only the next iteration's product reads.
  llvm::SmallVector<ttng::WarpGroupDotOp> chained;
  /// Those whose sum the next iteration first reads after its product `first`,
  /// such as the scaled sum of attention.
  llvm::SmallVector<ttng::WarpGroupDotOp> late;
  ttng::WarpGroupDotOp first;

  bool empty() const { return chained.empty() && late.empty(); }
};

/// Finds those in `loop`; `isKept` says it of an operand in shared memory.
OverlappingProducts
findOverlappingProducts(mlir::scf::ForOp loop,
                        llvm::function_ref<bool(mlir::Value)> isKept);

/// Makes these products asynchronous. A wait behind the last of the chained
/// ones leaves only this iteration's under way, and one behind the first
/// product none, so that the buffers that the iteration before read are free;
/// another wait follows the loop.
void overlapProducts(const OverlappingProducts &products);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H
