//===- ScaledUpcast.cpp - amdg.scaled_upcast_fp8 and _fp4 -----------------===//
//
// Each element is converted, multiplied by its scale in f32, which is exact,
// and rounded to the result's type.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "passes/lower/amd/RegistersAt.h"
#include "passes/lower/support/FloatCast.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

template <typename Op> class ScaledUpcastPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;
  static constexpr bool isFp4 = std::is_same_v<Op, amdg::ScaledUpcastFp4Op>;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType input = op.getInput().getType(),
                     scale = op.getScale().getType(),
                     output = op.getOutput().getType();
    if (!output.getEncoding())
      return failure();
    unsigned axis = output.getRank() - 1;
    if constexpr (isFp4)
      axis = op.getAxis();
    const auto run =
        static_cast<int32_t>(output.getDimSize(axis) / scale.getDimSize(axis));
    const auto inputs = registersAt(input), scales = registersAt(scale);
    lower::Builder b(op, rewriter);
    Type f32 = b.getBuilder().getF32Type();
    SmallVector<Value> factors;
    for (Value factor : unpackElements(b, adaptor.getScale()))
      factors.push_back(factorOf(b, factor, scale.getElementType()));
    SmallVector<Value> values = widened(b, adaptor.getInput(), input);
    SmallVector<Value> results;
    for (SmallVector<int32_t> &at : registerCoordinates(output)) {
      SmallVector<int32_t> block = at;
      block[axis] /= run;
      const int32_t half = isFp4 ? at[axis] & 1 : 0;
      if (isFp4)
        at[axis] /= 2;
      auto element = inputs.find(at), factor = scales.find(block);
      if (element == inputs.end() || factor == scales.end())
        return op.emitOpError("has layouts that keep an element, its scale and "
                              "its result in different threads");
      Value value =
          values[isFp4 ? 2 * element->second + half : element->second];
      results.push_back(convertFloat(b, b.fmul(value, factors[factor->second]),
                                     f32, output.getElementType()));
    }
    rewriter.replaceOp(op, packElements(b, this->converter, results, output));
    return success();
  }

private:
  /// A bf16, or 2 to a biased exponent, as f32; the exponent 255 is NaN.
  static Value factorOf(lower::Builder &b, Value factor, Type type) {
    Type i32 = b.intType(32), f32 = b.getBuilder().getF32Type();
    if (!type.isInteger())
      return convertFloat(b, factor, type, f32);
    // 2^-127 is below the normal numbers.
    Value bits =
        b.umax(b.shl(b.zext(i32, factor), b.i32(23)), b.i32(0x00400000));
    Value isNaN = b.icmp(ICmp::eq, bits, b.i32(0x7F800000));
    return b.bitcast(f32, b.select(isNaN, b.i32(0x7FC00000), bits));
  }

  /// The elements as f32; of a byte with two, both, the lower first.
  SmallVector<Value> widened(lower::Builder &b, Value packed,
                             RankedTensorType type) const {
    OpBuilder &types = b.getBuilder();
    SmallVector<Value> elements = unpackElements(b, packed), wide;
    if constexpr (!isFp4) {
      for (Value element : elements)
        wide.push_back(convertFloat(b, element, type.getElementType(),
                                    types.getF32Type()));
      return wide;
    }
    // Twice each magnitude is a digit of a number in hexadecimal.
    Type i32 = b.intType(32);
    for (Value byte : elements)
      for (int32_t shift : {0, 4}) {
        Value bits = b.lshr(b.zext(i32, byte), b.i32(shift));
        Value place = b.shl(b.bitAnd(bits, b.i32(7)), b.i32(2));
        Value twice = b.bitAnd(
            b.lshr(b.i32(static_cast<int32_t>(0xC8643210)), place), b.i32(15));
        Value magnitude = b.fmul(b.uitofp(types.getF32Type(), twice),
                                 b.floatConstant(types.getF32Type(), 0.5));
        Value sign = b.shl(b.bitAnd(bits, b.i32(8)), b.i32(28));
        wide.push_back(b.bitcast(types.getF32Type(),
                                 b.bitOr(b.bitcast(i32, magnitude), sign)));
      }
    return wide;
  }
};

} // namespace

void lower::populateScaledUpcastPatterns(const TypeConverter &converter,
                                         Patterns &patterns,
                                         const TargetHooks &hooks) {
  patterns.add<ScaledUpcastPattern<amdg::ScaledUpcastFp8Op>,
               ScaledUpcastPattern<amdg::ScaledUpcastFp4Op>>(converter, hooks);
}
