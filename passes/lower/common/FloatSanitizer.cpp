//===- FloatSanitizer.cpp - Floats as integers that add up exactly --------===//
//
// The embedding of floats in integers of FPSan, and its inverse: a few
// multiplications and shifts of an element's bits.
//
//===----------------------------------------------------------------------===//

#include "dialects/tti/FloatRing.h"
#include "dialects/tti/TTI.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

/// Emits the arithmetic of one ring.
class RingBuilder {
public:
  RingBuilder(Builder &b, Value number)
      : b(b), ring(cast<FloatType>(getElementTypeOrSelf(number))) {}

  Value embed(Value value) {
    value = b.toBits(value);
    Value mixed = magnitude(b.mul(value, like(value, ring.spread)));
    mixed = b.bitXor(mixed, b.lshr(mixed, like(value, ring.shift)));
    return withSign(
        b.mul(mixed, bySign(value, ring.factor(false), ring.factor(true))),
        value);
  }

  Value unembed(Type type, Value value) {
    Value mixed =
        magnitude(b.mul(value, bySign(value, ring.inverseOf(ring.factor(false)),
                                      ring.inverseOf(ring.factor(true)))));
    for (unsigned by = ring.shift; by < ring.bits; by *= 2)
      mixed = b.bitXor(mixed, b.lshr(mixed, like(value, by)));
    mixed = b.mul(mixed, like(value, ring.inverseOf(ring.spread)));
    return b.fromBits(type, withSign(mixed, value));
  }

private:
  Value like(Value value, uint64_t constant) {
    return b.intConstant(value.getType(), static_cast<int64_t>(constant));
  }
  Value magnitude(Value value) {
    return b.bitAnd(value, like(value, ring.magnitude));
  }
  Value withSign(Value value, Value signOf) {
    return b.bitOr(magnitude(value), b.bitAnd(signOf, like(value, ring.sign)));
  }
  Value bySign(Value value, uint64_t positive, uint64_t negative) {
    return b.select(b.icmp(ICmp::slt, value, like(value, 0)),
                    like(value, negative), like(value, positive));
  }

  Builder &b;
  tti::FloatRing ring;
};

} // namespace

void populateFloatSanitizerPatterns(const TypeConverter &converter,
                                    Patterns &patterns,
                                    const TargetHooks &hooks) {
  ElementwisePatterns p(converter, patterns, hooks);
  p.add<tti::ExperimentalFPSanEmbedOp>(
      [](Builder &b, tti::ExperimentalFPSanEmbedOp op, ArrayRef<Value> x) {
        return RingBuilder(b, op.getVal()).embed(x[0]);
      });
  p.add<tti::ExperimentalFPSanUnembedOp>(
      [&converter](Builder &b, tti::ExperimentalFPSanUnembedOp op,
                   ArrayRef<Value> x) {
        Type type = getElementTypeOrSelf(op.getResult());
        return RingBuilder(b, op.getResult())
            .unembed(converter.convertElement(type), x[0]);
      });
}

} // namespace kernelscope::lower
