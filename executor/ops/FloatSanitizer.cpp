//===- FloatSanitizer.cpp - Floats as integers that add up exactly --------===//

#include "dialects/tti/FloatRing.h"
#include "executor/ops/Elementwise.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

using tti::FloatRing;

uint64_t embed(const FloatRing &ring, uint64_t value) {
  const uint64_t mixed = value * ring.spread & ring.magnitude;
  return ((mixed ^ mixed >> ring.shift) * ring.factor(value & ring.sign) &
          ring.magnitude) |
         (value & ring.sign);
}

uint64_t unembed(const FloatRing &ring, uint64_t value) {
  uint64_t mixed =
      value * FloatRing::inverseOf(ring.factor(value & ring.sign)) &
      ring.magnitude;
  for (unsigned by = ring.shift; by < ring.bits; by *= 2)
    mixed ^= mixed >> by;
  return (mixed * FloatRing::inverseOf(ring.spread) & ring.magnitude) |
         (value & ring.sign);
}

template <bool Embed> Step planRing(Planner &planner, Operation *op) {
  const Element element =
      Embed ? elementOfOperand(planner, op) : elementOfResult(planner, op);
  const size_t size = sizeOf(element);
  if (!isFloat(element) || sizeOf(elementOfOperand(planner, op)) !=
                               sizeOf(elementOfResult(planner, op)))
    return rejectElement(op);
  Value number = Embed ? op->getOperand(0) : op->getResult(0);
  const FloatRing ring(cast<FloatType>(getElementTypeOrSelf(number)));
  return withBytes(size, [&]<typename T>() -> Step {
    return mapElements<T, T>(planner, op, [ring](T value) {
      return static_cast<T>(Embed ? embed(ring, value) : unembed(ring, value));
    });
  });
}

} // namespace

void registerFloatSanitizer(Registry &r) {
  r.addElementwise("tti.experimental_fpsan_embed", planRing<true>);
  r.addElementwise("tti.experimental_fpsan_unembed", planRing<false>);
}

} // namespace kernelscope::executor
