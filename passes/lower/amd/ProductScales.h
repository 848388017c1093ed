//===- ProductScales.h - Operands and scales of tt.dot_scaled ---*- C++ -*-===//
//
// Which scale each register of a thread holds, and the words of scales that an
// instruction takes.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_PRODUCTSCALES_H
#define KERNELSCOPE_PASSES_LOWER_AMD_PRODUCTSCALES_H

#include "passes/analysis/ScaledOperands.h"
#include "passes/lower/support/Builder.h"
#include <map>

namespace kernelscope::lower {

/// What one instruction gets for an operand: 4 scales, or 8 if 16 elements
/// share one.
struct ScaleOperand {
  mlir::Value word;
  int32_t selection = 0;
  /// Exponents, or e4m3: as the instructions number them.
  int32_t format = 0;
};

/// The scales of one operand.
class Scales {
public:
  /// Of `tensor`, or of none, whose elements are in `packed`. Nothing if lanes
  /// do not hold those of the rows and blocks that they must give.
  static std::optional<Scales> of(Builder &b, mlir::Value tensor,
                                  mlir::Value packed, const ScaledOperand &side,
                                  const MatrixFragment &fragment, bool isMfma,
                                  int32_t perScale);

  bool areAbsent() const { return elements.empty(); }

  /// Those of an instruction whose part of the operand begins at `place`; null
  /// if this lane lacks one.
  ScaleOperand at(Builder &b, Place place) const;

private:
  Scales(bool isMfma, int32_t perScale) : isMfma(isMfma), perScale(perScale) {}

  int32_t blocks() const { return isMfma ? 4 : 128 / perScale; }
  ScaleOperand byteAt(Builder &b, Place place) const;
  ScaleOperand blocksAt(Builder &b, Place place) const;
  mlir::Value wordOf(Builder &b, llvm::ArrayRef<mlir::Value> bytes) const;

  bool isMfma;
  int32_t perScale, numBlocks = 0, format = 0;
  /// From row or column and block, in the first lane.
  std::map<Place, uint32_t> registers;
  llvm::SmallVector<mlir::Value> elements;
  /// WMMA: how far the lanes from 16 on are from the first ones.
  Place otherHalf{0, 0, 0};
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_PRODUCTSCALES_H
