//===- ProductDescriptor.h - What one tcgen05.mma computes ------*- C++ -*-===//
//
// The 32-bit instruction descriptor. PTX ISA, "Instruction Descriptor" and
// "Matrix Shape".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PRODUCTDESCRIPTOR_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PRODUCTDESCRIPTOR_H

#include "dialects/target/MatrixInstructions.h"
#include "llvm/Support/Error.h"

namespace kernelscope::wave::nvidia {

/// `.kind`.
enum class ProductKind { F16, TF32, F8F6F4, I8, MXF8F6F4, MXF4, MXF4NVF4 };

/// What the modifiers of a tcgen05.mma say.
struct ProductModifiers {
  ProductKind kind = ProductKind::F16;
  unsigned ctas = 1;
  /// .ws: A may have 32 rows.
  bool isWeightStationary = false;
  /// Scales of a row along K; 0 without .block_scale.
  unsigned scalesPerRow = 0;

  /// From "cta_group::1.kind::mxf4.block_scale.block32". An error names what is
  /// not simulated: .sp, .ashift.
  static llvm::Expected<ProductModifiers> parse(llvm::StringRef modifiers);
  bool isScaled() const { return kind >= ProductKind::MXF8F6F4; }
};

/// An operand's elements.
struct ProductOperand {
  MatrixElement element = MatrixElement::F16;
  bool isUnsigned = false; ///< i8
  bool isNegated = false;
  /// Along M or N, not K.
  bool isTransposed = false;
};

struct ProductDescriptor {
  unsigned m = 0, n = 0, k = 0;
  ProductOperand a, b;
  MatrixElement d = MatrixElement::F32;
  /// Integers that are too large become the largest, not what wraps.
  bool saturates = false;
  /// Scales are ue8m0, else ue4m3.
  bool hasExponentScales = true;
  /// The byte of a column where the scales of a row begin.
  unsigned scaleOfA = 0, scaleOfB = 0;

  /// An error names the field, the value found and those that it can have.
  static llvm::Expected<ProductDescriptor>
  decode(const ProductModifiers &modifiers, uint32_t bits);
};

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PRODUCTDESCRIPTOR_H
