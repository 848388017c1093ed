//===- PtxSelection.cpp - PTX that compares, selects and permutes ---------===//
//
// PTX ISA, "Comparison and Selection Instructions", and those on bytes.
//
//===----------------------------------------------------------------------===//

#include "executor/assembly/Opcode.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::executor::assembly {

std::optional<std::function<bool(uint64_t, uint64_t)>>
findComparison(StringRef name, Type type) {
  // A u at the end takes unordered floats.
  const bool takesNan =
      type.isFloat() && name.size() == 3 && name.consume_back("u");
  const int kind = StringSwitch<int>(name)
                       .Case("eq", 0)
                       .Case("ne", 1)
                       .Case("lt", 2)
                       .Case("le", 3)
                       .Case("gt", 4)
                       .Case("ge", 5)
                       .Case("num", 6)
                       .Case("nan", 7)
                       .Default(-1);
  if (kind < 0 || (kind > 5 && !type.isFloat()))
    return std::nullopt;
  auto test = [kind](auto a, auto b) {
    switch (kind) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
      return a < b;
    case 3:
      return a <= b;
    case 4:
      return a > b;
    default:
      return a >= b;
    }
  };
  return [=](uint64_t x, uint64_t y) {
    if (type.kind == Type::Signed)
      return test(signExtend(x, type.bits), signExtend(y, type.bits));
    if (!type.isFloat())
      return test(truncate(x, type.bits), truncate(y, type.bits));
    const double a = decode(type, x), b = decode(type, y);
    const bool unordered = std::isunordered(a, b);
    return kind == 6   ? !unordered
           : kind == 7 ? unordered
           : unordered ? takesNan
                       : test(a, b);
  };
}

namespace {

/// setp: a predicate for each lane or the predicate and its opposite, perhaps
/// combined with another. set: all ones or 1.0, or zero; of two halves in their
/// places of the word (PTX ISA, half precision comparison instructions: set).
std::optional<Meaning> planCompare(Opcode &opcode,
                                   const Instruction &instruction) {
  const bool isSet = opcode.name == "set";
  if (opcode.types.size() != (isSet ? 2 : 1) || opcode.modifiers.empty() ||
      instruction.operands.empty())
    return std::nullopt;
  const Type type = opcode.types.back(), to = opcode.types.front();
  // lo, ls, hi, hs compare unsigned.
  StringRef name = StringSwitch<StringRef>(opcode.modifiers.front())
                       .Case("lo", "lt")
                       .Case("ls", "le")
                       .Case("hi", "gt")
                       .Case("hs", "ge")
                       .Default(opcode.modifiers.front());
  opcode.modifiers.erase(opcode.modifiers.begin());
  opcode.take("ftz");
  const auto compare = findComparison(name, type);
  const char combine = opcode.take("and")   ? '&'
                       : opcode.take("or")  ? '|'
                       : opcode.take("xor") ? '^'
                                            : 0;
  const unsigned results = instruction.operands[0].size();
  if (!compare || !opcode.modifiers.empty() || results > (isSet ? 1 : 2) ||
      type.lanes > 2)
    return std::nullopt;
  const bool areHalves = type.lanes == 2 && to.width() == type.width() &&
                         (to.lanes == 2 || !to.isFloat());
  if (isSet && !areHalves && (to.lanes != 1 || type.lanes != 1))
    return std::nullopt;
  auto combined = [=](bool holds, uint64_t with) {
    return combine == '&'   ? holds && (with & 1)
           : combine == '|' ? holds || (with & 1)
           : combine == '^' ? holds != (with & 1)
                            : holds;
  };
  return Meaning{
      [=, compare = *compare](const uint64_t *x, uint64_t *result) {
        if (isSet) {
          const unsigned bits = to.width() / type.lanes;
          *result = 0;
          for (unsigned i = 0; i < type.lanes; ++i) {
            const bool all = combined(
                compare(x[0] >> (i * type.bits), x[1] >> (i * type.bits)),
                x[2]);
            *result |= (to.isFloat() ? encode(to, all)
                                     : truncate(all ? ~uint64_t{0} : 0, bits))
                       << (i * bits);
          }
          return;
        }
        const bool holds = compare(x[0], x[1]);
        result[0] = combined(holds, x[2]);
        if (results == 2)
          result[1] =
              type.lanes == 2
                  ? combined(compare(x[0] >> type.bits, x[1] >> type.bits),
                             x[2])
                  : combined(!holds, x[2]);
      },
      type, combine ? 3u : 2u, results};
}

/// testp: of which kind a float is.
std::optional<Meaning> planTest(const Opcode &opcode) {
  if (opcode.types.size() != 1 || opcode.modifiers.size() != 1 ||
      !opcode.types.front().isFloat())
    return std::nullopt;
  const Type type = opcode.types.front();
  const double least = type.kind == Type::F64 ? 0x1p-1022 : 0x1p-126;
  const int kind = StringSwitch<int>(opcode.modifiers.front())
                       .Case("finite", 0)
                       .Case("infinite", 1)
                       .Case("number", 2)
                       .Case("notanumber", 3)
                       .Case("normal", 4)
                       .Case("subnormal", 5)
                       .Default(-1);
  if (kind < 0)
    return std::nullopt;
  return Meaning{[=](const uint64_t *x, uint64_t *result) {
                   const double a = decode(type, x[0]);
                   const bool isSmall = std::fabs(a) < least;
                   const bool is[] = {std::isfinite(a),
                                      std::isinf(a),
                                      !std::isnan(a),
                                      std::isnan(a),
                                      std::isfinite(a) && !isSmall,
                                      a != 0 && isSmall};
                   *result = is[kind];
                 },
                 type, 1};
}

/// prmt with a mode: the selector's two low bits say from where on.
std::optional<Meaning> planPermute(Opcode &opcode) {
  const int mode = StringSwitch<int>(opcode.modifiers.front())
                       .Case("f4e", 0)
                       .Case("b4e", 1)
                       .Case("rc8", 2)
                       .Case("ecl", 3)
                       .Case("ecr", 4)
                       .Case("rc16", 5)
                       .Default(-1);
  if (mode < 0 || opcode.modifiers.size() != 1)
    return std::nullopt;
  return Meaning{[=](const uint64_t *x, uint64_t *result) {
                   const uint64_t bytes = truncate(x[0], 32) | x[1] << 32;
                   const unsigned from = x[2] & 3;
                   *result = 0;
                   for (unsigned i = 0; i < 4; ++i) {
                     const unsigned picks[] = {from + i,
                                               (from - i) & 7,
                                               from,
                                               std::max(i, from),
                                               std::min(i, from),
                                               ((from & 1) << 1) + (i & 1)};
                     *result |= (bytes >> (8 * picks[mode]) & 0xff) << (8 * i);
                   }
                 },
                 opcode.types.front(), 3};
}

/// dp2a: products of two words and two bytes, added to the third operand.
std::optional<Meaning> planDotWords(Opcode &opcode) {
  const bool high = opcode.take("hi");
  if (opcode.types.size() != 2 || (!high && !opcode.take("lo")) ||
      !opcode.modifiers.empty())
    return std::nullopt;
  auto part = [](uint64_t from, unsigned at, unsigned bits, Type type) {
    const uint64_t value = truncate(from >> at, bits);
    return type.kind == Type::Signed ? signExtend(value, bits) : int64_t(value);
  };
  return Meaning{[=, a = opcode.types[0],
                  b = opcode.types[1]](const uint64_t *x, uint64_t *result) {
                   auto sum = int64_t(x[2]);
                   for (unsigned i = 0; i < 2; ++i)
                     sum += part(x[0], 16 * i, 16, a) *
                            part(x[1], 8 * i + (high ? 16 : 0), 8, b);
                   *result = truncate(sum, 32);
                 },
                 opcode.types[0], 3};
}

/// bmsk: ones from a bit on. szext: a field of so many bits, extended.
std::optional<Meaning> planField(Opcode &opcode) {
  const bool clamps = opcode.take("clamp"), isMask = opcode.name == "bmsk";
  if ((!clamps && !opcode.take("wrap")) || !opcode.modifiers.empty() ||
      opcode.types.size() != 1)
    return std::nullopt;
  const Type type = opcode.types.front();
  return Meaning{
      [=](const uint64_t *x, uint64_t *result) {
        auto limited = [&](uint64_t bits) {
          bits = truncate(bits, 32);
          return clamps ? std::min<uint64_t>(bits, 32) : bits % 32;
        };
        const uint64_t first = limited(x[isMask ? 0 : 1]);
        if (isMask)
          *result =
              truncate(maskTrailingOnes<uint64_t>(limited(x[1])) << first, 32);
        else if (first == 0)
          *result = 0;
        else
          *result = truncate(type.kind == Type::Signed
                                 ? uint64_t(signExtend(x[0], first))
                                 : truncate(x[0], first),
                             32);
      },
      type, 2};
}

} // namespace

std::optional<Meaning> meaningOfPtxSelection(const Instruction &instruction) {
  Opcode opcode(instruction.opcode);
  if (opcode.name == "setp" || opcode.name == "set")
    return planCompare(opcode, instruction);
  if (opcode.name == "testp")
    return planTest(opcode);
  if (opcode.name == "dp2a")
    return planDotWords(opcode);
  if (opcode.name == "bmsk" || opcode.name == "szext")
    return planField(opcode);
  if (opcode.types.empty())
    return std::nullopt;
  const Type bits{Type::Bits, opcode.types.front().width()};
  if (opcode.name == "prmt" && !opcode.modifiers.empty())
    return planPermute(opcode);
  if (opcode.name == "selp" && opcode.modifiers.empty() &&
      opcode.types.size() == 1) {
    auto made = findOperation("selp", bits);
    made->type = opcode.types.front(); // of constants
    return made;
  }
  // The sign of the third operand, an s32 or f32, selects.
  if (opcode.name == "slct" && opcode.types.size() == 2) {
    const Type by = opcode.types[1];
    return Meaning{[=](const uint64_t *x, uint64_t *result) {
                     const bool first = by.isFloat()
                                            ? decode(by, x[2]) >= 0
                                            : signExtend(x[2], by.bits) >= 0;
                     *result = truncate(x[first ? 0 : 1], bits.bits);
                   },
                   opcode.types[0], 3};
  }
  if (opcode.name == "bfind" && opcode.take("shiftamt") &&
      opcode.modifiers.empty()) {
    auto made = findOperation("bfind", opcode.types.front());
    if (made)
      made->compute = [find = made->compute, bits](const uint64_t *x,
                                                   uint64_t *result) {
        find(x, result);
        if (*result != 0xffffffff)
          *result = bits.bits - 1 - *result;
      };
    return made;
  }
  return std::nullopt;
}

} // namespace kernelscope::executor::assembly
