//===- SplitProducts.h - Products of f32 in narrower types ------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_TTGIR_SPLITPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_SPLITPRODUCTS_H

#include "dialects/target/Target.h"
#include "mlir/IR/Operation.h"

namespace kernelscope::ttgir {

/// Computes each `tt.dot` of f32 whose `inputPrecision` is `tf32x3`, `bf16x3`
/// or `bf16x6` as 3 or 6 products of parts of its operands in TF32 or bf16,
/// the smallest first, where `target` has matrix instructions for them.
void splitProducts(mlir::Operation *root, const Target &target);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_SPLITPRODUCTS_H
