//===- ProductLayout.h - Layouts that a matrix unit takes -------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_PRODUCTLAYOUT_H
#define KERNELSCOPE_PASSES_TTGIR_PRODUCTLAYOUT_H

#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"
#include "passes/ttgir/OpLayouts.h"
#include "llvm/ADT/MapVector.h"

namespace kernelscope::ttgir {

/// The layouts of a product's operands and of its accumulator and result. An
/// operand without one is taken in whatever layout it has.
struct ProductLayout {
  mlir::Attribute a, b, c;
};

/// Lets products whose types no matrix instruction of `target` takes be
/// computed in wider ones that have one: 8-bit floats in f16, sums of f16 in
/// f32.
void widenProducts(mlir::Operation *root, const Target &target);

/// For each product under `root` that one of the target's matrix instructions
/// can do, layouts that fit it. `wgmma` or `tcgen05.mma` is taken where it
/// fits, else the deepest instruction that does, and then warps share rows and
/// columns such that each has about a square.
llvm::MapVector<mlir::Operation *, ProductLayout>
chooseProductLayouts(mlir::Operation *root, const ThreadCounts &threads,
                     const Target &target);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_PRODUCTLAYOUT_H
