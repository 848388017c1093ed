//===- PackedCasts.cpp - Conversions of several small floats at once ------===//
//
// `v_cvt_pk_f32_fp8` and `v_cvt_pk_fp8_f32` convert two 8-bit floats, in the
// formats of the chip: those without a negative zero on CDNA 3, OCP's on later
// ones (AMD's ISA documents, "Vector ALU Operations"). Chips whose conversions
// take a scale use those, with 1.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/PackedCasts.h"
#include "dialects/target/MatrixInstructions.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lower/amd/CastMode.h"
#include "passes/lower/amd/ScaledCasts.h"

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
    return results;
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
