//===- Arithmetic.cpp - Arithmetic, comparisons and selection -------------===//
//
// Element by element of vectors. What LLVM leaves undefined has the result that
// the executor gives (Executor.h).
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Decoder.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave {

static void decodeInt(Decoder &decoder, unsigned opcode, unsigned bits,
                      Column to, Column a, Column b) {
  const uint64_t mask = lowBits(bits);
  auto binary = [&](auto fn) { decoder.binary(to, a, b, fn); };
  switch (opcode) {
  case Instruction::Add:
    return binary([=](uint64_t x, uint64_t y) { return (x + y) & mask; });
  case Instruction::Sub:
    return binary([=](uint64_t x, uint64_t y) { return (x - y) & mask; });
  case Instruction::Mul:
    return binary([=](uint64_t x, uint64_t y) { return (x * y) & mask; });
  case Instruction::And:
    return binary([](uint64_t x, uint64_t y) { return x & y; });
  case Instruction::Or:
    return binary([](uint64_t x, uint64_t y) { return x | y; });
  case Instruction::Xor:
    return binary([](uint64_t x, uint64_t y) { return x ^ y; });
  case Instruction::Shl:
    return binary(
        [=](uint64_t x, uint64_t y) { return y < bits ? (x << y) & mask : 0; });
  case Instruction::LShr:
    return binary(
        [=](uint64_t x, uint64_t y) { return y < bits ? x >> y : 0; });
  case Instruction::AShr:
    return binary([=](uint64_t x, uint64_t y) {
      return static_cast<uint64_t>(signExtend(x, bits) >>
                                   std::min<uint64_t>(y, bits - 1)) &
             mask;
    });
  case Instruction::UDiv:
    return binary([=](uint64_t x, uint64_t y) { return y ? x / y : mask; });
  case Instruction::URem:
    return binary([](uint64_t x, uint64_t y) { return y ? x % y : x; });
  case Instruction::SDiv:
    return binary([=](uint64_t x, uint64_t y) {
      const int64_t p = signExtend(x, bits), q = signExtend(y, bits);
      return (y == 0    ? mask
              : q == -1 ? uint64_t{0} - x
                        : static_cast<uint64_t>(p / q)) &
             mask;
    });
  case Instruction::SRem:
    return binary([=](uint64_t x, uint64_t y) {
      const int64_t p = signExtend(x, bits), q = signExtend(y, bits);
      return (y == 0 ? x : q == -1 ? 0 : static_cast<uint64_t>(p % q)) & mask;
    });
  default:
    decoder.fail("the wave simulator does not run this operator on integers");
  }
}

static void decodeFloat(Decoder &decoder, unsigned opcode, Scalar::Kind kind,
                        Column to, Column a, Column b) {
  withCodec(kind, [&]<typename Codec>() {
    auto binary = [&](auto fn) {
      decoder.binary(to, a, b, [fn](uint64_t x, uint64_t y) {
        return Codec::store(fn(Codec::load(x), Codec::load(y)));
      });
    };
    switch (opcode) {
    case Instruction::FAdd:
      return binary([](auto x, auto y) { return x + y; });
    case Instruction::FSub:
      return binary([](auto x, auto y) { return x - y; });
    case Instruction::FMul:
      return binary([](auto x, auto y) { return x * y; });
    case Instruction::FDiv:
      return binary([](auto x, auto y) { return x / y; });
    case Instruction::FRem:
      return binary([](auto x, auto y) { return std::fmod(x, y); });
    default:
      decoder.fail("the wave simulator does not run this operator on floats");
    }
  });
}

static void decodeIntCompare(Decoder &decoder, CmpInst::Predicate predicate,
                             unsigned bits, Column to, Column a, Column b) {
  auto compare = [&](auto fn) {
    decoder.binary(to, a, b, [fn](uint64_t x, uint64_t y) -> uint64_t {
      return fn(x, y);
    });
  };
  auto compareSigned = [&](auto fn) {
    decoder.binary(to, a, b, [fn, bits](uint64_t x, uint64_t y) -> uint64_t {
      return fn(signExtend(x, bits), signExtend(y, bits));
    });
  };
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return compare(std::equal_to<>());
  case CmpInst::ICMP_NE:
    return compare(std::not_equal_to<>());
  case CmpInst::ICMP_UGT:
    return compare(std::greater<>());
  case CmpInst::ICMP_UGE:
    return compare(std::greater_equal<>());
  case CmpInst::ICMP_ULT:
    return compare(std::less<>());
  case CmpInst::ICMP_ULE:
    return compare(std::less_equal<>());
  case CmpInst::ICMP_SGT:
    return compareSigned(std::greater<>());
  case CmpInst::ICMP_SGE:
    return compareSigned(std::greater_equal<>());
  case CmpInst::ICMP_SLT:
    return compareSigned(std::less<>());
  default:
    return compareSigned(std::less_equal<>());
  }
}

static void decodeFloatCompare(Decoder &decoder, CmpInst::Predicate predicate,
                               Scalar::Kind kind, Column to, Column a,
                               Column b) {
  // The predicate's own bits: equal, greater, less, unordered.
  static_assert(CmpInst::FCMP_OEQ == 1 && CmpInst::FCMP_OGT == 2 &&
                CmpInst::FCMP_OLT == 4 && CmpInst::FCMP_UNO == 8);
  withCodec(kind, [&]<typename Codec>() {
    decoder.binary(to, a, b, [predicate](uint64_t p, uint64_t q) -> uint64_t {
      const auto x = Codec::load(p), y = Codec::load(q);
      const unsigned relation = x == y  ? CmpInst::FCMP_OEQ
                                : x > y ? CmpInst::FCMP_OGT
                                : x < y ? CmpInst::FCMP_OLT
                                        : CmpInst::FCMP_UNO;
      return (predicate & relation) != 0;
    });
  });
}

bool decodeArithmetic(Decoder &decoder, const Instruction &instruction) {
  const unsigned opcode = instruction.getOpcode();
  const bool isCompare = isa<CmpInst>(instruction);
  if (isa<SelectInst>(instruction)) {
    Columns condition = decoder.operand(instruction.getOperand(0));
    Columns yes = decoder.operand(instruction.getOperand(1));
    Columns no = decoder.operand(instruction.getOperand(2));
    for (auto [i, to] : enumerate(decoder.define(&instruction)))
      decoder.ternary(
          to, condition[condition.size() == 1 ? 0 : i], yes[i], no[i],
          [](uint64_t c, uint64_t x, uint64_t y) { return c & 1 ? x : y; });
    return true;
  }
  if (!isCompare && !instruction.isBinaryOp() && opcode != Instruction::FNeg)
    return false;
  const Scalar scalar = decoder.scalarOf(instruction.getOperand(0));
  Columns a = decoder.operand(instruction.getOperand(0));
  Columns results = decoder.define(&instruction);
  if (opcode == Instruction::FNeg) {
    const uint64_t sign = uint64_t{1} << (scalar.bits - 1);
    for (auto [to, x] : zip_equal(results, a))
      decoder.unary(to, x, [sign](uint64_t bits) { return bits ^ sign; });
    return true;
  }
  Columns b = decoder.operand(instruction.getOperand(1));
  for (auto [to, x, y] : zip_equal(results, a, b)) {
    if (isCompare) {
      auto predicate = cast<CmpInst>(instruction).getPredicate();
      if (isFloat(scalar.kind))
        decodeFloatCompare(decoder, predicate, scalar.kind, to, x, y);
      else
        decodeIntCompare(decoder, predicate, scalar.bits, to, x, y);
    } else if (isFloat(scalar.kind)) {
      decodeFloat(decoder, opcode, scalar.kind, to, x, y);
    } else {
      decodeInt(decoder, opcode, scalar.bits, to, x, y);
    }
  }
  return true;
}

bool decodeCast(Decoder &decoder, const Instruction &instruction) {
  if (!isa<CastInst>(instruction))
    return false;
  const Scalar from = decoder.scalarOf(instruction.getOperand(0));
  const Scalar to = decoder.scalarOf(&instruction);
  const uint64_t mask = lowBits(to.bits);
  for (auto [result, operand] :
       zip_equal(decoder.define(&instruction),
                 decoder.operand(instruction.getOperand(0)))) {
    auto unary = [&, result = result, operand = operand](auto fn) {
      decoder.unary(result, operand, fn);
    };
    switch (instruction.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::PtrToInt:
    case Instruction::PtrToAddr:
    case Instruction::IntToPtr:
      unary([=](uint64_t x) { return x & mask; });
      break;
    case Instruction::SExt:
      unary([=](uint64_t x) {
        return static_cast<uint64_t>(signExtend(x, from.bits)) & mask;
      });
      break;
    case Instruction::AddrSpaceCast: {
      const bool isLds = from.space == Lds || from.space == ClusterShared;
      const uint64_t aperture = to.space != Generic     ? 0
                                : isLds                 ? ldsAperture
                                : from.space == Private ? privateAperture
                                                        : 0;
      unary([=](uint64_t x) { return (x | aperture) & mask; });
      break;
    }
    case Instruction::FPTrunc:
    case Instruction::FPExt:
      withCodec(from.kind, [&]<typename From>() {
        withCodec(to.kind, [&]<typename To>() {
          unary([](uint64_t x) { return To::store(double(From::load(x))); });
        });
      });
      break;
    case Instruction::SIToFP:
      withCodec(to.kind, [&]<typename To>() {
        unary([=](uint64_t x) {
          const int64_t value = signExtend(x, from.bits);
          if constexpr (std::is_same_v<To, FloatCodec>)
            return To::store(static_cast<float>(value));
          else
            return To::store(static_cast<double>(value));
        });
      });
      break;
    case Instruction::UIToFP:
      withCodec(to.kind, [&]<typename To>() {
        unary([](uint64_t x) {
          if constexpr (std::is_same_v<To, FloatCodec>)
            return To::store(static_cast<float>(x));
          else
            return To::store(static_cast<double>(x));
        });
      });
      break;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      // The instructions saturate, and NaN becomes 0.
      withCodec(from.kind, [&]<typename From>() {
        const bool isSigned = instruction.getOpcode() == Instruction::FPToSI;
        const double top =
            std::ldexp(1.0, static_cast<int>(to.bits) - isSigned);
        unary([=](uint64_t bits) -> uint64_t {
          const double x = std::trunc(double(From::load(bits)));
          if (!(x > (isSigned ? -top - 1 : -1.0)))
            return std::isnan(x) || !isSigned ? 0
                                              : uint64_t{1} << (to.bits - 1);
          if (x >= top)
            return mask >> isSigned;
          return (isSigned ? static_cast<uint64_t>(static_cast<int64_t>(x))
                           : static_cast<uint64_t>(x)) &
                 mask;
        });
      });
      break;
    default:
      decoder.fail("the wave simulator does not run this cast");
    }
  }
  return true;
}

} // namespace kernelscope::wave
