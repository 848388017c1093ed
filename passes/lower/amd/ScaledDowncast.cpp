//===- ScaledDowncast.cpp - amdg.scaled_downcast_fp8 and _fp4 -------------===//
//
// An instruction divides by one scale and rounds: two elements on CDNA 4, eight
// on gfx1250 (LLVM's IntrinsicsAMDGPU.td, `cvt_scalef32_pk`, `_pk8`).
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/target/MatrixInstructions.h"
#include "passes/lower/amd/RegistersAt.h"
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
    std::string format = isFp4                                          ? "fp4"
                         : isa<Float8E5M2Type>(output.getElementType()) ? "bf8"
                                                                        : "fp8";
    format += input.getElementType().isF32()   ? ".f32"
              : input.getElementType().isF16() ? ".f16"
                                               : ".bf16";
    const unsigned atOnce =
        hasMatrixUnit(this->hooks.getTarget(), MatrixUnit::Wmma3) ? 8 : 2;
    // A word, or with eight bytes two.
    const unsigned group = std::max(atOnce, isFp4 ? 8u : 4u);
    SmallVector<Value> bytes;
    for (size_t i = 0; i < wide.size(); i += group) {
      size_t count = std::min<size_t>(group, wide.size() - i);
      for (size_t k = 0; k < count; ++k)
        if (divisors[i + k - k % atOnce] != divisors[i + k])
          return op.emitOpError() << "has a layout in which " << atOnce
                                  << " elements that are converted at once "
                                     "have more than one scale";
      SmallVector<Value> some(ArrayRef(wide).slice(i, count)), by;
      some.resize(group, some.back());
      for (size_t k = 0; k < group; ++k)
        by.push_back(
            powerOfTwo(b, exponents[divisors[i + std::min(k, count - 1)]]));
      SmallVector<Value> packed = atOnce == 8
                                      ? convertEight(b, some, by, format)
                                      : convertPairs(b, some, by, format);
      bytes.append(packed.begin(), packed.begin() + count / (isFp4 ? 2 : 1));
    }
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

  static SmallVector<Value> bytesOf(lower::Builder &b, Value words,
                                    unsigned count) {
    return b.splitVector(b.bitcast(b.vectorType(b.intType(8), count), words));
  }

  static SmallVector<Value> convertEight(lower::Builder &b,
                                         ArrayRef<Value> eight,
                                         ArrayRef<Value> scales,
                                         StringRef format) {
    Type i32 = b.intType(32);
    return bytesOf(b,
                   b.intrinsic(("llvm.amdgcn.cvt.scalef32.pk8." + format).str(),
                               isFp4 ? i32 : b.vectorType(i32, 2),
                               {b.makeVector(eight), scales.front()}),
                   isFp4 ? 4 : 8);
  }

  /// A word of bytes, a pair at a time.
  static SmallVector<Value> convertPairs(lower::Builder &b,
                                         ArrayRef<Value> elements,
                                         ArrayRef<Value> scales,
                                         StringRef format) {
    Type halves = b.vectorType(b.intType(16), 2);
    Value word = isFp4 ? b.i32(0) : b.zero(halves);
    for (size_t i = 0; i < elements.size(); i += 2) {
      SmallVector<Value> arguments{word};
      if (format.ends_with(".f32"))
        arguments.append({elements[i], elements[i + 1]});
      else
        arguments.push_back(b.makeVector(elements.slice(i, 2)));
      arguments.push_back(scales[i]);
      arguments.push_back(isFp4 ? b.i32(static_cast<int32_t>(i / 2))
                                : b.i1(i != 0));
      word = b.intrinsic(("llvm.amdgcn.cvt.scalef32.pk." + format).str(),
                         word.getType(), arguments);
    }
    return bytesOf(b, word, 4);
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
