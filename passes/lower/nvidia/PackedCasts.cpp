//===- PackedCasts.cpp - Conversions of several small floats at once ------===//
//
// From Ada on, `cvt` takes two 8-bit floats (PTX ISA, "cvt"). Four e2m1 values
// are looked up at once by `prmt`, whose selectors are nibbles, too.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/PackedCasts.h"
#include "dialects/target/MatrixInstructions.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lower/nvidia/Ptx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

/// The name of a pair of 8-bit floats in `cvt`; empty for other formats.
StringRef pairName(Type type) {
  return isa<Float8E4M3FNType>(type) ? "e4m3x2"
         : isa<Float8E5M2Type>(type) ? "e5m2x2"
                                     : "";
}

bool isWide(Type type) { return type.isF16() || type.isBF16() || type.isF32(); }

/// The elements of `x` in groups of `count`, the last one filled up by copies
/// of its last element.
SmallVector<SmallVector<Value>> groupsOf(ArrayRef<Value> x, size_t count) {
  SmallVector<SmallVector<Value>> groups;
  for (size_t i = 0; i < x.size(); i += count) {
    groups.emplace_back(x.slice(i, std::min(count, x.size() - i)));
    groups.back().resize(count, groups.back().back());
  }
  return groups;
}

/// A pair of vector type <2 x f16> as `to`.
Value fromHalves(Builder &b, Value pair, Type to) {
  if (to.isF16())
    return pair;
  Value wide = b.fpext(b.vectorType(b.getBuilder().getF32Type(), 2), pair);
  return to.isF32() ? wide : b.fptrunc(b.vectorType(to, 2), wide);
}

Value widenPair(Builder &b, ArrayRef<Value> bytes, StringRef name, Type to) {
  Ptx ptx(b);
  std::string result = ptx.output(32);
  Value both = b.bitcast(b.intType(16), b.makeVector(bytes));
  std::string source = ptx.input(both, "h");
  Value halves = ptx.emitPure("cvt.rn.f16x2." + name.str() + " " + result +
                              ", " + source + ";")
                     .front();
  return fromHalves(
      b, b.bitcast(b.vectorType(b.getBuilder().getF16Type(), 2), halves), to);
}

SmallVector<Value> narrowPair(Builder &b, ArrayRef<Value> pair,
                              StringRef name) {
  Type f32 = b.getBuilder().getF32Type();
  Ptx ptx(b);
  std::string result = ptx.output(16);
  std::string opcode = "cvt.rn.satfinite." + name.str();
  SmallVector<std::string> sources;
  if (pair[0].getType().isF16()) {
    opcode += ".f16x2 ";
    sources.push_back(
        ptx.input(b.bitcast(b.intType(32), b.makeVector(pair)), "r"));
  } else {
    opcode += ".f32 ";
    // The first source is the upper half of the result.
    for (Value value : llvm::reverse(pair))
      sources.push_back(
          ptx.input(value.getType() == f32 ? value : b.fpext(f32, value), "f"));
  }
  Value both =
      ptx.emitPure(opcode + result + ", " + llvm::join(sources, ", ") + ";")
          .front();
  return b.splitVector(b.bitcast(b.vectorType(b.intType(8), 2), both));
}

Value permute(Builder &b, Value low, Value high, Value selector) {
  return b.intrinsic("llvm.nvvm.prmt", b.intType(32), {low, high, selector});
}

/// Four e2m1 values, the lower 16 bits of `nibbles`, as two words of two values
/// of `to` each.
SmallVector<Value> widenNibbles(Builder &b, Value nibbles, Type to) {
  auto word = [&](uint32_t bits) { return b.i32(static_cast<int32_t>(bits)); };
  // A selector's upper bit would repeat the sign of the byte that it selects.
  Value magnitudes = b.bitAnd(nibbles, word(0x7777));
  // Upper bytes of 0, 0.5, 1, 1.5, then of 2, 3, 4, 6.
  bool isHalf = to.isF16();
  Value upper = permute(b, word(isHalf ? 0x3E3C3800 : 0x3F3F3F00),
                        word(isHalf ? 0x46444240 : 0x40404040), magnitudes);
  // Selected so, a byte 0x80 becomes 0xFF where the value is negative.
  Value signs = permute(b, word(0x80808080), word(0x80808080), nibbles);
  signs = b.bitAnd(b.shl(signs, b.i32(1)), word(0x80808080));
  upper = b.bitOr(upper, signs);
  // All of f16's lower bytes are zero.
  Value lower =
      isHalf ? b.i32(0)
             : permute(b, word(0xC0800000), word(0xC0804000), magnitudes);
  return {permute(b, lower, upper, word(0x5140)),
          permute(b, lower, upper, word(0x7362))};
}

} // namespace

/// Chips that multiply 8-bit floats convert them, too.
static bool hasPairs(const Target &target) {
  MatrixQuery query;
  query.a = MatrixElement::E4M3;
  return !findMatrixInstructions(target, query).empty();
}

SmallVector<Value> packedCast(Builder &b, const Target &target,
                              ArrayRef<Value> x, Type from, Type to,
                              bool toZero) {
  if (!hasPairs(target))
    return {};
  StringRef source = pairName(from), result = pairName(to);
  bool widens = !source.empty() && isWide(to);
  if (!widens && (result.empty() || !isWide(from) || toZero))
    return {};
  SmallVector<Value> results;
  for (ArrayRef<Value> pair : groupsOf(x, 2))
    results.append(widens ? b.splitVector(widenPair(b, pair, source, to))
                          : narrowPair(b, pair, result));
  results.truncate(x.size());
  return results;
}

SmallVector<Value> unpackedFp4(Builder &b, ArrayRef<Value> bytes, Type to) {
  if (!to.isF16() && !to.isBF16())
    return {};
  SmallVector<Value> results;
  for (ArrayRef<Value> four : groupsOf(bytes, 4)) {
    Value nibbles = b.bitcast(b.intType(32), b.makeVector(four));
    for (Value half : {nibbles, b.lshr(nibbles, b.i32(16))})
      for (Value word : widenNibbles(b, half, to))
        results.append(b.splitVector(b.bitcast(b.vectorType(to, 2), word)));
  }
  results.truncate(2 * bytes.size());
  return results;
}

} // namespace kernelscope::lower
