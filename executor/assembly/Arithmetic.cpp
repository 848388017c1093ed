//===- Arithmetic.cpp - What instructions compute -------------------------===//
//
// Floats are computed in double and rounded once, fma in one rounding.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Arithmetic.h"
#include "executor/ops/Float.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <cfenv>
#include <cmath>

using namespace llvm;

namespace kernelscope::executor::assembly {

namespace {

/// A function of floats in double, or of integers that are extended to 64 bits
/// by their type.
struct FloatOperation {
  unsigned sources;
  double (*compute)(const double *x);
};
struct IntegerOperation {
  unsigned sources;
  uint64_t (*compute)(const uint64_t *x, Type type);
};

/// The larger or smaller magnitude with the product's sign.
template <typename Fn> double xorSign(const double *x, Fn choose) {
  return std::copysign(choose(std::fabs(x[0]), std::fabs(x[1])),
                       std::copysign(1.0, x[0]) * std::copysign(1.0, x[1]));
}

const StringMap<FloatOperation> &floatOperations() {
  using D = const double *;
  static const StringMap<FloatOperation> table = {
      {"add", {2, [](D x) { return x[0] + x[1]; }}},
      {"sub", {2, [](D x) { return x[0] - x[1]; }}},
      {"mul", {2, [](D x) { return x[0] * x[1]; }}},
      {"div", {2, [](D x) { return x[0] / x[1]; }}},
      {"fma", {3, [](D x) { return std::fma(x[0], x[1], x[2]); }}},
      {"min", {2, [](D x) { return minimumNumber(x[0], x[1]); }}},
      {"max", {2, [](D x) { return maximumNumber(x[0], x[1]); }}},
      {"min.NaN",
       {2,
        [](D x) {
          return std::isunordered(x[0], x[1]) ? x[0] + x[1]
                                              : minimumNumber(x[0], x[1]);
        }}},
      {"max.NaN",
       {2,
        [](D x) {
          return std::isunordered(x[0], x[1]) ? x[0] + x[1]
                                              : maximumNumber(x[0], x[1]);
        }}},
      {"min3",
       {3, [](D x) { return minimumNumber(minimumNumber(x[0], x[1]), x[2]); }}},
      {"max3",
       {3, [](D x) { return maximumNumber(maximumNumber(x[0], x[1]), x[2]); }}},
      {"med3",
       {3,
        [](D x) {
          return maximumNumber(minimumNumber(x[0], x[1]),
                               minimumNumber(maximumNumber(x[0], x[1]), x[2]));
        }}},
      {"copysign", {2, [](D x) { return std::copysign(x[1], x[0]); }}},
      {"mov", {1, [](D x) { return x[0]; }}},
      {"abs", {1, [](D x) { return std::fabs(x[0]); }}},
      {"neg", {1, [](D x) { return -x[0]; }}},
      {"sqrt", {1, [](D x) { return std::sqrt(x[0]); }}},
      {"rsqrt", {1, [](D x) { return 1 / std::sqrt(x[0]); }}},
      {"rcp", {1, [](D x) { return 1 / x[0]; }}},
      {"ex2", {1, [](D x) { return std::exp2(x[0]); }}},
      {"lg2", {1, [](D x) { return std::log2(x[0]); }}},
      {"sin", {1, [](D x) { return std::sin(x[0]); }}},
      {"cos", {1, [](D x) { return std::cos(x[0]); }}},
      {"tanh", {1, [](D x) { return std::tanh(x[0]); }}},
      {"trunc", {1, [](D x) { return std::trunc(x[0]); }}},
      {"floor", {1, [](D x) { return std::floor(x[0]); }}},
      {"ceil", {1, [](D x) { return std::ceil(x[0]); }}},
      {"rndne", {1, [](D x) { return std::nearbyint(x[0]); }}},
      {"max.xorsign.abs", {2, [](D x) { return xorSign(x, maximumNumber); }}},
      {"min.xorsign.abs", {2, [](D x) { return xorSign(x, minimumNumber); }}},
      {"fract", {1, [](D x) { return x[0] - std::floor(x[0]); }}},
  };
  return table;
}

template <typename Fn> uint64_t signedly(const uint64_t *x, Type type, Fn fn) {
  return type.kind == Type::Signed ? fn(int64_t(x[0]), int64_t(x[1]))
                                   : fn(x[0], x[1]);
}

uint64_t highHalf(const uint64_t *x, Type type) {
  if (type.kind == Type::Signed)
    return (__int128(int64_t(x[0])) * int64_t(x[1])) >> type.bits;
  return (static_cast<unsigned __int128>(x[0]) * x[1]) >> type.bits;
}

/// PTX ISA, "prmt", in its default mode: four bytes, each chosen by a nibble
/// from the eight of the two sources; the nibble's highest bit copies the sign.
uint64_t permuteBytes(uint64_t low, uint64_t high, uint64_t selector) {
  const uint64_t bytes = truncate(low, 32) | high << 32;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint64_t choice = selector >> (4 * i);
    uint64_t byte = bytes >> (8 * (choice & 7)) & 0xff;
    if (choice & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

const StringMap<IntegerOperation> &integerOperations() {
  using U = const uint64_t *;
  static const StringMap<IntegerOperation> table = {
      {"mov", {1, [](U x, Type) { return x[0]; }}},
      {"add", {2, [](U x, Type) { return x[0] + x[1]; }}},
      {"sub", {2, [](U x, Type) { return x[0] - x[1]; }}},
      {"mul", {2, [](U x, Type) { return x[0] * x[1]; }}},
      {"mulhi", {2, highHalf}},
      {"mad", {3, [](U x, Type) { return x[0] * x[1] + x[2]; }}},
      {"madhi", {3, [](U x, Type t) { return highHalf(x, t) + x[2]; }}},
      {"div",
       {2,
        [](U x, Type t) {
          return signedly(x, t, [](auto a, auto b) -> uint64_t {
            using T = decltype(a);
            return b == 0                    ? ~uint64_t{0}
                   : b == T(-1) && T(-1) < 0 ? 0 - uint64_t(a)
                                             : uint64_t(a / b);
          });
        }}},
      {"rem",
       {2,
        [](U x, Type t) {
          return signedly(x, t, [](auto a, auto b) -> uint64_t {
            using T = decltype(a);
            return b == 0                    ? uint64_t(a)
                   : b == T(-1) && T(-1) < 0 ? 0
                                             : uint64_t(a % b);
          });
        }}},
      {"min",
       {2,
        [](U x, Type t) {
          return signedly(
              x, t, [](auto a, auto b) -> uint64_t { return std::min(a, b); });
        }}},
      {"max",
       {2,
        [](U x, Type t) {
          return signedly(
              x, t, [](auto a, auto b) -> uint64_t { return std::max(a, b); });
        }}},
      {"abs",
       {1, [](U x, Type) { return int64_t(x[0]) < 0 ? 0 - x[0] : x[0]; }}},
      {"neg", {1, [](U x, Type) { return 0 - x[0]; }}},
      {"sad",
       {3,
        [](U x, Type t) {
          return signedly(x, t,
                          [](auto a, auto b) -> uint64_t {
                            return a > b ? uint64_t(a) - b : uint64_t(b) - a;
                          }) +
                 x[2];
        }}},
      {"and", {2, [](U x, Type) { return x[0] & x[1]; }}},
      {"or", {2, [](U x, Type) { return x[0] | x[1]; }}},
      {"xor", {2, [](U x, Type) { return x[0] ^ x[1]; }}},
      {"not", {1, [](U x, Type) { return ~x[0]; }}},
      {"xnor", {2, [](U x, Type) { return ~(x[0] ^ x[1]); }}},
      // A run of ones: how many, and from which bit on.
      {"bfm",
       {2,
        [](U x, Type t) {
          return maskTrailingOnes<uint64_t>(x[0] % t.bits) << x[1] % t.bits;
        }}},
      // The first bit from the top that is one, or not the sign.
      {"ffbh",
       {1,
        [](U x, Type t) {
          const uint64_t bits =
              int64_t(x[0]) < 0 && t.kind == Type::Signed ? ~x[0] : x[0];
          return bits ? uint64_t(countl_zero(bits)) - (64 - t.bits)
                      : ~uint64_t{0};
        }}},
      {"med3",
       {3,
        [](U x, Type t) {
          return signedly(x, t, [&](auto a, auto b) -> uint64_t {
            const auto c = decltype(a)(x[2]);
            return std::max(std::min(a, b), std::min(std::max(a, b), c));
          });
        }}},
      {"cnot", {1, [](U x, Type) { return uint64_t(x[0] == 0); }}},
      // A shift by the width or more gives zeros, or the sign.
      {"shl",
       {2, [](U x, Type t) { return x[1] >= t.bits ? 0 : x[0] << x[1]; }}},
      {"shr",
       {2,
        [](U x, Type t) {
          const uint64_t by = std::min<uint64_t>(x[1], 63);
          return t.kind == Type::Signed ? uint64_t(int64_t(x[0]) >> by)
                 : x[1] >= t.bits       ? 0
                                        : x[0] >> x[1];
        }}},
      {"popc", {1, [](U x, Type) { return uint64_t(llvm::popcount(x[0])); }}},
      {"clz",
       {1, [](U x,
              Type t) { return uint64_t(countl_zero(x[0])) - (64 - t.bits); }}},
      {"ctz",
       {1,
        [](U x, Type t) {
          return x[0] ? uint64_t(countr_zero(x[0])) : ~uint64_t{0};
        }}},
      {"brev",
       {1, [](U x, Type t) { return reverseBits(x[0]) >> (64 - t.bits); }}},
      // PTX ISA: of a negative number the highest zero.
      {"bfind",
       {1,
        [](U x, Type t) {
          const uint64_t bits =
              int64_t(x[0]) < 0 && t.kind == Type::Signed ? ~x[0] : x[0];
          return bits ? uint64_t(63 - countl_zero(bits)) : 0xffffffff;
        }}},
      {"bfe",
       {3,
        [](U x, Type t) {
          const uint64_t from = x[1] & 0xff, length = x[2] & 0xff;
          if (length == 0)
            return uint64_t{0};
          const uint64_t by = std::min<uint64_t>(from, 63);
          const uint64_t bits = t.kind == Type::Signed
                                    ? uint64_t(int64_t(x[0]) >> by)
                                    : x[0] >> by;
          if (length >= 64)
            return bits;
          return t.kind == Type::Signed ? uint64_t(signExtend(bits, length))
                                        : truncate(bits, length);
        }}},
      {"bfi",
       {4,
        [](U x, Type t) {
          const uint64_t at = x[2] & 0xff, length = x[3] & 0xff;
          if (at >= t.bits)
            return x[1];
          const uint64_t mask =
              maskTrailingOnes<uint64_t>(std::min<uint64_t>(length, 64)) << at;
          return (x[1] & ~mask) | ((x[0] << at) & mask);
        }}},
      {"lop3",
       {4,
        [](U x, Type) {
          uint64_t result = 0;
          for (unsigned row = 0; row < 8; ++row)
            if (x[3] >> row & 1)
              result |= (row & 4 ? x[0] : ~x[0]) & (row & 2 ? x[1] : ~x[1]) &
                        (row & 1 ? x[2] : ~x[2]);
          return result;
        }}},
      {"prmt", {3, [](U x, Type) { return permuteBytes(x[0], x[1], x[2]); }}},
      {"selp", {3, [](U x, Type) { return x[2] & 1 ? x[0] : x[1]; }}},
      // The high or low half of two words that are shifted together, by up to
      // 32.
      {"shf.l",
       {3,
        [](U x, Type) {
          return (truncate(x[0], 32) | x[1] << 32) << x[2] >> 32;
        }}},
      {"shf.r",
       {3,
        [](U x, Type) { return (truncate(x[0], 32) | x[1] << 32) >> x[2]; }}},
  };
  return table;
}

double flushed(double x, bool flush) {
  return flush && std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
}

Compute onFloats(FloatOperation operation, bool isFma, Type type,
                 FloatMode mode) {
  return [=](const uint64_t *from, uint64_t *to) {
    uint64_t result = 0;
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      const unsigned shift = lane * type.bits;
      double x[3] = {};
      for (unsigned i = 0; i < operation.sources; ++i)
        x[i] = flushed(decode(type, from[i] >> shift), mode.flush);
      // Rounding twice in one direction is rounding once.
      std::optional<RoundIn> direction;
      if (mode.direction != FE_TONEAREST)
        direction.emplace(mode.direction);
      double value = isFma && type.kind == Type::F32
                         ? std::fma(float(x[0]), float(x[1]), float(x[2]))
                         : operation.compute(x);
      if (mode.saturate)
        value = std::isnan(value) ? 0 : std::min(std::max(value, 0.0), 1.0);
      if (mode.relu && value < 0)
        value = 0;
      result |= truncate(encode(type, flushed(value, mode.flush)), type.bits)
                << shift;
    }
    *to = result;
  };
}

Compute onIntegers(IntegerOperation operation, Type type) {
  return [=](const uint64_t *from, uint64_t *to) {
    uint64_t result = 0;
    for (unsigned lane = 0; lane < type.lanes; ++lane) {
      const unsigned shift = lane * type.bits;
      uint64_t x[4] = {};
      for (unsigned i = 0; i < operation.sources; ++i)
        x[i] = type.kind == Type::Signed
                   ? uint64_t(signExtend(from[i] >> shift, type.bits))
                   : truncate(from[i] >> shift, type.bits);
      result |= truncate(operation.compute(x, type), type.bits) << shift;
    }
    *to = result;
  };
}

} // namespace

RoundIn::RoundIn(int direction) : before(std::fegetround()) {
  std::fesetround(direction);
}
RoundIn::~RoundIn() { std::fesetround(before); }

std::optional<Meaning> findOperation(StringRef name, Type type,
                                     FloatMode mode) {
  if (type.isFloat()) {
    auto found = floatOperations().find(name);
    if (found == floatOperations().end())
      return std::nullopt;
    return Meaning{onFloats(found->second, name == "fma", type, mode), type,
                   found->second.sources};
  }
  auto found = integerOperations().find(name);
  if (found == integerOperations().end())
    return std::nullopt;
  return Meaning{onIntegers(found->second, type), type, found->second.sources};
}

} // namespace kernelscope::executor::assembly
