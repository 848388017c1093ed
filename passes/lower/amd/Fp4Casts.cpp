//===- Fp4Casts.cpp - Values of bytes with two e2m1 -----------------------===//
//
// An instruction where the chip has one. Else `v_perm_b32` looks up four
// magnitudes at once: each is the upper byte of an f16 whose lower one is zero.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/Fp4Casts.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lower/amd/ScaledCasts.h"
#include "passes/lower/support/FloatCast.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

/// `v_perm_b32`: each byte of `selector` selects one of `low`, from 0 on, and
/// `high`, from 4 on; 12 is zero (CDNA3 ISA, "V_PERM_B32").
Value permute(Builder &b, Value high, Value low, Value selector) {
  return b.intrinsic("llvm.amdgcn.perm", b.intType(32), {high, low, selector});
}

/// The upper bytes of four f16, of the e2m1 in the lower half of each byte of
/// `word`. Its bits `signs` are their signs, of the upper halves.
Value upperBytes(Builder &b, Value word, Value signs) {
  // 0, 0.5, 1, 1.5, and 2, 3, 4, 6.
  Value magnitudes = permute(b, b.i32(0x46444240), b.i32(0x3E3C3800),
                             b.bitAnd(word, b.i32(0x07070707)));
  return b.bitOr(magnitudes,
                 b.bitAnd(signs, b.i32(static_cast<int32_t>(0x80808080))));
}

/// Four bytes as eight f16.
SmallVector<Value> lookUp(Builder &b, ArrayRef<Value> four) {
  Type pair = b.vectorType(b.getBuilder().getF16Type(), 2);
  Value word = b.bitcast(b.intType(32), b.makeVector(four));
  Value even = upperBytes(b, word, b.shl(word, b.i32(4))),
        odd = upperBytes(b, b.lshr(word, b.i32(4)), word);
  SmallVector<Value> results;
  for (int32_t i = 0; i < 4; ++i)
    results.append(b.splitVector(b.bitcast(
        pair,
        permute(b, odd, even, b.i32((4 + i) << 24 | 12 << 16 | i << 8 | 12)))));
  return results;
}

} // namespace

SmallVector<Value> widenFp4(Builder &b, const Target &target,
                            ArrayRef<Value> bytes, Type to) {
  Type f16 = b.getBuilder().getF16Type();
  SmallVector<Value> results;
  for (size_t i = 0; i < bytes.size(); i += 4) {
    SmallVector<Value> four(
        bytes.slice(i, std::min<size_t>(4, bytes.size() - i)));
    if (target.scaledCastElements) {
      results.append(
          widenScaled(b, target, four, "fp4", to, unitScale(b, target)));
      continue;
    }
    const size_t count = 2 * four.size();
    four.resize(4, four.back());
    SmallVector<Value> halves = lookUp(b, four);
    for (Value half : ArrayRef(halves).take_front(count))
      results.push_back(convertFloat(b, half, f16, to));
  }
  return results;
}

} // namespace kernelscope::lower
