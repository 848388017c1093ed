//===- ScaledCasts.cpp - Conversions of small floats by a scale -----------===//
//
// `v_cvt_scalef32_pk_*` of CDNA 4 convert two elements, `v_cvt_scale_pk8_*` and
// `v_cvt_scalef32_pk8_*` of gfx1250 eight.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/ScaledCasts.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace kernelscope::lower {

StringRef castFormatOf(Type type) {
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType>(type))
    return "fp8";
  if (isa<Float8E5M2Type, Float8E5M2FNUZType>(type))
    return "bf8";
  if (type.isF32())
    return "f32";
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  return type.isInteger(8) ? "fp4" : "";
}

CastScale unitScale(Builder &b, const Target &target) {
  return {target.scaledCastElements == 8
              ? b.i32(127 | 127 << 8)
              : b.floatConstant(b.getBuilder().getF32Type(), 1)};
}

static Value wordsOf(Builder &b, ArrayRef<Value> bytes) {
  Value vector = b.makeVector(bytes);
  return b.bitcast(bytes.size() == 4 ? b.intType(32)
                                     : b.vectorType(b.intType(32), 2),
                   vector);
}

static SmallVector<Value> bytesOf(Builder &b, Value words, unsigned count) {
  return b.splitVector(b.bitcast(b.vectorType(b.intType(8), count), words));
}

static SmallVector<Value> paddedTo(size_t count, ArrayRef<Value> values,
                                   Value filling) {
  SmallVector<Value> padded(values);
  padded.resize(count, filling);
  return padded;
}

size_t widenedBytes(const Target &target, bool isFp4) {
  return target.scaledCastElements == 8 && !isFp4 ? 8 : 4;
}

SmallVector<Value> widenScaled(Builder &b, const Target &target,
                               ArrayRef<Value> bytes, StringRef format, Type to,
                               const CastScale &scale) {
  const bool isFp4 = format == "fp4";
  const size_t count = bytes.size() * (isFp4 ? 2 : 1);
  const unsigned atOnce = target.scaledCastElements;
  const std::string suffix = (castFormatOf(to) + "." + format).str();
  SmallVector<Value> results;
  Type byte = bytes.front().getType();
  if (atOnce == 8) {
    // Where half of a word is undefined, LLVM 22 reads it from no register, and
    // crashes when it prints that (`real-true16`).
    results = b.splitVector(b.intrinsic(
        "llvm.amdgcn.cvt.scale.pk8." + suffix, b.vectorType(to, 8),
        {wordsOf(b, paddedTo(widenedBytes(target, isFp4), bytes, b.zero(byte))),
         scale.word, b.i32(static_cast<int32_t>(scale.selector))}));
  } else {
    // A byte of two elements, or a half of a word.
    Value word = wordsOf(b, paddedTo(4, bytes, b.undef(byte)));
    for (size_t i = 0; i < count; i += 2)
      results.append(b.splitVector(b.intrinsic(
          "llvm.amdgcn.cvt.scalef32.pk." + suffix, b.vectorType(to, 2),
          {word, scale.word,
           isFp4 ? b.i32(static_cast<int32_t>(i / 2)) : b.i1(i != 0)})));
  }
  results.truncate(count);
  return results;
}

/// Eight elements.
static SmallVector<Value> narrowEight(Builder &b, ArrayRef<Value> eight,
                                      Value scale, const std::string &suffix,
                                      bool isFp4) {
  Type i32 = b.intType(32);
  return bytesOf(b,
                 b.intrinsic("llvm.amdgcn.cvt.scalef32.pk8." + suffix,
                             isFp4 ? i32 : b.vectorType(i32, 2),
                             {b.makeVector(eight), scale}),
                 isFp4 ? 4 : 8);
}

/// A word of bytes, a pair at a time.
static SmallVector<Value> narrowPairs(Builder &b, ArrayRef<Value> elements,
                                      ArrayRef<Value> scales, size_t count,
                                      const std::string &suffix, bool isFp4) {
  Value word = isFp4 ? b.i32(0) : b.zero(b.vectorType(b.intType(16), 2));
  for (size_t i = 0; i < count; i += 2) {
    SmallVector<Value> arguments{word};
    if (elements.front().getType().isF32())
      arguments.append({elements[i], elements[i + 1]});
    else
      arguments.push_back(b.makeVector(elements.slice(i, 2)));
    arguments.push_back(scales[i]);
    arguments.push_back(isFp4 ? b.i32(static_cast<int32_t>(i / 2))
                              : b.i1(i != 0));
    word = b.intrinsic("llvm.amdgcn.cvt.scalef32.pk." + suffix, word.getType(),
                       arguments);
  }
  return bytesOf(b, word, 4);
}

SmallVector<Value> narrowScaled(Builder &b, const Target &target,
                                ArrayRef<Value> values, ArrayRef<Value> scales,
                                StringRef format) {
  const bool isFp4 = format == "fp4", isWide = target.scaledCastElements == 8;
  // A word, or of eight bytes two.
  const size_t group = isWide || isFp4 ? 8 : 4;
  const std::string suffix =
      (format + "." + castFormatOf(values.front().getType())).str();
  SmallVector<Value> bytes;
  for (size_t i = 0; i < values.size(); i += group) {
    const size_t count = std::min(group, values.size() - i);
    SmallVector<Value> some = paddedTo(group, values.slice(i, count),
                                       b.undef(values.front().getType()));
    ArrayRef<Value> by = scales.slice(i, count);
    SmallVector<Value> packed =
        isWide ? narrowEight(b, some, by.front(), suffix, isFp4)
               : narrowPairs(b, some, by, count, suffix, isFp4);
    bytes.append(packed.begin(), packed.begin() + count / (isFp4 ? 2 : 1));
  }
  return bytes;
}

} // namespace kernelscope::lower
