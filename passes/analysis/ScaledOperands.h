//===- ScaledOperands.h - Operands and scales of tt.dot_scaled --*- C++ -*-===//
//
// Which element each register of a thread holds, and which scales a thread must
// hold for it. No IR is created here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_SCALEDOPERANDS_H
#define KERNELSCOPE_PASSES_ANALYSIS_SCALEDOPERANDS_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/target/ScaledProducts.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kernelscope {

/// A and B differ in which dimension is K.
struct ScaledOperand {
  MatrixElement element;
  unsigned outer, k;
  /// Where elements are; of those that share a byte each has a register.
  LinearLayout layout;

  /// A tensor of `type`, packed in pairs along K if its elements have 4 bits.
  static ScaledOperand of(mlir::RankedTensorType type, MatrixElement element,
                          unsigned k);

  int32_t numRegisters() const;
};

/// Batch, row or column, and element or block of K.
struct Place {
  int32_t batch, outer, k;

  auto operator<=>(const Place &) const = default;
  Place operator^(const Place &other) const {
    return {batch ^ other.batch, outer ^ other.outer, k ^ other.k};
  }

  /// `at` has a coordinate for each dimension.
  static Place of(llvm::ArrayRef<int32_t> at, unsigned outer, unsigned k) {
    return {at.size() == 3 ? at[0] : 0, at[outer], at[k]};
  }
};

/// Where register `r` of the first thread is in the tensor.
llvm::SmallVector<int32_t> coordinatesOf(const LinearLayout &layout,
                                         unsigned r);

/// What register `r` of the first thread holds.
Place placeOf(const ScaledOperand &operand, unsigned r);

/// Whether the instruction's blocks of K, of `perScale` elements, are the
/// tensor's: `registers` are those of a fragment.
bool keepsBlocks(const ScaledOperand &operand, const MatrixFragment &fragment,
                 llvm::ArrayRef<unsigned> registers, int32_t perScale);

/// Where the instructions of `unit` need the scales of `operand`, which fills
/// `fragment`: a tensor of `shape`, each of whose elements belongs to
/// `perScale` elements along K.
///
/// CDNA 4 ISA, `V_MFMA_SCALE_F32_*_F8F6F4`: a lane has those of its row or
/// column, and of the blocks of K that its elements are in. gfx1250's
/// `V_WMMA_SCALE_*`: a lane has all blocks of its row or column; lanes from 16
/// on have those of the next tile, if there is one, as Triton 3.9 lays them
/// out.
std::optional<LinearLayout>
scaleLayout(const ScaledOperand &operand, const MatrixFragment &fragment,
            MatrixUnit unit, llvm::ArrayRef<int64_t> shape, int32_t perScale);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_SCALEDOPERANDS_H
