//===- ProductLayout.h - Layouts that a matrix unit takes -------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_PRODUCTLAYOUT_H
#define KERNELSCOPE_PASSES_TTGIR_PRODUCTLAYOUT_H

#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"
#include "passes/ttgir/OpLayouts.h"
#include "llvm/ADT/MapVector.h"
#include <array>

namespace kernelscope::ttgir {

/// The layouts of a product's operands, of its accumulator and result, and of
/// the scales of its operands. An operand without one is taken in whatever
/// layout it has.
struct ProductLayout {
  mlir::Attribute a, b, c;
  /// Of the scales that there are.
  llvm::SmallVector<mlir::Attribute, 2> scales = {};

  /// That of operand `index` of the op.
  mlir::Attribute ofOperand(unsigned index) const {
    if (index < 3)
      return std::array{a, b, c}[index];
    return index - 3 < scales.size() ? scales[index - 3] : mlir::Attribute();
  }
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
