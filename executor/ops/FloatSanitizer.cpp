//===- FloatSanitizer.cpp - Floats as integers that add up exactly --------===//
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

#include "executor/ops/Elementwise.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The number whose product with `odd` is 1 modulo 2^64.
uint64_t inverseOf(uint64_t odd) {
  // Newton's iteration: each round doubles the low bits that are right, of
  // which the first guess has three.
  uint64_t inverse = odd;
  for (int right = 3; right < 64; right *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

/// The mixing of floats of one type.
class FloatRing {
public:
  explicit FloatRing(Element element) {
    uint64_t one = 0;
    withFloat(element, [&]<typename T>() {
      const auto stored = T::store(1.0);
      std::memcpy(&one, &stored, sizeof(stored));
    });
    bits = 8 * sizeOf(element);
    sign = uint64_t{1} << (bits - 1);
    magnitude = sign - 1;
    shift = llvm::countr_zero(one);
    spread = 14940041 & magnitude;
    toOne = inverseOf(fold(one * spread & magnitude)) & magnitude;
  }

  uint64_t embed(uint64_t value) const {
    const uint64_t mixed = fold(value * spread & magnitude);
    return (mixed * factorFor(toOne, value) & magnitude) | (value & sign);
  }
  uint64_t unembed(uint64_t value) const {
    uint64_t mixed = value * inverseOf(factorFor(toOne, value)) & magnitude;
    for (unsigned by = shift; by < bits; by *= 2)
      mixed ^= mixed >> by;
    return (mixed * inverseOf(spread) & magnitude) | (value & sign);
  }

private:
  uint64_t fold(uint64_t value) const { return value ^ value >> shift; }
  /// `factor`, negated where `value` is that of a negative number.
  uint64_t factorFor(uint64_t factor, uint64_t value) const {
    return value & sign ? -factor & magnitude : factor;
  }

  unsigned bits, shift;
  uint64_t sign, magnitude, spread, toOne;
};

template <bool Embed> Step planRing(Planner &planner, Operation *op) {
  const Element element =
      Embed ? elementOfOperand(planner, op) : elementOfResult(planner, op);
  const size_t size = sizeOf(element);
  if (!isFloat(element) || sizeOf(elementOfOperand(planner, op)) !=
                               sizeOf(elementOfResult(planner, op)))
    return rejectElement(op);
  return withBytes(size, [&]<typename T>() -> Step {
    return mapElements<T, T>(planner, op, [ring = FloatRing(element)](T value) {
      return static_cast<T>(Embed ? ring.embed(value) : ring.unembed(value));
    });
  });
}

} // namespace

void registerFloatSanitizer(Registry &r) {
  r.addElementwise("tti.experimental_fpsan_embed", planRing<true>);
  r.addElementwise("tti.experimental_fpsan_unembed", planRing<false>);
}

} // namespace kernelscope::executor
