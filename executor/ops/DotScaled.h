//===- DotScaled.h - Operands of microscaled products ----------*- C++ -*-===//
//
// OCP Microscaling Formats (MX), 1.0: blocks of elements along K share a scale.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_DOTSCALED_H
#define KERNELSCOPE_EXECUTOR_OPS_DOTSCALED_H

#include "dialects/tt/TT.h"
#include "executor/plan/Element.h"

namespace kernelscope::executor {

/// The value of each of the 256 bytes, or of each nibble, in `format`, one of 8
/// or fewer bits.
std::vector<double> valuesOf(tt::ScaleDotElemType format);
/// The value of each of the 256 bytes as a scale of `type`: e4m3, or e8m0 in
/// any other type.
std::vector<double> valuesOfScales(mlir::Type type);

/// One operand of a microscaled product, a tensor or a memdesc, as it is
/// stored: [batch..., M, K] on the left, [batch..., K, N] on the right.
struct ScaledOperand {
  tt::ScaleDotElemType format;
  tt::Packing packing;
  bool isLeft;
  mlir::ShapedType stored;
  mlir::ShapedType scales; ///< [batch..., M or N, K / 16 or 32]; null: none

  /// Whether its elements are of a type that the format has; an error on `op`
  /// if not.
  bool isReadable(mlir::Operation *op) const;
  /// Elements along K.
  int64_t depth() const;
  /// The elements, unpacked and multiplied by their scales.
  std::vector<double> decode(const char *elements, const char *scale) const;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_DOTSCALED_H
