//===- LaneMoves.cpp - Values from lane to lane ---------------------------===//
//
// AMD's ISA documents, "Data Parallel Processing (DPP)", "V_PERMLANE*",
// "DS_SWIZZLE_B32" and "DS_BPERMUTE_B32". A move by DPP takes a cycle or two,
// one through the LDS crossbar as long as a load of LDS.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/LaneMoves.h"
#include "dialects/target/LaneSwaps.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {
/// Controls of `update.dpp` (AMD's ISA manuals, "DPP_CTRL").
enum Dpp : int32_t {
  /// Rows of 16 lanes rotated right by 8.
  RowRotateEight = 0x128,
  /// Eight lanes in reverse.
  RowHalfMirror = 0x141,
  /// Rows of 16 lanes, lane ^ (the low four bits); from RDNA on.
  RowXor = 0x160
};
} // namespace

/// All controls here give each lane a lane that there is; that lanes without
/// one get zero (the last operand) lets LLVM make the move part of the
/// instruction that takes the value.
static Value dpp(lower::Builder &b, Value value, int32_t control) {
  return b.intrinsic(
      "llvm.amdgcn.update.dpp.i32", b.intType(32),
      {value, value, b.i32(control), b.i32(15), b.i32(15), b.i1(true)});
}

Value lower::permuteLanes(lower::Builder &b, Value value, Value lane) {
  return b.intrinsic("llvm.amdgcn.ds.bpermute", b.intType(32),
                     {b.shl(lane, b.i32(2)), value});
}

std::pair<Value, Value> lower::swapLanes(lower::Builder &b, Value first,
                                         Value second, unsigned bit) {
  SmallVector<Value> swapped = b.splitStruct(b.intrinsic(
      bit == 16 ? "llvm.amdgcn.permlane16.swap" : "llvm.amdgcn.permlane32.swap",
      b.structType({b.intType(32), b.intType(32)}),
      {first, second, b.i1(false), b.i1(false)}));
  return {swapped[0], swapped[1]};
}

/// Within a row of 16 lanes, on chips without `RowXor`.
static Value xorInRow(lower::Builder &b, Value value, unsigned mask) {
  if (mask & 8)
    value = dpp(b, value, RowRotateEight);
  // The mirror moves by 7: of that, a permutation of four lanes undoes 3.
  unsigned inFour = mask & 3;
  if (mask & 4) {
    value = dpp(b, value, RowHalfMirror);
    inFour ^= 3;
  }
  if (!inFour)
    return value;
  int32_t control = 0;
  for (unsigned lane = 0; lane < 4; ++lane)
    control |= static_cast<int32_t>((lane ^ inFour) << (2 * lane));
  return dpp(b, value, control);
}

Value lower::xorLanes(lower::Builder &b, const Target &target, Value value,
                      Value lane, unsigned mask) {
  const unsigned inRow = mask & 15;
  unsigned rows = mask & ~15u;
  auto moveInRow = [&](Value moved) {
    if (!inRow)
      return moved;
    return target.hasRowMoves
               ? dpp(b, moved, RowXor + static_cast<int32_t>(inRow))
               : xorInRow(b, moved, inRow);
  };
  if (rows == 16 && target.hasRowMoves)
    // The other row of 16 lanes, each lane its own index there.
    return moveInRow(b.intrinsic("llvm.amdgcn.permlanex16.i32", b.intType(32),
                                 {value, value, b.i32(0x76543210),
                                  b.i32(static_cast<int32_t>(0xFEDCBA98)),
                                  b.i1(false), b.i1(false)}));
  if ((rows & ~swappedLaneBits(target)) == 0) {
    for (; rows; rows &= rows - 1) {
      // Both lanes of a pair have both values.
      const unsigned bit = rows & -rows;
      auto [without, with] = swapLanes(b, value, value, bit);
      Value isWith = b.icmp(
          ICmp::ne, b.bitAnd(lane, b.i32(static_cast<int32_t>(bit))), b.i32(0));
      value = b.select(isWith, without, with);
    }
    return moveInRow(value);
  }
  if (mask < 32)
    // Bit mode: source lane = (lane & 31) ^ mask.
    return b.intrinsic("llvm.amdgcn.ds.swizzle", b.intType(32),
                       {value, b.i32(static_cast<int32_t>(mask << 10 | 31))});
  return permuteLanes(b, value,
                      b.bitXor(lane, b.i32(static_cast<int32_t>(mask))));
}
