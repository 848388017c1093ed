//===- ScaledProducts.h - AMD's matrix instructions with scales -*- C++ -*-===//
//
// CDNA 4's `V_MFMA_SCALE_F32_*_F8F6F4` and gfx1250's `V_WMMA_SCALE_*`: each
// operand says how its elements are written, and 32 elements along K share a
// scale, which another register holds. Lowering and the wave simulator ask
// here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_SCALEDPRODUCTS_H
#define KERNELSCOPE_DIALECTS_TARGET_SCALEDPRODUCTS_H

#include "dialects/target/MatrixInstructions.h"

namespace kernelscope {

/// Elements along K that share a scale, and its logarithm.
constexpr unsigned elementsPerScale = 32, elementsPerScaleLog2 = 5;

/// The types that the instructions take, by their numbers there.
inline constexpr MatrixElement scaledFormats[] = {
    MatrixElement::E4M3, MatrixElement::E5M2, MatrixElement::E2M3,
    MatrixElement::E3M2, MatrixElement::E2M1};

/// The instructions of `target` that multiply with scales. Their fragments are
/// those of 8-bit elements; `scaledFragments` has those of others.
llvm::SmallVector<const MatrixInstruction *>
scaledInstructions(const Target &target);

/// gfx1250's instruction of 32 rows, whose elements are all `e2m1`; null on
/// other chips.
const MatrixInstruction *scaledFp4Instruction(const Target &target);

/// The fragments of one of these with elements `a` and `b`: where lanes hold 16
/// neighbours of 8 bits along K at a time, they hold 32 narrower ones.
MatrixFragments scaledFragments(const MatrixInstruction &instruction,
                                MatrixElement a, MatrixElement b);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_SCALEDPRODUCTS_H
