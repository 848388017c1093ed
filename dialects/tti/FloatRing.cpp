//===- FloatRing.cpp - Integers that floats embed in ----------------------===//

#include "dialects/tti/FloatRing.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace kernelscope::tti {

FloatRing::FloatRing(FloatType type) {
  const uint64_t one = llvm::APFloat(type.getFloatSemantics(), 1)
                           .bitcastToAPInt()
                           .getZExtValue();
  bits = type.getWidth();
  sign = uint64_t{1} << (bits - 1);
  magnitude = sign - 1;
  shift = llvm::countr_zero(one);
  spread = 14940041 & magnitude;
  const uint64_t mixed = one * spread & magnitude;
  toOne = inverseOf(mixed ^ mixed >> shift) & magnitude;
}

uint64_t FloatRing::inverseOf(uint64_t odd) {
  // Newton's iteration: each round doubles the low bits that are right, of
  // which the first guess has three.
  uint64_t inverse = odd;
  for (int right = 3; right < 64; right *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

} // namespace kernelscope::tti
