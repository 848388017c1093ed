//===- FloatRing.h - Integers that floats embed in --------------*- C++ -*-===//
//
// Triton's sanitizer of floating point (FPSan) computes with integers in the
// place of floats, such that order and grouping make no difference. What it
// calls embedding mixes the bits of a float of n bits, sign by sign: those of
// its magnitude are multiplied by an odd number modulo 2^(n-1), the high ones
// are added to the low ones without carry, and they are multiplied again, by
// what makes 1.0 the integer 1, and -1.0 its negative. Every step has an
// inverse.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTI_FLOATRING_H
#define KERNELSCOPE_DIALECTS_TTI_FLOATRING_H

#include "mlir/IR/BuiltinTypes.h"

namespace kernelscope::tti {

/// The constants of the mixing of floats of one type of at most 64 bits.
struct FloatRing {
  explicit FloatRing(mlir::FloatType type);

  /// What a magnitude is multiplied by last when a number is embedded.
  uint64_t factor(bool negative) const {
    return (negative ? -toOne : toOne) & magnitude;
  }
  /// The inverse of an odd number modulo 2^64, and so of any lower power.
  static uint64_t inverseOf(uint64_t odd);

  unsigned bits, shift;     ///< of a float; of its magnitude
  uint64_t sign, magnitude; ///< masks
  uint64_t spread;          ///< odd, multiplies first
  uint64_t toOne;           ///< odd, multiplies last
};

} // namespace kernelscope::tti

#endif // KERNELSCOPE_DIALECTS_TTI_FLOATRING_H
