//===- ScaledProduct.h - Products with block scales -------------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTNG_SCALEDPRODUCT_H
#define KERNELSCOPE_DIALECTS_TTNG_SCALEDPRODUCT_H

#include "dialects/ttng/TTNG.h"

namespace kernelscope::ttng {

/// What a `ttng.tc_gen5_mma_scaled` computes. PTX ISA, "tcgen05.mma".
struct ScaledProduct {
  /// "mxf8f6f4", "mxf4" or "mxf4nvf4".
  llvm::StringRef kind;
  /// Both operands are e2m1 with two values per byte, without gaps.
  bool isPacked;
  /// Scales are powers of two (ue8m0), else ue4m3.
  bool hasExponentScales;
  /// The elements along K, and those that one instruction multiplies.
  int64_t depth;
  unsigned k;
  /// Elements along K that share a scale, and those in one element of the left
  /// operand's type.
  unsigned blockSize, packingOfA;
};

ScaledProduct scaledProductOf(TCGen5MMAScaledOp op);

} // namespace kernelscope::ttng

#endif // KERNELSCOPE_DIALECTS_TTNG_SCALEDPRODUCT_H
