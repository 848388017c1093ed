//===- MathFunctions.cpp - Functions of floats ----------------------------===//
//
// Computed in double and rounded once: closer than the chip's instructions,
// whose errors are about one unit in the last place (AMD's ISA documents,
// "Transcendental").
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "llvm/ADT/FloatingPointMode.h"
#include <cmath>

using namespace llvm;

namespace kernelscope::wave {

using One = double (*)(double);
using Two = double (*)(double, double);

/// The result for each float of the first operand: `meaningIn<Codec>()` maps
/// the bits of one to those of the other.
template <typename Meaning>
static void mapFloats(const Call &call, Meaning meaningIn) {
  const Scalar::Kind kind = call.floatKind(0);
  const Columns results = call.define();
  for (auto [to, x] : zip_equal(results, call.operand(0, results.size())))
    withCodec(kind, [&, to = to, x = x]<typename Codec>() {
      call.decoder.unary(to, x, meaningIn.template operator()<Codec>());
    });
}

template <One fn> static void ofOne(const Call &call) {
  mapFloats(call, []<typename Codec>() {
    return [](uint64_t bits) {
      return Codec::store(fn(double(Codec::load(bits))));
    };
  });
}

template <Two fn> static void ofTwo(const Call &call) {
  const Scalar::Kind kind = call.floatKind(0);
  for (auto [to, x, y] :
       zip_equal(call.define(), call.operand(0), call.operand(1)))
    withCodec(kind, [&, to = to, x = x, y = y]<typename Codec>() {
      call.decoder.binary(to, x, y, [](uint64_t p, uint64_t q) {
        return Codec::store(fn(double(Codec::load(p)), double(Codec::load(q))));
      });
    });
}

/// `llvm.vector.reduce.*` of floats: the elements in their order, for sums and
/// products (`operand` 1) after a start.
template <Two fn, unsigned operand> static void ofAll(const Call &call) {
  const Scalar::Kind kind = call.floatKind(0);
  const Columns elements = call.operand(operand);
  const Column to = call.define()[0];
  call.decoder.unary(to, call.scalar(0), [](uint64_t bits) { return bits; });
  withCodec(kind, [&]<typename Codec>() {
    for (Column element : ArrayRef(elements).drop_front(1 - operand))
      call.decoder.binary(to, to, element, [](uint64_t p, uint64_t q) {
        return Codec::store(fn(double(Codec::load(p)), double(Codec::load(q))));
      });
  });
}

static double sumOfFloats(double x, double y) { return x + y; }
static double productOfFloats(double x, double y) { return x * y; }
static double reciprocal(double x) { return 1.0 / x; }
static double reciprocalRoot(double x) { return 1.0 / std::sqrt(x); }
/// Less than 1 when it is rounded, too.
static void fraction(const Call &call) {
  mapFloats(call, []<typename Codec>() {
    return [one = uint64_t(Codec::store(1.0))](uint64_t bits) {
      const auto value = double(Codec::load(bits));
      const uint64_t part = Codec::store(value - std::floor(value));
      // The bits of the next smaller number.
      return part == one ? part - 1 : part;
    };
  });
}
/// The chip's sine takes turns, not radians.
static double sineOfTurns(double x) { return std::sin(2 * M_PI * x); }
static double cosineOfTurns(double x) { return std::cos(2 * M_PI * x); }
static double minimum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  return std::signbit(x) != std::signbit(y) ? (std::signbit(x) ? x : y)
                                            : std::min(x, y);
}
static double maximum(double x, double y) { return -minimum(-x, -y); }

/// Rounded once, like the instruction: of 16 bits, a float would round before.
static void fusedMultiplyAdd(const Call &call) {
  const Scalar::Kind kind = call.floatKind(0);
  for (auto [to, x, y, z] : zip_equal(call.define(), call.operand(0),
                                      call.operand(1), call.operand(2)))
    withCodec(kind, [&, to = to, x = x, y = y, z = z]<typename Codec>() {
      call.decoder.ternary(to, x, y, z, [](uint64_t p, uint64_t q, uint64_t r) {
        const auto x = Codec::load(p), y = Codec::load(q), z = Codec::load(r);
        if constexpr (std::is_same_v<Codec, FloatCodec>)
          return Codec::store(std::fma(x, y, z));
        else
          return Codec::store(std::fma(double(x), double(y), double(z)));
      });
    });
}

static void median(const Call &call) {
  const Scalar::Kind kind = call.floatKind(0);
  withCodec(kind, [&]<typename Codec>() {
    call.decoder.ternary(
        call.define()[0], call.scalar(0), call.scalar(1), call.scalar(2),
        [](uint64_t p, uint64_t q, uint64_t r) {
          const auto x = Codec::load(p), y = Codec::load(q), z = Codec::load(r);
          if (std::isnan(x) || std::isnan(y) || std::isnan(z))
            return Codec::store(std::fmin(std::fmin(x, y), z));
          return Codec::store(
              std::max(std::min(x, y), std::min(std::max(x, y), z)));
        });
  });
}

static void scaleByPower(const Call &call) {
  const Scalar::Kind kind = call.floatKind(0);
  const unsigned bits = call.decoder.scalarOf(call.value(1)).bits;
  for (auto [to, x, power] :
       zip_equal(call.define(), call.operand(0), call.operand(1)))
    withCodec(kind, [&, to = to, x = x, power = power]<typename Codec>() {
      call.decoder.binary(to, x, power, [bits](uint64_t p, uint64_t n) {
        const int64_t exponent =
            std::clamp<int64_t>(signExtend(n, bits), -4096, 4096);
        return Codec::store(
            std::ldexp(double(Codec::load(p)), static_cast<int>(exponent)));
      });
    });
}

/// A mantissa from 0.5 to 1 and an exponent.
static void splitFloat(const Call &call) {
  const Scalar::Kind kind = call.floatKind(0);
  const Columns operands = call.operand(0), results = call.define();
  const unsigned bits =
      call.decoder.fields(call.call.getType()).back().scalar.bits;
  for (auto [i, operand] : enumerate(operands))
    withCodec(kind, [&, i = i, x = operand]<typename Codec>() {
      call.decoder.emit([=, mantissa = results[i],
                         power = results[operands.size() + i]](Wave &wave) {
        wave.forLanes([&](unsigned lane) {
          int exponent = 0;
          const double value = double(Codec::load(wave.value(x, lane)));
          wave.value(mantissa, lane) =
              Codec::store(std::frexp(value, &exponent));
          wave.value(power, lane) =
              static_cast<uint64_t>(std::isfinite(value) ? exponent : 0) &
              lowBits(bits);
        });
      });
    });
}

static void classify(const Call &call) {
  mapFloats(call, [tests = static_cast<unsigned>(
                       call.immediate(1))]<typename Codec>() {
    return [tests](uint64_t bits) -> uint64_t {
      const auto value = Codec::load(bits);
      const bool isNegative = std::signbit(value);
      unsigned found = 0;
      if (std::isnan(value))
        found = fcQNan;
      else if (std::isinf(value))
        found = isNegative ? fcNegInf : fcPosInf;
      else if (value == 0)
        found = isNegative ? fcNegZero : fcPosZero;
      else if (std::isnormal(value))
        found = isNegative ? fcNegNormal : fcPosNormal;
      else
        found = isNegative ? fcNegSubnormal : fcPosSubnormal;
      return (tests & found) != 0;
    };
  });
}

static void absolute(const Call &call) {
  const unsigned bits = call.decoder.scalarOf(call.value(0)).bits;
  for (auto [to, x] : zip_equal(call.define(), call.operand(0)))
    call.decoder.unary(to, x,
                       [=](uint64_t y) { return y & lowBits(bits - 1); });
}

static void copySign(const Call &call) {
  const unsigned bits = call.decoder.scalarOf(call.value(0)).bits;
  for (auto [to, x, y] :
       zip_equal(call.define(), call.operand(0), call.operand(1)))
    call.decoder.binary(to, x, y, [=](uint64_t size, uint64_t sign) {
      const uint64_t rest = lowBits(bits - 1);
      return (size & rest) | (sign & ~rest);
    });
}

void addMathFunctions(Meanings &meanings) {
  meanings.add("llvm.vector.reduce.fadd", ofAll<sumOfFloats, 1>);
  meanings.add("llvm.vector.reduce.fmul", ofAll<productOfFloats, 1>);
  meanings.add("llvm.vector.reduce.fmax", ofAll<std::fmax, 0>);
  meanings.add("llvm.vector.reduce.fmin", ofAll<std::fmin, 0>);
  meanings.add("llvm.vector.reduce.fmaximum", ofAll<maximum, 0>);
  meanings.add("llvm.vector.reduce.fminimum", ofAll<minimum, 0>);
  meanings.add("llvm.exp", ofOne<std::exp>);
  meanings.add("llvm.exp2", ofOne<std::exp2>);
  meanings.add("llvm.log", ofOne<std::log>);
  meanings.add("llvm.log2", ofOne<std::log2>);
  meanings.add("llvm.log10", ofOne<std::log10>);
  meanings.add("llvm.sqrt", ofOne<std::sqrt>);
  meanings.add("llvm.sin", ofOne<std::sin>);
  meanings.add("llvm.cos", ofOne<std::cos>);
  meanings.add("llvm.tanh", ofOne<std::tanh>);
  meanings.add("llvm.floor", ofOne<std::floor>);
  meanings.add("llvm.ceil", ofOne<std::ceil>);
  meanings.add("llvm.trunc", ofOne<std::trunc>);
  meanings.add("llvm.rint", ofOne<std::nearbyint>);
  meanings.add("llvm.nearbyint", ofOne<std::nearbyint>);
  meanings.add("llvm.roundeven", ofOne<std::nearbyint>);
  meanings.add("llvm.round", ofOne<std::round>);
  meanings.add("llvm.canonicalize", ofOne<[](double x) { return x; }>);
  meanings.add("llvm.pow", ofTwo<std::pow>);
  meanings.add("llvm.maxnum", ofTwo<std::fmax>);
  meanings.add("llvm.minnum", ofTwo<std::fmin>);
  meanings.add("llvm.maximumnum", ofTwo<std::fmax>);
  meanings.add("llvm.minimumnum", ofTwo<std::fmin>);
  meanings.add("llvm.maximum", ofTwo<maximum>);
  meanings.add("llvm.minimum", ofTwo<minimum>);
  meanings.add("llvm.fma", fusedMultiplyAdd);
  meanings.add("llvm.fmuladd", fusedMultiplyAdd);
  meanings.add("llvm.ldexp", scaleByPower);
  meanings.add("llvm.frexp", splitFloat);
  meanings.add("llvm.is.fpclass", classify);
  meanings.add("llvm.fabs", absolute);
  meanings.add("llvm.copysign", copySign);
  meanings.add("llvm.amdgcn.exp2", ofOne<std::exp2>);
  meanings.add("llvm.amdgcn.log", ofOne<std::log2>);
  meanings.add("llvm.amdgcn.sqrt", ofOne<std::sqrt>);
  meanings.add("llvm.amdgcn.rsq", ofOne<reciprocalRoot>);
  meanings.add("llvm.amdgcn.rcp", ofOne<reciprocal>);
  meanings.add("llvm.amdgcn.tanh", ofOne<std::tanh>);
  meanings.add("llvm.amdgcn.sin", ofOne<sineOfTurns>);
  meanings.add("llvm.amdgcn.cos", ofOne<cosineOfTurns>);
  meanings.add("llvm.amdgcn.fract", fraction);
  meanings.add("llvm.amdgcn.fmed3", median);
}

} // namespace kernelscope::wave
