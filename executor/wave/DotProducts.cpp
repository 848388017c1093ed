//===- DotProducts.cpp - Products of the elements of a lane's words -------===//
//
// v_dot2, v_dot4 and v_dot8: each lane adds the products of the elements of two
// words to a number. The sum is rounded once.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include <algorithm>

using namespace llvm;

namespace kernelscope::wave {

/// Two elements of 16 bits each; a sum in f32 may be clamped to [0, 1].
static void floatDot(const Call &call) {
  Decoder &decoder = call.decoder;
  const Columns x = call.operand(0), y = call.operand(1);
  const Column sum = call.scalar(2), to = call.define()[0];
  const auto kind = call.floatKind(0);
  const auto sumKind = call.floatKind(2);
  const bool clamps = call.numOperands() > 3 && call.immediate(3);
  withCodec(kind, [&]<typename Element>() {
    withCodec(sumKind, [&]<typename Sum>() {
      decoder.emit([=](Wave &wave) {
        wave.forLanes([&](unsigned lane) {
          double total = Sum::load(wave.value(sum, lane));
          for (auto [a, b] : zip(x, y))
            total += static_cast<double>(Element::load(wave.value(a, lane))) *
                     static_cast<double>(Element::load(wave.value(b, lane)));
          if (clamps)
            total = std::clamp(total, 0.0, 1.0);
          wave.value(to, lane) = Sum::store(total);
        });
      });
    });
  });
}

/// `count` elements in each word, signed or not; the sum has 32 bits, and may
/// be clamped to them. `mixed` words have a flag before them that says whether
/// they are signed.
template <unsigned count, bool isSigned, bool mixed = false>
static void integerDot(const Call &call) {
  const Column x = call.words(mixed ? 1 : 0)[0],
               y = call.words(mixed ? 3 : 1)[0],
               sum = call.scalar(mixed ? 4 : 2);
  const bool xSigned = mixed ? call.immediate(0) : isSigned,
             ySigned = mixed ? call.immediate(2) : isSigned,
             clamps = call.immediate(mixed ? 5 : 3);
  const Column to = call.define()[0];
  call.decoder.emit([=](Wave &wave) {
    constexpr unsigned bits = 32 / count;
    auto element = [](uint64_t word, unsigned i, bool hasSign) {
      const uint64_t raw = word >> (i * bits) & lowBits(bits);
      return hasSign ? signExtend(raw, bits) : static_cast<int64_t>(raw);
    };
    constexpr bool hasSign = isSigned || mixed;
    constexpr int64_t least = hasSign ? INT32_MIN : 0,
                      most = hasSign ? INT32_MAX : UINT32_MAX;
    wave.forLanes([&](unsigned lane) {
      int64_t total = hasSign ? signExtend(wave.value(sum, lane), 32)
                              : static_cast<int64_t>(wave.value(sum, lane));
      for (unsigned i = 0; i < count; ++i)
        total += element(wave.value(x, lane), i, xSigned) *
                 element(wave.value(y, lane), i, ySigned);
      if (clamps)
        total = std::clamp(total, least, most);
      wave.value(to, lane) = static_cast<uint64_t>(total) & lowBits(32);
    });
  });
}

void addDotProducts(Meanings &meanings) {
  for (StringRef types : {"", ".f16.f16", ".bf16.bf16", ".f32.bf16"})
    meanings.add("llvm.amdgcn.fdot2" + types, floatDot);
  meanings.add("llvm.amdgcn.fdot2c.f32.bf16", floatDot);
  meanings.add("llvm.amdgcn.sdot2", integerDot<2, true>);
  meanings.add("llvm.amdgcn.udot2", integerDot<2, false>);
  meanings.add("llvm.amdgcn.sdot4", integerDot<4, true>);
  meanings.add("llvm.amdgcn.udot4", integerDot<4, false>);
  meanings.add("llvm.amdgcn.sdot8", integerDot<8, true>);
  meanings.add("llvm.amdgcn.udot8", integerDot<8, false>);
  meanings.add("llvm.amdgcn.sudot4", integerDot<4, true, true>);
  meanings.add("llvm.amdgcn.sudot8", integerDot<8, true, true>);
}

} // namespace kernelscope::wave
