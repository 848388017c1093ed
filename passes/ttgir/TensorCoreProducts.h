//===- TensorCoreProducts.h - Products in tensor memory ---------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_TENSORCOREPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_TENSORCOREPRODUCTS_H

#include "passes/ttgir/ProductLayout.h"
#include <optional>

namespace kernelscope::ttgir {

/// The layout in which threads load and store the accumulator of `op` if
/// `tcgen05.mma` can do it, and nothing if the target, the warps, the types or
/// the shape do not fit, or the accumulator needs more than `columns` of tensor
/// memory. The columns that it takes are subtracted.
std::optional<ProductLayout> chooseTensorCoreLayout(tt::DotOp op,
                                                    const ThreadCounts &threads,
                                                    const Target &target,
                                                    int64_t &columns);

/// The same for a microscaled product: both operands of 8-bit floats, or both
/// e2m1 packed along K, each with scales for at least four steps along K.
std::optional<ProductLayout> chooseTensorCoreLayout(tt::DotScaledOp op,
                                                    const ThreadCounts &threads,
                                                    const Target &target,
                                                    int64_t &columns);

/// The columns of tensor memory that the products of `function` can have. One
/// that is called has none: its callers may use all.
int64_t tensorColumnsOf(tt::FuncOp function);

/// Makes a `ttng.tc_gen5_mma` or `ttng.tc_gen5_mma_scaled` of each product
/// under `root` with such a layout. Its operands go to shared memory. Its
/// accumulator goes to tensor memory and back; that of a loop stays there until
/// the loop has ended.
void moveProductsToTensorMemory(mlir::Operation *root, unsigned warps);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_TENSORCOREPRODUCTS_H
