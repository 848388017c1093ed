//===- Type.cpp - Types of instructions, and their values -----------------===//

#include "executor/assembly/Arithmetic.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cfenv>
#include <cmath>

using namespace llvm;

namespace kernelscope::executor::assembly {

std::optional<Type> typeOf(StringRef name) {
  unsigned lanes = 1;
  if (name.consume_back("x2"))
    lanes = 2;
  else if (name.consume_back("x4"))
    lanes = 4;
  // "x2" and "x4" alone count matrices.
  if (name.empty())
    return std::nullopt;
  using Known = std::optional<Type>;
  auto known =
      StringSwitch<Known>(name)
          .Case("e2m1", Type{Type::E2M1, 4, lanes})
          .Case("e2m3", Type{Type::E2M3, 8, lanes})
          .Case("e3m2", Type{Type::E3M2, 8, lanes})
          .Case("e4m3", Type{Type::E4M3, 8, lanes})
          .Case("e5m2", Type{Type::E5M2, 8, lanes})
          .Case("ue8m0", Type{Type::E8M0, 8, lanes})
          .Case("f16", Type{Type::F16, 16, lanes})
          .Case("bf16", Type{Type::BF16, 16, lanes})
          .Case("tf32", Type{Type::TF32, 32, lanes})
          .Case("f32", Type{Type::F32, 32, lanes})
          .Case("f64", Type{Type::F64, 64, lanes})
          .Case("pred", Type{Type::Bits, 1, lanes})
          .Cases({"b8", "b16", "b32", "b64", "s8", "s16", "s32", "s64", "u8",
                  "u16", "u32", "u64", "i8", "i16", "i32", "i64"},
                 [&]() -> Known {
                   unsigned bits = 0;
                   (void)name.drop_front().getAsInteger(10, bits);
                   return Type{name[0] == 'b'   ? Type::Bits
                               : name[0] == 'u' ? Type::Unsigned
                                                : Type::Signed,
                               bits, lanes};
                 }())
          .Default(std::nullopt);
  return known && known->width() <= 64 ? known : std::nullopt;
}

uint64_t truncate(uint64_t value, unsigned bits) {
  return value & maskTrailingOnes<uint64_t>(bits);
}

int64_t signExtend(uint64_t value, unsigned bits) {
  return SignExtend64(value, bits);
}

double decode(Type type, uint64_t value) {
  switch (type.kind) {
  case Type::E2M1:
    return F4E2M1FN::raw(value & 15).decode();
  case Type::E2M3:
    return F6E2M3FN::raw(value & 63).decode();
  case Type::E3M2:
    return F6E3M2FN::raw(value & 63).decode();
  case Type::E4M3:
    return F8E4M3FN::raw(value & 255).decode();
  case Type::E5M2:
    return F8E5M2::raw(value & 255).decode();
  case Type::E8M0:
    return (value & 255) == 255 ? NAN : std::ldexp(1.0, int(value & 255) - 127);
  case Type::F16:
    return F16::raw(value & 0xffff).decode();
  case Type::BF16:
    return std::bit_cast<float>(uint32_t(value) << 16);
  case Type::TF32:
  case Type::F32:
    return std::bit_cast<float>(uint32_t(value));
  case Type::F64:
    return std::bit_cast<double>(value);
  case Type::Bits:
  case Type::Unsigned:
  case Type::Signed:
    break;
  }
  llvm_unreachable("not a float");
}

uint64_t encode(Type type, double x, Rounding rounding, bool saturate) {
  switch (type.kind) {
  case Type::E2M1:
    return F4E2M1FN::encode(x, rounding, saturate).bits;
  case Type::E2M3:
    return F6E2M3FN::encode(x, rounding, saturate).bits;
  case Type::E3M2:
    return F6E3M2FN::encode(x, rounding, saturate).bits;
  case Type::E4M3:
    return F8E4M3FN::encode(x, rounding, saturate).bits;
  case Type::E5M2:
    return F8E5M2::encode(x, rounding, saturate).bits;
  case Type::E8M0: {
    if (std::isnan(x))
      return 255;
    if (std::isinf(x))
      return saturate ? 254 : 255;
    int exponent = 0;
    // The mantissa is at least a half.
    const double mantissa = std::frexp(std::fabs(x), &exponent);
    if (mantissa == 0)
      return 0;
    if (mantissa == 0.5 || std::fegetround() != FE_UPWARD)
      --exponent;
    return std::min(std::max(exponent, -127), 127) + 127;
  }
  case Type::F16:
    return F16::encode(x, rounding, saturate).bits;
  case Type::BF16:
    return BF16::encode(x, rounding, saturate).bits;
  case Type::TF32:
  case Type::F32: {
    auto nearest = static_cast<float>(x);
    if (rounding == Rounding::TowardZero && std::fabs(nearest) > std::fabs(x))
      nearest = std::nextafter(nearest, 0.0f);
    return std::bit_cast<uint32_t>(nearest);
  }
  case Type::F64:
    return std::bit_cast<uint64_t>(x);
  case Type::Bits:
  case Type::Unsigned:
  case Type::Signed:
    break;
  }
  llvm_unreachable("not a float");
}

} // namespace kernelscope::executor::assembly
