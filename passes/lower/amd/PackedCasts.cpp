//===- PackedCasts.cpp - Conversions of several small floats at once ------===//
//
// `v_cvt_pk_f32_fp8` and `v_cvt_pk_fp8_f32` convert two 8-bit floats, in the
// formats of the chip: those without a negative zero on CDNA 3, OCP's on later
// ones (AMD's ISA documents, "Vector ALU Operations"). Chips whose conversions
// take a scale use those, with 1. Chips without a conversion of OCP's formats
// widen two by packed arithmetic on halves.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/PackedCasts.h"
#include "dialects/target/MatrixInstructions.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lower/amd/CastMode.h"
#include "passes/lower/amd/ScaledCasts.h"
#include "passes/lower/support/FloatCast.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

/// An 8-bit format as the instructions know it.
struct PairFormat {
  MatrixElement element;
  StringRef name;
  double largest;
};

std::optional<PairFormat> pairFormatOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return PairFormat{MatrixElement::E4M3, "fp8", 448};
  if (isa<Float8E5M2Type>(type))
    return PairFormat{MatrixElement::E5M2, "bf8", 57344};
  if (isa<Float8E4M3FNUZType>(type))
    return PairFormat{MatrixElement::E4M3FNUZ, "fp8", 240};
  if (isa<Float8E5M2FNUZType>(type))
    return PairFormat{MatrixElement::E5M2FNUZ, "bf8", 57344};
  return std::nullopt;
}

/// Chips that multiply a format convert it, too.
bool convertsPairs(const Target &target, const PairFormat &format) {
  MatrixQuery query;
  query.a = format.element;
  return !findMatrixInstructions(target, query).empty();
}

/// Values in groups of up to four, the bytes of a word.
SmallVector<Value> widenBytes(Builder &b, ArrayRef<Value> bytes,
                              const PairFormat &format, Type to) {
  Type f32 = b.getBuilder().getF32Type(), pair = b.vectorType(f32, 2);
  SmallVector<Value> four(bytes), results;
  four.resize(4, bytes.back());
  Value word = b.bitcast(b.intType(32), b.makeVector(four));
  for (size_t i = 0; i < bytes.size(); i += 2)
    for (Value value : b.splitVector(
             b.intrinsic(("llvm.amdgcn.cvt.pk.f32." + format.name).str(), pair,
                         {word, b.i1(i != 0)})))
      results.push_back(to == f32 ? value : b.fptrunc(to, value));
  return results;
}

/// The instruction's own infinities and NaNs come from what is too large unless
/// the mode says otherwise: it is limited first, but for NaNs.
Value limitedTo(Builder &b, const Target &target, Value x,
                const PairFormat &format) {
  Type f32 = x.getType();
  Value least = b.floatConstant(f32, -format.largest),
        most = b.floatConstant(f32, format.largest);
  if (target.hasNanMinimum)
    return b.intrinsic("llvm.maximum", f32,
                       {b.intrinsic("llvm.minimum", f32, {x, most}), least});
  Value inside = b.intrinsic("llvm.amdgcn.fmed3.f32", f32, {x, least, most});
  return b.select(b.fcmp(FCmp::uno, x, x), x, inside);
}

SmallVector<Value> narrowToBytes(Builder &b, const Target &target,
                                 ArrayRef<Value> values,
                                 const PairFormat &format) {
  Type f32 = b.getBuilder().getF32Type(), i32 = b.intType(32);
  const bool saturates = castsSaturate(b), isScaled = target.scaledCastElements;
  SmallVector<Value> wide;
  for (Value value : values) {
    if (value.getType() != f32 && !(saturates && isScaled))
      value = b.fpext(f32, value);
    wide.push_back(saturates ? value : limitedTo(b, target, value, format));
  }
  if (isScaled)
    return narrowScaled(
        b, target, wide,
        SmallVector<Value>(wide.size(), b.floatConstant(f32, 1)), format.name);
  wide.resize(llvm::alignTo(wide.size(), 2), wide.back());
  Value word = b.i32(0);
  for (size_t i = 0; i < wide.size(); i += 2)
    word = b.intrinsic(("llvm.amdgcn.cvt.pk." + format.name + ".f32").str(),
                       i32, {wide[i], wide[i + 1], word, b.i1(i != 0)});
  return b.splitVector(b.bitcast(b.vectorType(b.intType(8), 4), word));
}

/// Whether `widenPair` widens `type`.
bool isOcpFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Two 8-bit floats of OCP, the high bytes of the halves of `bits`, as a vector
/// of f16, which holds each exactly.
Value widenPair(Builder &b, Value bits, Type from) {
  Type f16 = b.getBuilder().getF16Type(), i16 = b.intType(16),
       i32 = b.intType(32), words = b.vectorType(i16, 2),
       halves = b.vectorType(f16, 2);
  auto both = [&](Value value) { return b.makeVector({value, value}); };
  auto constant = [&](int64_t value) {
    return both(b.intConstant(i16, value));
  };
  if (isa<Float8E5M2Type>(from)) // The high byte of an f16, NaNs and all.
    return b.bitcast(halves, bits);
  // Exponent and mantissa at f16's places are the value over 2^8, subnormals
  // included.
  Value shifted = b.ashr(b.bitcast(words, bits), constant(1));
  Value small = b.bitAnd(b.bitcast(i32, shifted),
                         b.i32(static_cast<int32_t>(0xBF80BF80)));
  Value scaled =
      b.fmul(b.bitcast(halves, small), both(b.floatConstant(f16, 256)));
  // 0x7F, a NaN, has become 480. This is 0x100 for it and 0 for others, and
  // moves it to the quiet NaNs.
  Value magnitude = b.bitcast(words, b.bitAnd(bits, b.i32(0x7F007F00)));
  Value excess =
      b.intrinsic("llvm.usub.sat", words, {magnitude, constant(0x7E00)});
  return b.bitcast(
      halves, b.add(b.mul(excess, constant(0x1F)), b.bitcast(words, scaled)));
}

/// 8-bit floats of OCP, widened in packed halves.
SmallVector<Value> widenByArithmetic(Builder &b, ArrayRef<Value> x, Type from,
                                     Type to) {
  Type f16 = b.getBuilder().getF16Type(), i32 = b.intType(32);
  SmallVector<Value> results;
  for (size_t i = 0; i < x.size(); i += 4) {
    SmallVector<Value> bytes(x.slice(i, std::min<size_t>(4, x.size() - i)));
    const bool hasUpper = bytes.size() > 2;
    bytes.resize(4, bytes.back());
    Value word = b.bitcast(i32, b.makeVector(bytes));
    // Bytes 0 and 1, 2 and 3; 12 selects a byte of zeros.
    for (int32_t selector : {0x010C000C, 0x030C020C}) {
      if (selector == 0x030C020C && !hasUpper)
        break;
      Value bits =
          b.intrinsic("llvm.amdgcn.perm", i32, {word, word, b.i32(selector)});
      for (Value half : b.splitVector(widenPair(b, bits, from)))
        results.push_back(convertFloat(b, half, f16, to, /*toZero=*/true));
    }
  }
  results.resize(x.size());
  return results;
}

} // namespace

SmallVector<Value> pairwiseCast(Builder &b, const Target &target,
                                ArrayRef<Value> x, Type from, Type to,
                                bool toZero) {
  auto isWide = [](Type type) {
    return type.isF16() || type.isBF16() || type.isF32();
  };
  auto source = pairFormatOf(from), result = pairFormatOf(to);
  bool widens = source && isWide(to) && convertsPairs(target, *source);
  bool narrows =
      result && isWide(from) && !toZero && convertsPairs(target, *result);
  SmallVector<Value> results;
  if (!widens && !narrows)
    return x.size() > 1 && isOcpFloat8(from) && isWide(to)
               ? widenByArithmetic(b, x, from, to)
               : results;
  const size_t group = widenedBytes(target, /*isFp4=*/false);
  for (size_t i = 0; i < x.size(); i += group) {
    ArrayRef<Value> few = x.slice(i, std::min(group, x.size() - i));
    SmallVector<Value> some = narrows ? narrowToBytes(b, target, few, *result)
                              : target.scaledCastElements
                                  ? widenScaled(b, target, few, source->name,
                                                to, unitScale(b, target))
                                  : widenBytes(b, few, *source, to);
    results.append(some.begin(), some.begin() + few.size());
  }
  return results;
}

} // namespace kernelscope::lower
