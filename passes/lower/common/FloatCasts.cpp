//===- FloatCasts.cpp - Conversions between float types -------------------===//
//
// arith.extf, arith.truncf, tt.fp_to_fp and ttg.fp4_to_fp. LLVM selects those
// between f16, bf16, f32 and f64; narrower floats, which are integers in LLVM,
// are converted here by arithmetic on their bits.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/lower/support/FloatCast.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/Lowering.h"
#include <cmath>
#include <map>

using namespace mlir;

namespace kernelscope::lower {

namespace {

/// An 8-bit float format: a sign, exponent and mantissa bits.
struct Float8 {
  unsigned mantissaBits;
  int bias;
  /// The largest finite value, and the bits (without sign) of a NaN.
  double largest;
  unsigned nan;
  /// No infinities and no negative zero; NaN is what would be that zero.
  bool isUnsignedZero;
};

std::optional<Float8> float8Of(Type type) {
  if (isa<Float8E5M2Type>(type))
    return Float8{2, 15, 57344, 0x7F, false};
  if (isa<Float8E4M3FNType>(type))
    return Float8{3, 7, 448, 0x7F, false};
  if (isa<Float8E5M2FNUZType>(type))
    return Float8{2, 16, 57344, 0x80, true};
  if (isa<Float8E4M3FNUZType>(type))
    return Float8{3, 8, 240, 0x80, true};
  return std::nullopt;
}

/// An 8-bit float as f16, which holds each exactly.
Value widen(Builder &b, Value bits, Float8 format) {
  Type i16 = b.intType(16), f16 = b.getBuilder().getF16Type();
  auto constant = [&](int64_t value) { return b.intConstant(i16, value); };
  Value x = b.zext(i16, bits);
  Value sign = b.shl(b.bitAnd(x, constant(0x80)), constant(8));
  // Mantissa and exponent at f16's places are the value times a power of two.
  // This also normalises subnormals.
  Value magnitude =
      b.shl(b.bitAnd(x, constant(0x7F)), constant(10 - format.mantissaBits));
  Value scaled = magnitude;
  if (format.bias != 15) {
    Value scale = b.floatConstant(f16, std::ldexp(1.0, 15 - format.bias));
    scaled = b.bitcast(i16, b.fmul(b.bitcast(f16, magnitude), scale));
  }
  if (format.mantissaBits == 2 && format.bias == 16) {
    // The largest exponent is that of f16's infinity, which halves to itself;
    // halving the others is one less in the exponent.
    Value isNormal = b.icmp(ICmp::uge, magnitude, constant(2 << 10));
    scaled = b.select(isNormal, b.sub(magnitude, constant(1 << 10)), scaled);
  }
  Value result = b.bitOr(scaled, sign);
  if (format.bias == 15) // E5M2 is the high byte of an f16, NaNs and all.
    return b.bitcast(f16, result);
  Value compared = format.isUnsignedZero ? x : b.bitAnd(x, constant(0x7F));
  Value isNan = b.icmp(ICmp::eq, compared, constant(format.nan));
  return b.bitcast(f16, b.select(isNan, constant(0x7E00), result));
}

/// An f32 as an 8-bit float: to nearest even or to zero; what is beyond the
/// largest value becomes it.
Value narrow(Builder &b, Value x, Float8 format, bool toZero) {
  Type i32 = b.intType(32), f32 = b.getBuilder().getF32Type();
  auto constant = [&](int64_t value) { return b.intConstant(i32, value); };
  Value sign =
      b.lshr(b.bitAnd(b.bitcast(i32, x), constant(0x80000000)), constant(24));
  Value magnitude = b.intrinsic("llvm.minnum", f32,
                                {b.intrinsic("llvm.fabs", f32, {x}),
                                 b.floatConstant(f32, format.largest)});

  // Normal numbers: round at the last mantissa bit, then move the exponent.
  unsigned dropped = 23 - format.mantissaBits;
  Value bits = b.bitcast(i32, magnitude);
  if (!toZero) {
    Value odd = b.bitAnd(b.lshr(bits, constant(dropped)), constant(1));
    bits = b.add(b.add(bits, odd), constant((1 << (dropped - 1)) - 1));
  }
  Value normal = b.sub(b.lshr(bits, constant(dropped)),
                       constant((127 - format.bias) << format.mantissaBits));

  // Subnormals are multiples of the least: adding 2^23 of it aligns (and
  // rounds) the mantissa.
  int leastExponent = 1 - format.bias - static_cast<int>(format.mantissaBits);
  Value subnormal;
  if (toZero) {
    subnormal = b.fptoui(
        i32, b.fmul(magnitude,
                    b.floatConstant(f32, std::ldexp(1.0, -leastExponent))));
  } else {
    Value magic = b.floatConstant(f32, std::ldexp(1.0, leastExponent + 23));
    subnormal = b.sub(b.bitcast(i32, b.fadd(magnitude, magic)),
                      constant((127 + leastExponent + 23) << 23));
  }
  Value isSubnormal =
      b.fcmp(FCmp::olt, magnitude,
             b.floatConstant(f32, std::ldexp(1.0, 1 - format.bias)));
  Value result = b.select(isSubnormal, subnormal, normal);
  if (format.isUnsignedZero)
    sign = b.select(b.icmp(ICmp::eq, result, constant(0)), constant(0), sign);
  result = b.bitOr(result, sign);
  result = b.select(b.fcmp(FCmp::uno, x, x), constant(format.nan), result);
  return b.trunc(b.intType(8), result);
}

/// Rounds an f32 or f64 to zero where LLVM's fptrunc rounds to nearest.
Value truncateToZero(Builder &b, Value x, Type to) {
  Type i32 = b.intType(32), f32 = b.getBuilder().getF32Type(),
       from = x.getType();
  if (to.isBF16()) {
    // Rounding to zero twice is the same as once.
    if (from != f32)
      x = truncateToZero(b, x, f32);
    return b.bitcast(
        to, b.trunc(b.intType(16), b.lshr(b.bitcast(i32, x), b.i32(16))));
  }
  // Nearest, and one step back where that went away from zero.
  Value nearest = b.fptrunc(to, x);
  Value back = b.fpext(from, nearest);
  Value tooFar = b.fcmp(FCmp::ogt, b.intrinsic("llvm.fabs", from, {back}),
                        b.intrinsic("llvm.fabs", from, {x}));
  Value bits = b.toBits(nearest);
  return b.fromBits(to, b.sub(bits, b.zext(bits.getType(), tooFar)));
}

} // namespace

Value convertFloat(Builder &b, Value x, Type from, Type to, bool toZero) {
  Type f32 = b.getBuilder().getF32Type();
  if (auto format = float8Of(from)) {
    x = widen(b, x, *format);
    from = x.getType();
  }
  if (auto format = float8Of(to))
    return narrow(b, convertFloat(b, x, from, f32, toZero), *format, toZero);
  unsigned fromBits = bitWidth(from), toBits = bitWidth(to);
  if (from == to)
    return x;
  if (fromBits == toBits) // f16 and bf16
    return convertFloat(b, b.fpext(f32, x), f32, to, toZero);
  if (fromBits < toBits)
    return b.fpext(to, x);
  return toZero ? truncateToZero(b, x, to) : b.fptrunc(to, x);
}

namespace {

/// One of the two e2m1 values of a byte as f16, which holds each exactly.
Value unpackFp4(Builder &b, Value byte, bool isUpper) {
  Type i16 = b.intType(16), f16 = b.getBuilder().getF16Type();
  auto constant = [&](int64_t value) { return b.intConstant(i16, value); };
  Value x = b.zext(i16, byte);
  if (isUpper)
    x = b.lshr(x, constant(4));
  Value sign = b.shl(b.bitAnd(x, constant(8)), constant(12));
  // At f16's places it is the value times a power of two, as in `widen`.
  Value magnitude = b.shl(b.bitAnd(x, constant(7)), constant(9));
  Value scaled = b.fmul(b.bitcast(f16, magnitude),
                        b.floatConstant(f16, std::ldexp(1.0, 15 - 1)));
  return b.bitcast(f16, b.bitOr(b.bitcast(i16, scaled), sign));
}

class Fp4ToFpPattern : public Pattern<ttg::Fp4ToFpOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::Fp4ToFpOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!type.getEncoding())
      return failure();
    const unsigned axis = op.getAxis();
    // The bytes by the coordinates of what they hold.
    std::map<SmallVector<int32_t>, unsigned> bytes;
    auto sources = registerCoordinates(op.getSrc().getType());
    for (auto [r, at] : llvm::enumerate(sources)) {
      at[axis] *= 2;
      bytes.try_emplace(at, r);
    }
    Builder b(op, rewriter);
    SmallVector<Value> values =
        unpack(b, unpackElements(b, adaptor.getSrc()), type.getElementType());
    SmallVector<Value> results;
    for (SmallVector<int32_t> &at : registerCoordinates(type)) {
      bool isUpper = at[axis] & 1;
      at[axis] -= isUpper;
      auto byte = bytes.find(at);
      if (byte == bytes.end())
        return op.emitOpError("has layouts that place the two values of a byte "
                              "in other threads than the byte");
      results.push_back(values[2 * byte->second + isUpper]);
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }

private:
  /// Both values of each byte.
  SmallVector<Value> unpack(Builder &b, ArrayRef<Value> bytes, Type to) const {
    SmallVector<Value> values = hooks.unpackFp4(b, bytes, to);
    if (!values.empty())
      return values;
    for (Value byte : bytes)
      for (bool isUpper : {false, true})
        values.push_back(convertFloat(b, unpackFp4(b, byte, isUpper),
                                      b.getBuilder().getF16Type(), to));
    return values;
  }
};

/// arith.extf, arith.truncf and tt.fp_to_fp.
template <typename Op> class FloatCastPattern : public Pattern<Op> {
public:
  using Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    Type from = getElementTypeOrSelf(op->getOperand(0)),
         to = getElementTypeOrSelf(op->getResult(0));
    bool toZero = false;
    if constexpr (std::is_same_v<Op, tt::FpToFpOp>)
      toZero = op.getRounding() == tt::RoundingMode::RTZ;
    if constexpr (std::is_same_v<Op, arith::TruncFOp>) {
      using Mode = arith::RoundingMode;
      const Mode mode = op.getRoundingmode().value_or(Mode::to_nearest_even);
      toZero = mode == Mode::toward_zero;
      if (!toZero && mode != Mode::to_nearest_even)
        return op.emitError("no lowering for rounding ")
               << arith::stringifyRoundingMode(mode)
               << " yet; to_nearest_even and toward_zero have one";
    }
    SmallVector<Value> elements =
        unpackElements(b, adaptor.getOperands().front());
    SmallVector<Value> results =
        this->hooks.convertFloats(b, elements, from, to, toZero);
    if (results.empty())
      results = llvm::map_to_vector(elements, [&](Value x) {
        return convertFloat(b, x, from, to, toZero);
      });
    rewriter.replaceOp(op, packElements(b, this->converter, results,
                                        op->getResult(0).getType()));
    return success();
  }
};

} // namespace

void populateFloatCastPatterns(const TypeConverter &converter,
                               Patterns &patterns, const TargetHooks &hooks) {
  patterns
      .add<Fp4ToFpPattern, FloatCastPattern<arith::ExtFOp>,
           FloatCastPattern<arith::TruncFOp>, FloatCastPattern<tt::FpToFpOp>>(
          converter, hooks);
}

} // namespace kernelscope::lower
