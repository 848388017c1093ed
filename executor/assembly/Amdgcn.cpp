//===- Amdgcn.cpp - AMDGCN vector instructions ----------------------------===//
//
// AMD's ISA documents, "Vector ALU Operations": an opcode is v_, a name and a
// type.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Arithmetic.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <numbers>

using namespace llvm;

namespace kernelscope::executor::assembly {
namespace {

/// A combination of two operations: `outer` of the result of `inner` and the
/// last source.
struct Combined {
  StringRef inner, outer;
};

const StringMap<Combined> &combinedOperations() {
  static const StringMap<Combined> table = {
      {"v_add3_u32", {"add", "add"}},     {"v_or3_b32", {"or", "or"}},
      {"v_xor3_b32", {"xor", "xor"}},     {"v_and_or_b32", {"and", "or"}},
      {"v_xad_u32", {"xor", "add"}},      {"v_min3_i32", {"min", "min"}},
      {"v_min3_u32", {"min", "min"}},     {"v_max3_i32", {"max", "max"}},
      {"v_max3_u32", {"max", "max"}},     {"v_add_lshl_u32", {"add", "shl"}},
      {"v_lshl_add_u32", {"shl", "add"}}, {"v_lshl_or_b32", {"shl", "or"}},
  };
  return table;
}

/// The plain operation that AMD calls `name`, "add" in v_add_f32.
StringRef plainName(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("exp", "ex2")
      .Case("log", "lg2")
      .Case("rsq", "rsqrt")
      .Case("min_num", "min")
      .Case("max_num", "max")
      .Cases({"add_nc", "pk_add"}, "add")
      .Cases({"sub_nc", "pk_sub"}, "sub")
      .Cases({"mul_lo", "pk_mul", "pk_mul_lo"}, "mul")
      .Cases({"pk_fma", "mad"}, "fma")
      .Cases({"pk_min", "pk_min_num"}, "min")
      .Cases({"pk_max", "pk_max_num"}, "max")
      .Case("mul_hi", "mulhi")
      .Case("bfrev", "brev")
      .Cases({"ffbh", "clz_i32"}, "ffbh")
      .Cases({"ffbl", "ctz_i32"}, "ctz")
      .Cases({"fmac", "mac"}, "fma")
      .Default(name);
}

/// A shift takes its count modulo the width: AMD reads only the low bits.
std::optional<Meaning> planShift(StringRef name, Type type, bool reversed) {
  std::optional<Meaning> made = findOperation(name, type);
  if (!made)
    return std::nullopt;
  made->compute = [shift = made->compute, bits = type.bits,
                   reversed](const uint64_t *x, uint64_t *result) {
    const uint64_t from[] = {x[reversed ? 1 : 0], x[reversed ? 0 : 1] % bits};
    shift(from, result);
  };
  return made;
}

Meaning swapSources(Meaning made) {
  made.compute = [plain = made.compute](const uint64_t *x, uint64_t *result) {
    const uint64_t swapped[] = {x[1], x[0]};
    plain(swapped, result);
  };
  return made;
}

/// v_cvt_TO_FROM; to an integer it truncates and stays in range.
std::optional<Meaning> planConvert(StringRef name) {
  auto [target, source] = name.split('_');
  if (name == "pkrtz_f16_f32" || name == "pk_rtz_f16_f32")
    return Meaning{[](const uint64_t *x, uint64_t *result) {
                     const Type f16 = *typeOf("f16"), f32 = *typeOf("f32");
                     *result =
                         encode(f16, decode(f32, x[0]), Rounding::TowardZero) |
                         encode(f16, decode(f32, x[1]), Rounding::TowardZero)
                             << 16;
                   },
                   *typeOf("f32"), 2};
  std::optional<Type> to = typeOf(target), from = typeOf(source);
  if (!to || !from || (!to->isFloat() && !from->isFloat()))
    return std::nullopt;
  Instruction ptx;
  auto spelled = [](StringRef type) {
    return (type.consume_front("i") ? "s" + type : type.str()).str();
  };
  ptx.opcode = ("cvt." + Twine(to->isFloat() ? "rn." : "rzi.") +
                spelled(target) + "." + spelled(source))
                   .str();
  return meaningOfPtx(ptx);
}

/// What the general rule does not give.
std::optional<Meaning> planOther(StringRef opcode) {
  const Type f32 = *typeOf("f32"), b32 = *typeOf("b32");
  // Sines take turns, not radians.
  for (auto [name, function] :
       {std::pair("v_sin_f32", static_cast<double (*)(double)>(std::sin)),
        {"v_cos_f32", static_cast<double (*)(double)>(std::cos)}})
    if (opcode == name)
      return Meaning{
          [=, function = function](const uint64_t *x, uint64_t *result) {
            *result =
                encode(f32, function(decode(f32, x[0]) * 2 * std::numbers::pi));
          },
          f32, 1};
  if (opcode == "v_ldexp_f32")
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     *result =
                         encode(f32, std::ldexp(decode(f32, x[0]),
                                                int(signExtend(x[1], 32))));
                   },
                   f32, 2};
  // The selector's nibbles count bytes of the second source first; 12 is zero
  // and above it all ones.
  if (opcode == "v_perm_b32")
    return Meaning{[](const uint64_t *x, uint64_t *result) {
                     const uint64_t bytes = truncate(x[1], 32) | x[0] << 32;
                     *result = 0;
                     for (unsigned i = 0; i < 4; ++i) {
                       const uint64_t pick = x[2] >> (8 * i) & 0xff;
                       uint64_t byte = pick > 12 ? 0xff : 0;
                       if (pick < 8)
                         byte = bytes >> (8 * pick) & 0xff;
                       else if (pick < 12)
                         byte = bytes >> (16 * (pick - 8) + 15) & 1 ? 0xff : 0;
                       *result |= byte << (8 * i);
                     }
                   },
                   b32, 3};
  if (opcode == "v_bfi_b32")
    return Meaning{[](const uint64_t *x, uint64_t *result) {
                     *result = (x[0] & x[1]) | (~x[0] & x[2]);
                   },
                   b32, 3};
  if (opcode == "v_bcnt_u32_b32")
    return Meaning{[](const uint64_t *x, uint64_t *result) {
                     *result = truncate(
                         llvm::popcount(truncate(x[0], 32)) + x[1], 32);
                   },
                   b32, 2};
  for (auto [name, unit] :
       {std::pair("v_alignbit_b32", 1u), {"v_alignbyte_b32", 8u}})
    if (opcode == name)
      return Meaning{[unit = unit](const uint64_t *x, uint64_t *result) {
                       const uint64_t both = truncate(x[1], 32) | x[0] << 32;
                       *result = truncate(both >> (x[2] * unit % 32), 32);
                     },
                     b32, 3};
  return std::nullopt;
}

/// Products of 24 bits, perhaps added to; bytes as floats; and dot products.
std::optional<Meaning> planParts(StringRef opcode) {
  const Type f32 = *typeOf("f32"), f16 = *typeOf("f16"), b32 = *typeOf("b32");
  if (opcode.ends_with("_i24") || opcode.ends_with("_u24")) {
    const bool isSigned = opcode.ends_with("_i24"),
               adds = opcode.starts_with("v_mad_");
    if (!adds && !opcode.starts_with("v_mul_i32") &&
        !opcode.starts_with("v_mul_u32"))
      return std::nullopt;
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     auto read = [&](uint64_t value) -> int64_t {
                       return isSigned ? signExtend(value, 24)
                                       : int64_t(truncate(value, 24));
                     };
                     *result = truncate(uint64_t(read(x[0]) * read(x[1])) +
                                            (adds ? x[2] : 0),
                                        32);
                   },
                   b32, adds ? 3u : 2u};
  }
  StringRef byte = opcode;
  unsigned index;
  if (byte.consume_front("v_cvt_f32_ubyte") && !byte.getAsInteger(10, index) &&
      index < 4)
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     *result = encode(f32, double(x[0] >> (8 * index) & 0xff));
                   },
                   b32, 1};
  if (opcode == "v_dot2_f32_f16")
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     double sum = decode(f32, x[2]);
                     for (unsigned i = 0; i < 2; ++i)
                       sum += decode(f16, x[0] >> (16 * i)) *
                              decode(f16, x[1] >> (16 * i));
                     *result = encode(f32, sum);
                   },
                   f32, 3};
  if (opcode == "v_dot4_i32_i8" || opcode == "v_dot4_u32_u8") {
    const bool isSigned = opcode == "v_dot4_i32_i8";
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     auto read = [&](uint64_t value) -> int64_t {
                       return isSigned ? signExtend(value, 8)
                                       : int64_t(truncate(value, 8));
                     };
                     auto sum = int64_t(x[2]);
                     for (unsigned i = 0; i < 32; i += 8)
                       sum += read(x[0] >> i) * read(x[1] >> i);
                     *result = truncate(sum, 32);
                   },
                   b32, 3};
  }
  if (opcode == "v_pack_b32_f16")
    return Meaning{[](const uint64_t *x, uint64_t *result) {
                     *result = truncate(x[0], 16) | truncate(x[1], 16) << 16;
                   },
                   f16, 2};
  if (opcode == "v_frexp_mant_f32" || opcode == "v_frexp_exp_i32_f32") {
    const bool wantsExponent = opcode == "v_frexp_exp_i32_f32";
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     const double value = decode(f32, x[0]);
                     int exponent = 0;
                     const double mantissa = std::isfinite(value)
                                                 ? std::frexp(value, &exponent)
                                                 : value;
                     *result = wantsExponent ? truncate(uint64_t(exponent), 32)
                                             : encode(f32, mantissa);
                   },
                   f32, 1};
  }
  return std::nullopt;
}

} // namespace

std::optional<Meaning> meaningOfAmdgcn(const Instruction &instruction) {
  StringRef opcode = instruction.opcode;
  if (!instruction.modifiers.empty())
    return std::nullopt;
  // Waits and hints.
  if (opcode == "s_nop" || opcode == "s_sleep" || opcode == "s_setprio" ||
      opcode.starts_with("s_waitcnt") || opcode.starts_with("s_wait_"))
    return Meaning{[](const uint64_t *, uint64_t *) {}, Type(), 0, 0};
  if (!opcode.consume_back("_e32"))
    opcode.consume_back("_e64");
  if (auto made = planOther(opcode))
    return made;
  if (auto made = planParts(opcode))
    return made;
  if (auto made = meaningOfLaneBits(opcode, instruction))
    return made;
  auto typeAtEnd = [&] { return typeOf(opcode.rsplit('_').second); };
  if (auto found = combinedOperations().find(opcode);
      found != combinedOperations().end()) {
    const Type type = *typeAtEnd();
    auto operation = [&](StringRef name) {
      return name == "shl" ? planShift(name, type, false)
                           : findOperation(name, type);
    };
    return Meaning{[inner = operation(found->second.inner)->compute,
                    outer = operation(found->second.outer)->compute](
                       const uint64_t *x, uint64_t *result) {
                     uint64_t both[2] = {0, x[2]};
                     inner(x, both);
                     outer(both, result);
                   },
                   type, 3};
  }
  const bool isScalarMove = opcode == "s_mov_b32" || opcode == "s_mov_b64";
  if (!opcode.consume_front("v_") && !isScalarMove)
    return std::nullopt;
  if (isScalarMove)
    opcode = opcode.drop_front(2);
  if (opcode.consume_front("cvt_"))
    return planConvert(opcode);
  std::optional<Type> type = typeAtEnd();
  if (!type)
    return std::nullopt;
  StringRef name = opcode.rsplit('_').first;
  if (name.starts_with("pk_"))
    type->lanes = 2;
  if (name == "lshlrev" || name == "lshrrev" || name == "ashrrev")
    return planShift(name == "lshlrev" ? "shl" : "shr", *type, true);
  if (name == "subrev" || name == "subrev_nc") {
    auto made = findOperation("sub", *type);
    return made ? std::optional(swapSources(*made)) : std::nullopt;
  }
  auto made = findOperation(plainName(name), *type);
  if (made)
    made->readsResult = name == "fmac" || name == "mac";
  if (made && made->readsResult)
    --made->sources;
  return made;
}

} // namespace kernelscope::executor::assembly
