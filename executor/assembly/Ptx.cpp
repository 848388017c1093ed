//===- Ptx.cpp - PTX instructions -----------------------------------------===//
//
// PTX ISA, "Instruction Set": an opcode is a name, modifiers, and types.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Opcode.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::executor::assembly {
namespace {

/// mov: one value, or the parts of one.
std::optional<Meaning> planMove(const Opcode &opcode,
                                const Instruction &instruction) {
  if (opcode.types.size() != 1 || !opcode.modifiers.empty() ||
      instruction.operands.size() != 2)
    return std::nullopt;
  const Type type = opcode.types.front();
  const unsigned to = instruction.operands[0].size(),
                 from = instruction.operands[1].size();
  // A vector has two or four parts.
  auto isCount = [](unsigned parts) {
    return parts == 1 || parts == 2 || parts == 4;
  };
  if (!isCount(to) || !isCount(from) || (to != 1 && from != 1))
    return std::nullopt;
  const unsigned partsTo = type.width() / to, partsFrom = type.width() / from;
  if (partsTo == 0 || partsFrom == 0)
    return std::nullopt;
  return Meaning{[=](const uint64_t *x, uint64_t *result) {
                   uint64_t whole = 0;
                   for (unsigned i = 0; i < from; ++i)
                     whole |= truncate(x[i], partsFrom) << (i * partsFrom % 64);
                   for (unsigned i = 0; i < to; ++i)
                     result[i] = truncate(whole >> (i * partsTo % 64), partsTo);
                 },
                 type, from, to};
}

/// A float as an integer of `type`, rounded by `round`; out of range it is the
/// nearest, and NaN is zero. PTX ISA, "cvt".
uint64_t toInteger(double x, Type type, double (*round)(double)) {
  if (std::isnan(x))
    return 0;
  x = round(x);
  const bool isSigned = type.kind == Type::Signed;
  const double limit = std::ldexp(1.0, int(type.bits) - isSigned);
  if (x >= limit)
    return truncate(~uint64_t{0}, type.bits - isSigned);
  if (x < (isSigned ? -limit : 0.0))
    return isSigned ? uint64_t{1} << (type.bits - 1) : 0;
  return truncate(isSigned ? uint64_t(int64_t(x)) : uint64_t(x), type.bits);
}

/// f32 to tf32, which has 10 bits of mantissa; `away`: of two that are as near
/// the one away from zero.
uint64_t roundToTF32(uint64_t bits, bool away, Rounding rounding) {
  const bool isFinite = (~bits & 0x7f800000) != 0;
  uint64_t half = away ? 0x1000 : 0xfff + (bits >> 13 & 1);
  if (rounding == Rounding::TowardZero)
    half = 0;
  return isFinite ? truncate(bits + half, 32) & ~uint64_t{0x1fff} : bits;
}

std::optional<Meaning> planConvert(Opcode &opcode) {
  if (opcode.types.size() != 2)
    return std::nullopt;
  const Type to = opcode.types[0], from = opcode.types[1];
  double (*round)(double) = nullptr;
  if (opcode.take("rni"))
    round = std::nearbyint;
  else if (opcode.take("rzi"))
    round = std::trunc;
  else if (opcode.take("rmi"))
    round = std::floor;
  else if (opcode.take("rpi"))
    round = std::ceil;
  const bool away = opcode.take("rna");
  const int direction = opcode.takeDirection();
  const Rounding rounding =
      direction == FE_TOWARDZERO ? Rounding::TowardZero : Rounding::NearestEven;
  // Only f32 and f64 are rounded up or down, and scales.
  if (llvm::is_contained({FE_UPWARD, FE_DOWNWARD}, direction) &&
      to.kind < Type::F32 && to.kind != Type::E8M0)
    return std::nullopt;
  opcode.take("ftz"); // It shows only in subnormals rounded to an integer.
  const bool finite = opcode.take("satfinite"), clamps = opcode.take("sat"),
             relu = opcode.take("relu");
  if (!opcode.modifiers.empty() || (away && to.kind != Type::TF32) ||
      (round && !from.isFloat()))
    return std::nullopt;
  if (to.kind == Type::TF32) {
    if (from.kind != Type::F32)
      return std::nullopt;
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     *result = roundToTF32(relu && x[0] >> 31 ? 0 : x[0], away,
                                           rounding);
                   },
                   from, 1};
  }
  // A value of the source as a number, or as an integer where both are.
  auto convert = [=](uint64_t bits) -> uint64_t {
    if (!from.isFloat()) {
      const bool isSigned = from.kind == Type::Signed;
      const int64_t value = isSigned ? signExtend(bits, from.bits)
                                     : int64_t(truncate(bits, from.bits));
      if (to.isFloat())
        return encode(to, isSigned ? double(value) : double(uint64_t(value)),
                      rounding);
      if (!clamps)
        return truncate(value, to.bits);
      const bool negative = isSigned && value < 0;
      const unsigned kept = to.bits - (to.kind == Type::Signed);
      const uint64_t most = truncate(~uint64_t{0}, kept);
      if (negative)
        return to.kind == Type::Signed
                   ? truncate(std::max<int64_t>(value, -int64_t(most) - 1),
                              to.bits)
                   : 0;
      return std::min<uint64_t>(value, most);
    }
    double x = decode(from, bits);
    if (!to.isFloat())
      return toInteger(x, to, round ? round : ::trunc);
    if (round)
      x = round(x);
    if (relu)
      x = std::isnan(x) ? x : std::max(x, 0.0);
    if (clamps)
      x = std::isnan(x) ? 0 : std::min(std::max(x, 0.0), 1.0);
    return encode(to, x, rounding, finite);
  };
  if (to.lanes == 1)
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     const RoundIn rounds(direction);
                     *result = convert(x[0]);
                   },
                   from, 1};
  // Two sources become one packed value, the first its upper half; or a packed
  // value becomes another.
  const bool packs = from.lanes == 1;
  if (to.lanes != 2 || (!packs && from.lanes != 2))
    return std::nullopt;
  return Meaning{[=](const uint64_t *x, uint64_t *result) {
                   const RoundIn rounds(direction);
                   const uint64_t low = packs ? x[1] : x[0],
                                  high = packs ? x[0] : x[0] >> from.bits;
                   *result = truncate(convert(low), to.bits) |
                             truncate(convert(high), to.bits) << to.bits;
                 },
                 from, packs ? 2u : 1u};
}

/// mul and mad of integers: the low half, the high half, or all bits.
std::optional<Meaning> planMultiply(Opcode &opcode, Type type) {
  const bool adds = opcode.name == "mad";
  if (opcode.take("hi"))
    return findOperation(adds ? "madhi" : "mulhi", type);
  if (!opcode.take("wide")) {
    opcode.take("lo");
    return findOperation(opcode.name, type);
  }
  if (type.width() > 32)
    return std::nullopt;
  return Meaning{[=](const uint64_t *x, uint64_t *result) {
                   auto wide = [&](uint64_t value) {
                     return type.kind == Type::Signed
                                ? uint64_t(signExtend(value, type.bits))
                                : truncate(value, type.bits);
                   };
                   *result =
                       truncate(wide(x[0]) * wide(x[1]) + (adds ? x[2] : 0),
                                type.bits * 2);
                 },
                 type, adds ? 3u : 2u};
}

/// The low or high half of a product of 24 bits.
std::optional<Meaning> planMultiply24(Opcode &opcode, Type type) {
  const bool high = opcode.take("hi"), adds = opcode.name == "mad24";
  if ((!high && !opcode.take("lo")) || type.bits != 32)
    return std::nullopt;
  return Meaning{
      [=](const uint64_t *x, uint64_t *result) {
        auto read = [&](uint64_t value) -> int64_t {
          return type.kind == Type::Signed ? signExtend(value, 24)
                                           : int64_t(truncate(value, 24));
        };
        const uint64_t product = read(x[0]) * read(x[1]);
        *result =
            truncate((high ? product >> 16 : product) + (adds ? x[2] : 0), 32);
      },
      type, adds ? 3u : 2u};
}

/// Sums and differences that take a carry, or leave one for the next.
std::optional<Meaning> planCarry(StringRef name, Type type, bool leaves) {
  const bool takes = name.consume_back("c"), subtracts = name == "sub";
  if ((name != "add" && !subtracts) || type.lanes != 1)
    return std::nullopt;
  Meaning made{[=](const uint64_t *x, uint64_t *result) {
                 const uint64_t a = truncate(x[0], type.bits),
                                b = truncate(x[1], type.bits),
                                carry = takes ? x[2] & 1 : 0;
                 using Wide = unsigned __int128;
                 const Wide wide =
                     subtracts ? Wide(a) - b - carry : Wide(a) + b + carry;
                 result[0] = truncate(uint64_t(wide), type.bits);
                 if (leaves)
                   result[1] = uint64_t(wide >> type.bits) & 1;
               },
               type, 2};
  made.readsCarry = takes;
  made.writesCarry = leaves;
  return made;
}

/// A half of a product, to which the third operand is added with a carry, or so
/// that it leaves one.
std::optional<Meaning> planMultiplyCarry(Opcode &opcode, Type type,
                                         bool leaves) {
  const bool takes = opcode.name == "madc", high = opcode.take("hi");
  const auto product = findOperation(high ? "mulhi" : "mul", type);
  if ((!high && !opcode.take("lo")) || !product || type.lanes != 1)
    return std::nullopt;
  Meaning made{
      [=, multiply = product->compute](const uint64_t *x, uint64_t *result) {
        uint64_t half = 0;
        multiply(x, &half);
        using Wide = unsigned __int128;
        const Wide wide = Wide(truncate(half, type.bits)) +
                          truncate(x[2], type.bits) + (takes ? x[3] & 1 : 0);
        result[0] = truncate(uint64_t(wide), type.bits);
        if (leaves)
          result[1] = uint64_t(wide >> type.bits) & 1;
      },
      type, 3};
  made.readsCarry = takes;
  made.writesCarry = leaves;
  return made;
}

/// dp4a: products of four bytes, added to the third operand.
std::optional<Meaning> planDotBytes(const Opcode &opcode) {
  if (opcode.types.size() != 2)
    return std::nullopt;
  const bool signs[] = {opcode.types[0].kind == Type::Signed,
                        opcode.types[1].kind == Type::Signed};
  return Meaning{
      [a = signs[0], b = signs[1]](const uint64_t *x, uint64_t *result) {
        auto byte = [](uint64_t word, unsigned i, bool isSigned) {
          const uint64_t bits = truncate(word >> (8 * i), 8);
          return isSigned ? signExtend(bits, 8) : int64_t(bits);
        };
        int64_t sum = int64_t(x[2]);
        for (unsigned i = 0; i < 4; ++i)
          sum += byte(x[0], i, a) * byte(x[1], i, b);
        *result = truncate(sum, 32);
      },
      opcode.types[0], 3};
}

} // namespace

std::optional<Meaning> meaningOfPtx(const Instruction &instruction) {
  Opcode opcode(instruction.opcode);
  // Hints, and orders between launches, which are run one after another.
  if (llvm::is_contained({"griddepcontrol", "nanosleep", "prefetch", "pragma"},
                         opcode.name))
    return Meaning{[](const uint64_t *, uint64_t *) {}, Type(), 0, 0};
  if (opcode.name == "mov")
    return planMove(opcode, instruction);
  if (opcode.name == "cvt")
    return planConvert(opcode);
  if (auto selection = meaningOfPtxSelection(instruction))
    return selection;
  if (opcode.name == "dp4a")
    return planDotBytes(opcode);
  if (opcode.types.size() != 1)
    return std::nullopt;
  const Type type = opcode.types.front();
  std::optional<Meaning> made;
  if (!type.isFloat()) {
    const bool carries = opcode.take("cc");
    if (opcode.name == "madc" || (carries && opcode.name == "mad")) {
      made = planMultiplyCarry(opcode, type, carries);
    } else if (carries || opcode.name == "addc" || opcode.name == "subc") {
      made = planCarry(opcode.name, type, carries);
    } else if (opcode.name == "mul24" || opcode.name == "mad24") {
      made = planMultiply24(opcode, type);
    } else if (opcode.name == "mul" || opcode.name == "mad") {
      made = planMultiply(opcode, type);
    } else if (opcode.name == "shf") {
      const bool left = opcode.take("l");
      if (!left && !opcode.take("r"))
        return std::nullopt;
      const bool wraps = opcode.take("wrap");
      if (!wraps && !opcode.take("clamp"))
        return std::nullopt;
      made = findOperation(left ? "shf.l" : "shf.r", type);
      made->compute = [shift = made->compute, wraps](const uint64_t *x,
                                                     uint64_t *result) {
        const uint64_t by = truncate(x[2], 32);
        const uint64_t limited[] = {
            x[0], x[1], wraps ? by % 32 : std::min<uint64_t>(by, 32)};
        shift(limited, result);
      };
    } else {
      made = findOperation(opcode.name, type);
    }
  } else {
    FloatMode mode;
    mode.flush = opcode.take("ftz");
    mode.saturate = opcode.take("sat");
    mode.relu = opcode.take("relu");
    mode.direction = opcode.takeDirection();
    if (mode.direction != FE_TONEAREST && type.kind < Type::F32)
      return std::nullopt;
    opcode.take("approx");
    opcode.take("full");
    std::string name = (opcode.name == "mad" ? "fma" : opcode.name).str();
    const bool isExtremum = name == "min" || name == "max";
    if (opcode.take("NaN"))
      name += ".NaN";
    else if (isExtremum && instruction.operands.size() == 4)
      name += "3";
    if (isExtremum && opcode.take("xorsign") && opcode.take("abs"))
      name += ".xorsign.abs";
    made = findOperation(name, type, mode);
  }
  // A modifier that is not known may change anything.
  return opcode.modifiers.empty() ? made : std::nullopt;
}

} // namespace kernelscope::executor::assembly
