//===- AngleReduction.cpp - Large angles of sine and cosine in f64 --------===//
//
// V_TRIG_PREOP_F64 (AMD, "RDNA3 Instruction Set Architecture", VOP3): 53 bits
// of 2/pi, those that a reduction of the operand needs next.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "llvm/ADT/APInt.h"
#include <bit>
#include <cmath>

using namespace llvm;

namespace kernelscope::wave {

/// The first 1,201 bits of 2/pi after the point, and zeros.
static const APInt &twoOverPi() {
  static const APInt bits(
      1216, {0x56033046fc7b0000, 0x6bfb5fb11f8d5d08, 0x3d0739f78a5292ea,
             0x7527bac7ebe5f17b, 0x4f463f669e5fea2d, 0x6d367ecf27cb09b7,
             0xef2f118b5a0a6d1f, 0x1ff897ffde05980f, 0x9c845f8bbdf9283b,
             0x3991d639835339f4, 0xe99c7026b45f7e41, 0xe88235f52ebb4484,
             0xfe1deb1cb129a73e, 0x06492eea09d1921c, 0xb7246e3a424dd2e0,
             0xfe5163abdebbc561, 0xdb6295993c439041, 0xfc2757d1f534ddc0,
             0xa2f9836e4e441529});
  return bits;
}

static double segmentOfTwoOverPi(uint64_t angle, uint64_t segment) {
  const unsigned exponent = angle >> 52 & 0x7ff;
  unsigned shift = static_cast<unsigned>(segment & 31) * 53;
  if (exponent > 1077)
    shift += exponent - 1077;
  const uint64_t bits =
      shift < 1216 ? twoOverPi().shl(shift).lshr(1216 - 53).getZExtValue() : 0;
  const int scale = -53 - static_cast<int>(shift) + (exponent >= 1968) * 128;
  return std::ldexp(static_cast<double>(bits), scale);
}

void addAngleReduction(Meanings &meanings) {
  meanings.add("llvm.amdgcn.trig.preop", [](const Call &call) {
    call.decoder.binary(call.define()[0], call.scalar(0), call.scalar(1),
                        [](uint64_t angle, uint64_t segment) {
                          return std::bit_cast<uint64_t>(
                              segmentOfTwoOverPi(angle, segment));
                        });
  });
}

} // namespace kernelscope::wave
