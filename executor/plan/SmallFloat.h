//===- SmallFloat.h - 8- and 16-bit floating point values ------*- C++ -*-===//
//
// Storage types for the floating point formats that C++ has no type for, with
// exact decoding and correctly rounded encoding.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_SMALLFLOAT_H
#define KERNELSCOPE_EXECUTOR_PLAN_SMALLFLOAT_H

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kernelscope::executor {

enum class Rounding { NearestEven, TowardZero };

/// What a format does with its largest exponent.
enum class Specials {
  Ieee,    ///< infinities and NaNs
  NanOnly, ///< no infinity; all ones is NaN ("fn")
  Fnuz,    ///< no infinity, no negative zero; only the sign bit set is NaN
  Finite,  ///< neither; a NaN becomes the largest value
};

/// A binary format of `1 + Exponent + Mantissa` bits. Encoding rounds once from
/// the double that it is given; a finite-only format saturates, as the
/// conversions of both GPU vendors do.
template <int Exponent, int Mantissa, int Bias, Specials Kind>
struct SmallFloat {
  using Bits = std::conditional_t<(Exponent + Mantissa > 8), uint16_t, uint8_t>;
  Bits bits = 0;

  static constexpr unsigned signBit = 1u << (Exponent + Mantissa);
  static constexpr unsigned infinityBits = ((1u << Exponent) - 1) << Mantissa;
  /// Of 8 bits all ones, as an H100's conversion to e5m2 gives and as the
  /// lowering's own does.
  static constexpr unsigned nanBits =
      Kind == Specials::Fnuz ? signBit
      : Kind != Specials::Ieee || sizeof(Bits) == 1
          ? signBit - 1
          : infinityBits | (1u << (Mantissa - 1));
  static constexpr unsigned maxFiniteBits =
      Kind == Specials::Ieee      ? infinityBits - 1
      : Kind == Specials::NanOnly ? signBit - 2
                                  : signBit - 1;

  static SmallFloat raw(unsigned bits) {
    SmallFloat result;
    result.bits = static_cast<Bits>(bits);
    return result;
  }

  /// The nearest value to `x`. An overflow becomes the largest finite value
  /// when `saturate` is set or the format has no infinity.
  static SmallFloat encode(double x, Rounding rounding = Rounding::NearestEven,
                           bool saturate = false) {
    const uint64_t from = std::bit_cast<uint64_t>(x);
    const unsigned sign = (from >> 63) ? signBit : 0;
    const int exponent = static_cast<int>((from >> 52) & 0x7ff);
    uint64_t mantissa = from & ((uint64_t{1} << 52) - 1);
    if (exponent == 0x7ff) {
      if (mantissa)
        return raw(Kind == Specials::Fnuz ? nanBits : sign | nanBits);
      if (Kind == Specials::Ieee)
        return raw(sign | (saturate ? maxFiniteBits : infinityBits));
      return raw(sign | maxFiniteBits);
    }
    if (exponent == 0) // Zero, or far below the smallest value of any format.
      return raw(Kind == Specials::Fnuz ? 0 : sign);
    mantissa |= uint64_t{1} << 52;
    const int biased = exponent - 1023 + Bias;
    const int shift = 52 - Mantissa + (biased <= 0 ? 1 - biased : 0);
    uint64_t kept = 0;
    if (shift < 64) {
      kept = mantissa >> shift;
      const uint64_t rest = mantissa & ((uint64_t{1} << shift) - 1);
      const uint64_t half = uint64_t{1} << (shift - 1);
      if (rounding == Rounding::NearestEven &&
          (rest > half || (rest == half && (kept & 1))))
        ++kept;
    }
    uint64_t bits = kept;
    if (biased > 0)
      bits += static_cast<uint64_t>(biased - 1) << Mantissa;
    if (bits > maxFiniteBits) {
      const bool toInfinity = Kind == Specials::Ieee && !saturate &&
                              rounding == Rounding::NearestEven;
      bits = toInfinity ? infinityBits : maxFiniteBits;
    }
    if (Kind == Specials::Fnuz && bits == 0)
      return raw(0);
    return raw(sign | static_cast<unsigned>(bits));
  }

  float decode() const {
    const unsigned magnitude = bits & (signBit - 1);
    const float sign = (bits & signBit) ? -1.0f : 1.0f;
    const bool isNan = Kind == Specials::Finite    ? false
                       : Kind == Specials::Fnuz    ? bits == nanBits
                       : Kind == Specials::NanOnly ? magnitude == nanBits
                                                   : magnitude > infinityBits;
    if (isNan)
      return std::numeric_limits<float>::quiet_NaN();
    if (Kind == Specials::Ieee && magnitude == infinityBits)
      return sign * std::numeric_limits<float>::infinity();
    // Put the bits where a float has them, then correct for the bias: exact,
    // for subnormal values too.
    const float value = std::bit_cast<float>(magnitude << (23 - Mantissa));
    return sign * value * std::bit_cast<float>(uint32_t(254 - Bias) << 23);
  }
};

using F16 = SmallFloat<5, 10, 15, Specials::Ieee>;
using F8E5M2 = SmallFloat<5, 2, 15, Specials::Ieee>;
using F8E4M3FN = SmallFloat<4, 3, 7, Specials::NanOnly>;
using F8E5M2FNUZ = SmallFloat<5, 2, 16, Specials::Fnuz>;
using F8E4M3FNUZ = SmallFloat<4, 3, 8, Specials::Fnuz>;
using F6E2M3FN = SmallFloat<2, 3, 1, Specials::Finite>;
using F6E3M2FN = SmallFloat<3, 2, 3, Specials::Finite>;
using F4E2M1FN = SmallFloat<2, 1, 1, Specials::Finite>;

/// bfloat16: the upper half of a float.
struct BF16 {
  uint16_t bits = 0;
  static BF16 encode(double x, Rounding rounding = Rounding::NearestEven,
                     bool saturate = false) {
    using Generic = SmallFloat<8, 7, 127, Specials::Ieee>;
    BF16 result;
    result.bits = Generic::encode(x, rounding, saturate).bits;
    return result;
  }
  float decode() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_SMALLFLOAT_H
