//===- IntegerFunctions.cpp - Functions of integers -----------------------===//
//
// LLVM's intrinsics on integers, and AMDGPU's.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kernelscope::wave {

using OneInt = uint64_t (*)(uint64_t, unsigned bits);
using TwoInts = uint64_t (*)(uint64_t, uint64_t, unsigned bits);

/// Of the operands. These functions know one word of an integer.
static unsigned bitsOfIntegers(const Call &call) {
  if (call.value(0)->getType()->getScalarSizeInBits() > 64)
    call.decoder.fail("the wave simulator does not run '" + call.name +
                      "' on integers of more than 64 bits");
  return call.decoder.scalarOf(call.value(0)).bits;
}

template <OneInt fn> static void ofOneInt(const Call &call) {
  const unsigned bits = bitsOfIntegers(call);
  for (auto [to, x] : zip_equal(call.define(), call.operand(0)))
    call.decoder.unary(to, x, [=](uint64_t value) { return fn(value, bits); });
}

template <TwoInts fn> static void ofTwoInts(const Call &call) {
  const unsigned bits = bitsOfIntegers(call);
  for (auto [to, x, y] :
       zip_equal(call.define(), call.operand(0), call.operand(1)))
    call.decoder.binary(to, x, y,
                        [=](uint64_t a, uint64_t b) { return fn(a, b, bits); });
}

/// `llvm.vector.reduce.*`: all elements in one.
template <TwoInts fn> static void ofAllInts(const Call &call) {
  const unsigned bits = bitsOfIntegers(call);
  const Columns elements = call.operand(0);
  const Column to = call.define()[0];
  call.decoder.unary(to, elements[0], [](uint64_t x) { return x; });
  for (Column element : ArrayRef(elements).drop_front())
    call.decoder.binary(to, to, element, [=](uint64_t a, uint64_t b) {
      return fn(a, b, bits) & lowBits(bits);
    });
}

static uint64_t sumOfInts(uint64_t x, uint64_t y, unsigned) { return x + y; }
static uint64_t productOfInts(uint64_t x, uint64_t y, unsigned) {
  return x * y;
}
static uint64_t conjunction(uint64_t x, uint64_t y, unsigned) { return x & y; }
static uint64_t disjunction(uint64_t x, uint64_t y, unsigned) { return x | y; }
static uint64_t difference(uint64_t x, uint64_t y, unsigned) { return x ^ y; }
static uint64_t smax(uint64_t x, uint64_t y, unsigned bits) {
  return signExtend(x, bits) > signExtend(y, bits) ? x : y;
}
static uint64_t smin(uint64_t x, uint64_t y, unsigned bits) {
  return signExtend(x, bits) < signExtend(y, bits) ? x : y;
}
static uint64_t umax(uint64_t x, uint64_t y, unsigned) {
  return std::max(x, y);
}
static uint64_t umin(uint64_t x, uint64_t y, unsigned) {
  return std::min(x, y);
}
static uint64_t subtractToZero(uint64_t x, uint64_t y, unsigned) {
  return x > y ? x - y : 0;
}
static uint64_t addToMax(uint64_t x, uint64_t y, unsigned bits) {
  const uint64_t top = lowBits(bits);
  return x > top - y ? top : x + y;
}
static uint64_t absoluteInt(uint64_t x, unsigned bits) {
  return (signExtend(x, bits) < 0 ? uint64_t{0} - x : x) & lowBits(bits);
}
static uint64_t countOnes(uint64_t x, unsigned) {
  return static_cast<uint64_t>(std::popcount(x));
}
static uint64_t leadingZeros(uint64_t x, unsigned bits) {
  return static_cast<uint64_t>(std::countl_zero(x)) - (64 - bits);
}
static uint64_t trailingZeros(uint64_t x, unsigned bits) {
  return x ? static_cast<uint64_t>(std::countr_zero(x)) : bits;
}
static uint64_t reverse(uint64_t x, unsigned bits) {
  return reverseBits(x) >> (64 - bits);
}
static uint64_t swapBytes(uint64_t x, unsigned bits) {
  return byteswap(x) >> (64 - bits);
}

template <bool isLeft> static void funnelShift(const Call &call) {
  const unsigned bits = bitsOfIntegers(call);
  for (auto [to, x, y, count] : zip_equal(call.define(), call.operand(0),
                                          call.operand(1), call.operand(2)))
    call.decoder.ternary(
        to, x, y, count, [=](uint64_t high, uint64_t low, uint64_t n) {
          const auto by = static_cast<unsigned>(n % bits);
          if (by == 0)
            return isLeft ? high : low;
          const unsigned left = isLeft ? by : bits - by;
          return ((high << left) | (low >> (bits - left))) & lowBits(bits);
        });
}

/// The result and whether it is out of range.
template <typename Wide, typename Fn>
static void withOverflow(const Call &call, Fn fn) {
  const unsigned bits = bitsOfIntegers(call);
  const Columns xs = call.operand(0), ys = call.operand(1), to = call.define();
  for (auto [i, pair] : enumerate(zip_equal(xs, ys))) {
    auto [x, y] = pair;
    call.decoder.emit([=, x = x, y = y, result = to[i],
                       flag = to[xs.size() + i]](Wave &wave) {
      wave.forLanes([&](unsigned lane) {
        auto read = [&](Column c) -> Wide {
          const uint64_t value = wave.value(c, lane);
          if constexpr (std::is_same_v<Wide, __int128>)
            return signExtend(value, bits);
          else
            return value;
        };
        const Wide exact = fn(read(x), read(y));
        const uint64_t wrapped = static_cast<uint64_t>(exact) & lowBits(bits);
        Wide back = wrapped;
        if constexpr (std::is_same_v<Wide, __int128>)
          back = signExtend(wrapped, bits);
        wave.value(result, lane) = wrapped;
        wave.value(flag, lane) = back != exact;
      });
    });
  }
}

/// Four bytes, each chosen from two words by a byte of the third operand.
static void selectBytes(const Call &call) {
  call.decoder.ternary(
      call.define()[0], call.scalar(0), call.scalar(1), call.scalar(2),
      [](uint64_t high, uint64_t low, uint64_t selector) {
        const uint64_t bytes = high << 32 | low;
        uint64_t result = 0;
        for (unsigned i = 0; i < 4; ++i) {
          const unsigned which = (selector >> (8 * i)) & 0xff;
          uint64_t byte = 0xff;
          if (which < 8)
            byte = (bytes >> (8 * which)) & 0xff;
          else if (which < 12) // the sign of a half
            byte = (bytes >> (16 * (which - 8) + 15)) & 1 ? 0xff : 0;
          else if (which == 12)
            byte = 0;
          result |= byte << (8 * i);
        }
        return result;
      });
}

template <bool isSigned> static void extractField(const Call &call) {
  const unsigned bits = bitsOfIntegers(call);
  call.decoder.ternary(
      call.define()[0], call.scalar(0), call.scalar(1), call.scalar(2),
      [=](uint64_t value, uint64_t offset, uint64_t width) {
        offset %= bits;
        width %= bits;
        const uint64_t field =
            (value >> offset) & lowBits(static_cast<unsigned>(width));
        return isSigned && width ? static_cast<uint64_t>(signExtend(
                                       field, static_cast<unsigned>(width))) &
                                       lowBits(bits)
                                 : field;
      });
}

void addIntegerFunctions(Meanings &meanings) {
  meanings.add("llvm.smax", ofTwoInts<smax>);
  meanings.add("llvm.smin", ofTwoInts<smin>);
  meanings.add("llvm.umax", ofTwoInts<umax>);
  meanings.add("llvm.umin", ofTwoInts<umin>);
  meanings.add("llvm.usub.sat", ofTwoInts<subtractToZero>);
  meanings.add("llvm.uadd.sat", ofTwoInts<addToMax>);
  meanings.add("llvm.abs", ofOneInt<absoluteInt>);
  meanings.add("llvm.ctpop", ofOneInt<countOnes>);
  meanings.add("llvm.ctlz", ofOneInt<leadingZeros>);
  meanings.add("llvm.cttz", ofOneInt<trailingZeros>);
  meanings.add("llvm.bitreverse", ofOneInt<reverse>);
  meanings.add("llvm.bswap", ofOneInt<swapBytes>);
  meanings.add("llvm.fshl", funnelShift<true>);
  meanings.add("llvm.fshr", funnelShift<false>);
  meanings.add("llvm.uadd.with.overflow", [](const Call &call) {
    withOverflow<unsigned __int128>(call, std::plus<>());
  });
  meanings.add("llvm.umul.with.overflow", [](const Call &call) {
    withOverflow<unsigned __int128>(call, std::multiplies<>());
  });
  meanings.add("llvm.usub.with.overflow", [](const Call &call) {
    withOverflow<unsigned __int128>(call, std::minus<>());
  });
  meanings.add("llvm.sadd.with.overflow", [](const Call &call) {
    withOverflow<__int128>(call, std::plus<>());
  });
  meanings.add("llvm.ssub.with.overflow", [](const Call &call) {
    withOverflow<__int128>(call, std::minus<>());
  });
  meanings.add("llvm.smul.with.overflow", [](const Call &call) {
    withOverflow<__int128>(call, std::multiplies<>());
  });
  meanings.add("llvm.vector.reduce.add", ofAllInts<sumOfInts>);
  meanings.add("llvm.vector.reduce.mul", ofAllInts<productOfInts>);
  meanings.add("llvm.vector.reduce.and", ofAllInts<conjunction>);
  meanings.add("llvm.vector.reduce.or", ofAllInts<disjunction>);
  meanings.add("llvm.vector.reduce.xor", ofAllInts<difference>);
  meanings.add("llvm.vector.reduce.smax", ofAllInts<smax>);
  meanings.add("llvm.vector.reduce.smin", ofAllInts<smin>);
  meanings.add("llvm.vector.reduce.umax", ofAllInts<umax>);
  meanings.add("llvm.vector.reduce.umin", ofAllInts<umin>);
  meanings.add("llvm.amdgcn.perm", selectBytes);
  meanings.add("llvm.amdgcn.ubfe", extractField<false>);
  meanings.add("llvm.amdgcn.sbfe", extractField<true>);
}

} // namespace kernelscope::wave
