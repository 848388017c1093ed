//===- ScaledUpcast.cpp - amdg.scaled_upcast_fp8, _fp4, upcast_mxfp -------===//
//
// CDNA 4 and gfx1250 convert elements that share a scale by one instruction.
// Elsewhere each is converted, multiplied by its scale in f32, which is exact,
// and rounded to f16. In bf16, whose exponents are those of f32, the product is
// exact, too, but for subnormal numbers, which are cut as Triton cuts them.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/amdg/ScaleAxis.h"
#include "passes/lower/amd/RegistersAt.h"
#include "passes/lower/amd/ScaledCasts.h"
#include "passes/lower/support/FloatCast.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

// What the ops have in common.

template <typename Op> auto sourceOf(Op op) { return op.getInput(); }
template <typename Op> auto resultOf(Op op) { return op.getOutput(); }
auto sourceOf(amdg::UpcastMXFPOp op) { return op.getSrc(); }
auto sourceOf(amdg::UpcastMXFPOpAdaptor op) { return op.getSrc(); }
auto resultOf(amdg::UpcastMXFPOp op) { return op.getResult(); }

unsigned axisOf(amdg::ScaledUpcastFp8Op op) {
  return op.getOutput().getType().getRank() - 1;
}
unsigned axisOf(amdg::ScaledUpcastFp4Op op) { return op.getAxis(); }
unsigned axisOf(amdg::UpcastMXFPOp op) {
  return amdg::depthAxis(op.getResult().getType());
}

/// Whether a byte has two elements.
bool isPacked(amdg::ScaledUpcastFp8Op) { return false; }
bool isPacked(amdg::ScaledUpcastFp4Op) { return true; }
bool isPacked(amdg::UpcastMXFPOp op) {
  return op.getFpType() == tt::ScaleDotElemType::E2M1;
}

/// What elements that are not packed are.
template <typename Op> Type elementOf(Op op) {
  return sourceOf(op).getType().getElementType();
}
Type elementOf(amdg::UpcastMXFPOp op) {
  Type stored = op.getSrc().getType().getElementType();
  if (!stored.isInteger())
    return stored;
  return op.getFpType() == tt::ScaleDotElemType::E4M3
             ? Type(Float8E4M3FNType::get(op.getContext()))
             : Float8E5M2Type::get(op.getContext());
}

template <typename Op> class ScaledUpcastPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType input = sourceOf(op).getType(),
                     scale = op.getScale().getType(),
                     output = resultOf(op).getType();
    if (!output.getEncoding())
      return failure();
    const unsigned axis = axisOf(op), last = output.getRank() - 1;
    // The scales of upcast_mxfp have K last.
    const unsigned scaleAxis =
        std::is_same_v<Op, amdg::UpcastMXFPOp> ? last : axis;
    const auto run = static_cast<int32_t>(output.getDimSize(axis) /
                                          scale.getDimSize(scaleAxis));
    const auto inputs = registersAt(input), scales = registersAt(scale);
    lower::Builder b(op, rewriter);
    const SmallVector<Value> bytes = unpackElements(b, sourceOf(adaptor)),
                             factors = unpackElements(b, adaptor.getScale());
    // The factor of each element, in the order of the bytes.
    SmallVector<unsigned> places;
    SmallVector<Value> factorOfElement(bytes.size() * (isPacked(op) ? 2 : 1));
    for (SmallVector<int32_t> &at : registerCoordinates(output)) {
      SmallVector<int32_t> block = at;
      block[axis] /= run;
      std::swap(block[axis], block[scaleAxis]);
      const unsigned half = isPacked(op) ? at[axis] & 1 : 0;
      if (isPacked(op))
        at[axis] /= 2;
      auto element = inputs.find(at), factor = scales.find(block);
      if (element == inputs.end() || factor == scales.end())
        return op.emitOpError("has layouts that keep an element, its scale and "
                              "its result in different threads");
      places.push_back(isPacked(op) ? 2 * element->second + half
                                    : element->second);
      factorOfElement[places.back()] = factors[factor->second];
    }
    SmallVector<Value> values =
        convert(b, op, bytes, factorOfElement, isSameAcrossHalves(scale));
    SmallVector<Value> results =
        llvm::map_to_vector(places, [&](unsigned at) { return values[at]; });
    rewriter.replaceOp(op, packElements(b, this->converter, results, output));
    return success();
  }

private:
  /// Whether lanes 16 apart have the same scales.
  static bool isSameAcrossHalves(RankedTensorType scale) {
    const LinearLayout layout = ttg::toLinearLayout(scale);
    auto lane = StringAttr::get(scale.getContext(), "lane");
    constexpr unsigned bit = 4; // of lane 16
    return layout.getInDimSizeLog2(lane) > bit &&
           llvm::all_of(layout.getBasis(lane, bit),
                        [](int32_t place) { return place == 0; });
  }

  /// The elements of `bytes`, each times its factor. A byte that no element of
  /// the result is made of has none.
  SmallVector<Value> convert(lower::Builder &b, Op op, ArrayRef<Value> bytes,
                             ArrayRef<Value> factors,
                             bool areFactorsSameAcrossHalves) const {
    const Target &target = this->hooks.getTarget();
    const Type to = resultOf(op).getType().getElementType(),
               f32 = b.getBuilder().getF32Type(),
               scaleType = op.getScale().getType().getElementType();
    const unsigned perByte = isPacked(op) ? 2 : 1;
    const size_t group = widenedBytes(target, isPacked(op));
    llvm::DenseMap<Value, Value> scales, wideFactors; // by factor
    auto wideFactor = [&](Value factor) {
      Value &wide = wideFactors[factor];
      return wide ? wide : wide = factorOf(b, factor, scaleType);
    };
    SmallVector<Value> results;
    for (size_t i = 0; i < bytes.size(); i += group) {
      ArrayRef<Value> some = bytes.slice(i, std::min(group, bytes.size() - i));
      ArrayRef<Value> by = factors.slice(i * perByte, some.size() * perByte);
      if (target.scaledCastElements && by.front() && llvm::all_equal(by)) {
        const bool isWord = target.scaledCastElements == 8;
        const StringRef format =
            isPacked(op) ? "fp4" : castFormatOf(elementOf(op));
        Value &scale = scales[by.front()];
        if (!scale)
          scale = isWord ? exponentsOf(b, by.front(), scaleType)
                         : wideFactor(by.front());
        // Of 8-bit floats one exponent is for all lanes unless bit 3 is set.
        const unsigned selector =
            isWord && !isPacked(op) && !areFactorsSameAcrossHalves ? 8 : 0;
        results.append(
            widenScaled(b, target, some, format, to, {scale, selector}));
        continue;
      }
      SmallVector<Value> wide = isPacked(op)
                                    ? this->hooks.unpackFp4(b, some, f32)
                                    : widened(b, some, elementOf(op));
      for (auto [value, factor] : llvm::zip_equal(wide, by))
        results.push_back(
            factor ? convertFloat(b, b.fmul(value, wideFactor(factor)), f32, to,
                                  /*toZero=*/to.isBF16())
                   : Value());
    }
    return results;
  }

  /// The biased exponents of this lane's factor in byte 0 and of that of the
  /// lane 16 further in byte 1.
  Value exponentsOf(lower::Builder &b, Value factor, Type type) const {
    Type i32 = b.intType(32);
    Value own = b.zext(i32, b.toBits(factor));
    if (!type.isInteger())
      own = b.bitAnd(b.lshr(own, b.i32(7)), b.i32(0xff));
    Value other = this->hooks.shuffleXor(b, own, 16);
    return b.bitOr(own, b.shl(other, b.i32(8)));
  }

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

  /// The elements as f32.
  SmallVector<Value> widened(lower::Builder &b, ArrayRef<Value> elements,
                             Type type) const {
    Type f32 = b.getBuilder().getF32Type();
    SmallVector<Value> wide =
        this->hooks.convertFloats(b, elements, type, f32, /*toZero=*/false);
    if (!wide.empty())
      return wide;
    return llvm::map_to_vector(elements, [&](Value element) {
      return convertFloat(b, element, type, f32);
    });
  }
};

} // namespace

void lower::populateScaledUpcastPatterns(const TypeConverter &converter,
                                         Patterns &patterns,
                                         const TargetHooks &hooks) {
  patterns.add<ScaledUpcastPattern<amdg::ScaledUpcastFp8Op>,
               ScaledUpcastPattern<amdg::ScaledUpcastFp4Op>,
               ScaledUpcastPattern<amdg::UpcastMXFPOp>>(converter, hooks);
}
