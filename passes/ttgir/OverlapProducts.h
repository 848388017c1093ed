//===- OverlapProducts.h - Products of two iterations at once ---*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace kernelscope::ttgir {

/// The `wgmma` products in `loop` that may go on while the next iteration
/// begins: both operands are in shared memory that `isKept` that long, and all
/// that reads the sum is the next iteration's product.
llvm::SmallVector<ttng::WarpGroupDotOp>
findOverlappingProducts(mlir::scf::ForOp loop,
                        llvm::function_ref<bool(mlir::Value)> isKept);

/// Makes these products asynchronous. Behind the last of them a wait leaves
/// only this iteration's under way, so that the buffers that the one before it
/// read are free; another wait follows the loop.
void overlapProducts(llvm::ArrayRef<ttng::WarpGroupDotOp> products);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_OVERLAPPRODUCTS_H
