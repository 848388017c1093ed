//===- ScaledDowncast.cpp - amdg.scaled_downcast_fp8 and _fp4 -------------===//
//
// An instruction divides by one scale and rounds: two elements on CDNA 4, eight
// on gfx1250 (LLVM's IntrinsicsAMDGPU.td, `cvt_scalef32_pk`, `_pk8`).
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/layout/Counted.h"
#include "passes/lower/amd/RegistersAt.h"
#include "passes/lower/amd/ScaledCasts.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

template <typename Op> class ScaledDowncastPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;
  static constexpr bool isFp4 = std::is_same_v<Op, amdg::ScaledDowncastFp4Op>;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType input = op.getInput().getType(),
                     scale = op.getScale().getType(),
                     output = op.getOutput().getType();
    if (!output.getEncoding())
      return failure();
    const unsigned axis = op.getAxis();
    const auto run =
        static_cast<int32_t>(input.getDimSize(axis) / scale.getDimSize(axis));
    auto inputs = registersAt(input), scales = registersAt(scale);
    lower::Builder b(op, rewriter);
    SmallVector<Value> values = unpackElements(b, adaptor.getInput());
    SmallVector<Value> exponents = unpackElements(b, adaptor.getScale());

    // What each of the result's bytes is made of.
    SmallVector<Value> wide;
    SmallVector<unsigned> divisors;
    for (SmallVector<int32_t> at : registerCoordinates(output)) {
      if (isFp4)
        at[axis] *= 2;
      for (int32_t i = 0; i < (isFp4 ? 2 : 1); ++i) {
        auto element = inputs.find(at);
        SmallVector<int32_t> block = at;
        block[axis] /= run;
        auto divisor = scales.find(block);
        if (element == inputs.end() || divisor == scales.end())
          return op.emitOpError("has layouts that keep an element, its scale "
                                "and its result in different threads");
        wide.push_back(values[element->second]);
        divisors.push_back(divisor->second);
        ++at[axis];
      }
    }
    const StringRef format = castFormatOf(output.getElementType());
    const unsigned atOnce = this->hooks.getTarget().scaledCastElements;
    SmallVector<Value> by;
    for (size_t i = 0; i < wide.size(); ++i) {
      if (divisors[i - i % atOnce] != divisors[i])
        return op.emitOpError()
               << "has a layout in which " << counted(atOnce, "element")
               << " that are converted at once have "
                  "more than one scale";
      by.push_back(powerOfTwo(b, exponents[divisors[i]]));
    }
    SmallVector<Value> bytes =
        narrowScaled(b, this->hooks.getTarget(), wide, by, format);
    rewriter.replaceOp(op, packElements(b, this->converter, bytes, output));
    return success();
  }

private:
  /// The scale as an f32 with this biased exponent.
  static Value powerOfTwo(lower::Builder &b, Value exponent) {
    Type i32 = b.intType(32);
    return b.bitcast(b.getBuilder().getF32Type(),
                     b.shl(b.zext(i32, exponent), b.i32(23)));
  }
};

} // namespace

void lower::populateScaledDowncastPatterns(const TypeConverter &converter,
                                           Patterns &patterns,
                                           const TargetHooks &hooks) {
  patterns.add<ScaledDowncastPattern<amdg::ScaledDowncastFp8Op>,
               ScaledDowncastPattern<amdg::ScaledDowncastFp4Op>>(converter,
                                                                 hooks);
}
