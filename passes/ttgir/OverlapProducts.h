//===- OverlapProducts.h - Products of two iterations at once ---*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelscope::ttgir {

/// The products of `wgmma` and `tcgen05.mma` in a loop that may go on while its
/// next iteration begins: what they read of shared memory is kept that long,
/// and until the next iteration waits for them nothing reads their sums.
struct OverlappingProducts {
  /// Those whose sum only the next iteration's product reads.
  llvm::SmallVector<ttng::WarpGroupDotOp> chained;
  /// Those whose sum the next iteration first reads after its product `first`,
  /// such as the scaled sum of attention.
  llvm::SmallVector<ttng::WarpGroupDotOp> late;
  ttng::WarpGroupDotOp first;
  /// Those whose sum stays in tensor memory until the loop ends.
  llvm::SmallVector<ttng::TCGen5MMAOp> inTensorMemory;

  bool empty() const {
    return chained.empty() && late.empty() && inTensorMemory.empty();
  }
  /// What their barriers take of shared memory.
  uint64_t bytes() const;
};

/// Finds those in `loop`; `isKept` says it of an operand in shared memory.
OverlappingProducts
findOverlappingProducts(mlir::scf::ForOp loop,
                        llvm::function_ref<bool(mlir::Value)> isKept);

/// Makes these products of `loop` asynchronous. A wait behind the last of the
/// chained ones, or of those in tensor memory, leaves only this iteration's
/// under way, and one behind the first product none, so that the buffers that
/// the iteration before read are free; another wait follows the loop. Gives the
/// loop in the place of `loop`.
mlir::scf::ForOp overlapProducts(mlir::scf::ForOp loop,
                                 const OverlappingProducts &products);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H
