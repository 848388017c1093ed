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

/// Makes a `ttng.tc_gen5_mma` of each `tt.dot` under `root` with such a layout.
/// Its operands go to shared memory. Its accumulator goes to tensor memory and
/// back; that of a loop stays there until the loop has ended.
void moveProductsToTensorMemory(mlir::Operation *root);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_TENSORCOREPRODUCTS_H
