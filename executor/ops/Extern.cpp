//===- Extern.cpp - Functions of the vendors' libraries -------------------===//
//
// What libdevice (__nv_) and ROCm's device libraries (__ocml_) compute, by the
// function's name without prefix, type and speed.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/assembly/Arithmetic.h"
#include "executor/ops/Elementwise.h"
#include "executor/ops/Float.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <numbers>

using namespace mlir;

namespace kernelscope::executor {
namespace {

using std::numbers::pi;

//===----------------------------------------------------------------------===//
// Functions that C++ does not have
//===----------------------------------------------------------------------===//

/// The y with erfc(y) = q, by Newton's method on the logarithm.
double erfcInverse(double q) {
  if (!(q > 0 && q < 2))
    return q == 0 ? INFINITY : q == 2 ? -INFINITY : NAN;
  if (q > 1)
    return -erfcInverse(2 - q);
  double y = std::sqrt(-std::log(q));
  for (int i = 0; i < 60; ++i) {
    const double value = std::erfc(y);
    const double step = (std::log(value) - std::log(q)) * value *
                        std::sqrt(pi) / 2 * std::exp(y * y);
    y += step;
    if (std::fabs(step) <= 1e-16 * std::fabs(y))
      break;
  }
  return y;
}

/// The y with erf(y) = x, by Halley's method near zero.
double erfInverse(double x) {
  if (std::fabs(x) > 0.5)
    return std::copysign(erfcInverse(1 - std::fabs(x)), x);
  double y = x * std::sqrt(pi) / 2;
  for (int i = 0; i < 6; ++i) {
    const double error =
        (std::erf(y) - x) * std::sqrt(pi) / 2 * std::exp(y * y);
    y -= error / (1 + y * error);
  }
  return y;
}

/// exp(x * x) * erfc(x). Where erfc underflows, its asymptotic series.
double scaledErfc(double x) {
  if (x < 25)
    return std::exp(x * x) * std::erfc(x);
  const double s = 1 / (2 * x * x);
  return (1 - s * (1 - 3 * s * (1 - 5 * s))) / (x * std::sqrt(pi));
}

/// The modified Bessel function of order 0 or 1, by its power series.
double besselI(int order, double x) {
  double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000 && std::fabs(term) > 1e-17 * std::fabs(sum); ++k) {
    term *= x * x / 4 / k / (k + order);
    sum += term;
  }
  return sum;
}

double logGamma(double x) {
  int sign; // std::lgamma keeps it in a global.
  return lgamma_r(x, &sign);
}

/// sin and cos of multiples of pi: zero where they are.
double sinOfTurns(double x) {
  const double r = std::remainder(x, 2);
  return std::sin(pi * (std::fabs(r) > 0.5 ? std::copysign(1.0, r) - r : r));
}
double cosOfTurns(double x) {
  return std::sin(pi * (0.5 - std::fabs(std::remainder(x, 2))));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A function of numbers of any type, in double.
struct Function {
  unsigned sources;
  double (*compute)(const double *x);
};

const llvm::StringMap<Function> &functions() {
  using D = const double *;
  static const llvm::StringMap<Function> table = {
      {"sqrt", {1, [](D x) { return std::sqrt(x[0]); }}},
      {"fsqrt", {1, [](D x) { return std::sqrt(x[0]); }}},
      {"dsqrt", {1, [](D x) { return std::sqrt(x[0]); }}},
      {"rsqrt", {1, [](D x) { return 1 / std::sqrt(x[0]); }}},
      {"frsqrt", {1, [](D x) { return 1 / std::sqrt(x[0]); }}},
      {"frcp", {1, [](D x) { return 1 / x[0]; }}},
      {"drcp", {1, [](D x) { return 1 / x[0]; }}},
      {"rcp", {1, [](D x) { return 1 / x[0]; }}},
      {"recip", {1, [](D x) { return 1 / x[0]; }}},
      {"cbrt", {1, [](D x) { return std::cbrt(x[0]); }}},
      {"rcbrt", {1, [](D x) { return 1 / std::cbrt(x[0]); }}},
      {"exp", {1, [](D x) { return std::exp(x[0]); }}},
      {"exp2", {1, [](D x) { return std::exp2(x[0]); }}},
      {"exp10", {1, [](D x) { return std::pow(10.0, x[0]); }}},
      {"expm1", {1, [](D x) { return std::expm1(x[0]); }}},
      {"log", {1, [](D x) { return std::log(x[0]); }}},
      {"log2", {1, [](D x) { return std::log2(x[0]); }}},
      {"log10", {1, [](D x) { return std::log10(x[0]); }}},
      {"log1p", {1, [](D x) { return std::log1p(x[0]); }}},
      {"logb", {1, [](D x) { return std::logb(x[0]); }}},
      {"ilogb", {1, [](D x) { return double(std::ilogb(x[0])); }}},
      {"sin", {1, [](D x) { return std::sin(x[0]); }}},
      {"cos", {1, [](D x) { return std::cos(x[0]); }}},
      {"tan", {1, [](D x) { return std::tan(x[0]); }}},
      {"sinpi", {1, [](D x) { return sinOfTurns(x[0]); }}},
      {"cospi", {1, [](D x) { return cosOfTurns(x[0]); }}},
      {"tanpi",
       {1, [](D x) { return sinOfTurns(x[0]) / cosOfTurns(x[0]); }}},
      {"asin", {1, [](D x) { return std::asin(x[0]); }}},
      {"acos", {1, [](D x) { return std::acos(x[0]); }}},
      {"atan", {1, [](D x) { return std::atan(x[0]); }}},
      {"atan2", {2, [](D x) { return std::atan2(x[0], x[1]); }}},
      {"sinh", {1, [](D x) { return std::sinh(x[0]); }}},
      {"cosh", {1, [](D x) { return std::cosh(x[0]); }}},
      {"tanh", {1, [](D x) { return std::tanh(x[0]); }}},
      {"asinh", {1, [](D x) { return std::asinh(x[0]); }}},
      {"acosh", {1, [](D x) { return std::acosh(x[0]); }}},
      {"atanh", {1, [](D x) { return std::atanh(x[0]); }}},
      {"erf", {1, [](D x) { return std::erf(x[0]); }}},
      {"erfc", {1, [](D x) { return std::erfc(x[0]); }}},
      {"erfcx", {1, [](D x) { return scaledErfc(x[0]); }}},
      {"erfinv", {1, [](D x) { return erfInverse(x[0]); }}},
      {"erfcinv", {1, [](D x) { return erfcInverse(x[0]); }}},
      {"normcdf",
       {1, [](D x) { return std::erfc(-x[0] * std::sqrt(0.5)) / 2; }}},
      {"normcdfinv",
       {1, [](D x) { return -std::sqrt(2.0) * erfcInverse(2 * x[0]); }}},
      {"tgamma", {1, [](D x) { return std::tgamma(x[0]); }}},
      {"lgamma", {1, [](D x) { return logGamma(x[0]); }}},
      {"j0", {1, [](D x) { return ::j0(x[0]); }}},
      {"j1", {1, [](D x) { return ::j1(x[0]); }}},
      {"jn", {2, [](D x) { return ::jn(int(x[0]), x[1]); }}},
      {"y0", {1, [](D x) { return ::y0(x[0]); }}},
      {"y1", {1, [](D x) { return ::y1(x[0]); }}},
      {"yn", {2, [](D x) { return ::yn(int(x[0]), x[1]); }}},
      {"i0", {1, [](D x) { return besselI(0, x[0]); }}},
      {"i1", {1, [](D x) { return besselI(1, x[0]); }}},
      {"fabs", {1, [](D x) { return std::fabs(x[0]); }}},
      {"ceil", {1, [](D x) { return std::ceil(x[0]); }}},
      {"floor", {1, [](D x) { return std::floor(x[0]); }}},
      {"trunc", {1, [](D x) { return std::trunc(x[0]); }}},
      {"round", {1, [](D x) { return std::round(x[0]); }}},
      {"rint", {1, [](D x) { return std::nearbyint(x[0]); }}},
      {"saturate",
       {1,
        [](D x) {
          return std::isnan(x[0]) ? 0 : std::min(std::max(x[0], 0.0), 1.0);
        }}},
      {"isnan", {1, [](D x) { return double(std::isnan(x[0])); }}},
      {"isinf", {1, [](D x) { return double(std::isinf(x[0])); }}},
      {"isfinite", {1, [](D x) { return double(std::isfinite(x[0])); }}},
      {"signbit", {1, [](D x) { return double(std::signbit(x[0])); }}},
      {"add", {2, [](D x) { return x[0] + x[1]; }}},
      {"sub", {2, [](D x) { return x[0] - x[1]; }}},
      {"mul", {2, [](D x) { return x[0] * x[1]; }}},
      {"div", {2, [](D x) { return x[0] / x[1]; }}},
      {"pow", {2, [](D x) { return std::pow(x[0], x[1]); }}},
      {"rootn", {2, [](D x) { return std::pow(x[0], 1 / x[1]); }}},
      {"fmod", {2, [](D x) { return std::fmod(x[0], x[1]); }}},
      {"remainder", {2, [](D x) { return std::remainder(x[0], x[1]); }}},
      {"hypot", {2, [](D x) { return std::hypot(x[0], x[1]); }}},
      {"rhypot", {2, [](D x) { return 1 / std::hypot(x[0], x[1]); }}},
      {"fmax", {2, [](D x) { return maximumNumber(x[0], x[1]); }}},
      {"fmin", {2, [](D x) { return minimumNumber(x[0], x[1]); }}},
      {"fdim", {2, [](D x) { return std::fdim(x[0], x[1]); }}},
      {"copysign", {2, [](D x) { return std::copysign(x[0], x[1]); }}},
      {"ldexp", {2, [](D x) { return std::ldexp(x[0], int(x[1])); }}},
      {"fma", {3, [](D x) { return std::fma(x[0], x[1], x[2]); }}},
      {"norm3d", {3, [](D x) { return std::hypot(x[0], x[1], x[2]); }}},
      {"rnorm3d", {3, [](D x) { return 1 / std::hypot(x[0], x[1], x[2]); }}},
      {"norm4d",
       {4,
        [](D x) {
          return std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
        }}},
      {"rnorm4d",
       {4,
        [](D x) {
          return 1 / std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
        }}},
  };
  return table;
}

/// What is an instruction: mostly of integers.
const llvm::StringMap<StringRef> &instructions() {
  static const llvm::StringMap<StringRef> table = {
      {"abs", "abs.s32"},
      {"iabs", "abs.s32"},
      {"llabs", "abs.s64"},
      {"min", "min.s32"},
      {"umin", "min.u32"},
      {"llmin", "min.s64"},
      {"ullmin", "min.u64"},
      {"max", "max.s32"},
      {"umax", "max.u32"},
      {"llmax", "max.s64"},
      {"ullmax", "max.u64"},
      {"mulhi", "mul.hi.s32"},
      {"umulhi", "mul.hi.u32"},
      {"mul64hi", "mul.hi.s64"},
      {"umul64hi", "mul.hi.u64"},
      {"sad", "sad.s32"},
      {"usad", "sad.u32"},
      {"popc", "popc.b32"},
      {"popcll", "popc.b64"},
      {"clz", "clz.b32"},
      {"clzll", "clz.b64"},
      {"brev", "brev.b32"},
      {"brevll", "brev.b64"},
      {"byte_perm", "prmt.b32"},
      {"float_as_int", "mov.b32"},
      {"float_as_uint", "mov.b32"},
      {"int_as_float", "mov.b32"},
      {"uint_as_float", "mov.b32"},
      {"double_as_longlong", "mov.b64"},
      {"longlong_as_double", "mov.b64"},
  };
  return table;
}

/// "float2int_rn" is cvt.rni.s32.f32; empty for what is no conversion.
std::string conversion(StringRef name) {
  auto typeOf = [](StringRef word) {
    return llvm::StringSwitch<StringRef>(word)
        .Case("half", "f16")
        .Case("float", "f32")
        .Case("double", "f64")
        .Case("int", "s32")
        .Case("uint", "u32")
        .Case("ll", "s64")
        .Case("ull", "u64")
        .Default("");
  };
  auto [names, mode] = name.split('_');
  auto [from, to] = names.split('2');
  StringRef source = typeOf(from), target = typeOf(to);
  StringRef rounding = llvm::StringSwitch<StringRef>(mode)
                           .Cases({"rn", ""}, "rn")
                           .Case("rz", "rz")
                           .Case("rd", "rm")
                           .Case("ru", "rp")
                           .Default("");
  if (source.empty() || target.empty() || rounding.empty())
    return "";
  const bool toInteger = target[0] != 'f';
  return ("cvt." + rounding + (toInteger ? "i." : ".") + target + "." + source)
      .str();
}

/// The name as the tables have it: without what says the library, the type, the
/// rounding to nearest, and that less accuracy will do.
SmallVector<std::string> plainNames(StringRef symbol) {
  if (!symbol.consume_front("__nv_") && !symbol.consume_front("__ocml_") &&
      !symbol.consume_front("__triton_hip_"))
    return {};
  SmallVector<std::string> names = {symbol.str()};
  for (StringRef suffix : {"_f16", "_f32", "_f64", "_rn", "_rte"})
    symbol.consume_back(suffix);
  for (StringRef speed : {"fast_", "native_"})
    symbol.consume_front(speed);
  symbol = llvm::StringSwitch<StringRef>(symbol)
               .Cases({"nearbyint", "nearbyintf"}, "rint")
               .Cases({"llrint", "llrintf"}, "rint")
               .Cases({"llround", "llroundf"}, "round")
               .Cases({"finitef", "isfinited"}, "isfinite")
               .Cases({"isnand", "isnanf"}, "isnan")
               .Cases({"isinfd", "isinff"}, "isinf")
               .Cases({"signbitd", "signbitf"}, "signbit")
               .Cases({"cyl_bessel_i0", "cyl_bessel_i0f"}, "i0")
               .Cases({"cyl_bessel_i1", "cyl_bessel_i1f"}, "i1")
               .Cases({"powi", "powif", "pown", "powr"}, "pow")
               .Cases({"scalbn", "scalbnf", "scalb"}, "ldexp")
               .Cases({"ncdf"}, "normcdf")
               .Cases({"ncdfinv"}, "normcdfinv")
               .Cases({"len3"}, "norm3d")
               .Cases({"rlen3"}, "rnorm3d")
               .Cases({"len4"}, "norm4d")
               .Cases({"rlen4"}, "rnorm4d")
               .Cases({"fadd", "dadd"}, "add")
               .Cases({"fsub", "dsub"}, "sub")
               .Cases({"fmul", "dmul"}, "mul")
               .Cases({"fdiv", "ddiv", "fdividef", "fdivide"}, "div")
               .Case("mad", "fma")
               .Default(symbol);
  names.push_back(symbol.str());
  if (symbol.consume_back("f"))
    names.push_back(symbol.str());
  return names;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Reads element `i` of a slot, and writes it.
using ReadNumber = std::function<double(Frame &, size_t i)>;
using WriteNumber = std::function<void(Frame &, size_t i, double)>;

ReadNumber planRead(Slot slot, Element element) {
  if (isInt(element))
    return withInt(element, [&]<typename T>() -> ReadNumber {
      return [=](Frame &frame, size_t i) {
        return double(T::loadSigned(frame.at<typename T::Storage>(slot)[i]));
      };
    });
  return withFloat(element, [&]<typename T>() -> ReadNumber {
    return [=](Frame &frame, size_t i) {
      return double(T::load(frame.at<typename T::Storage>(slot)[i]));
    };
  });
}

WriteNumber planWrite(Slot slot, Element element) {
  if (isInt(element))
    return withInt(element, [&]<typename T>() -> WriteNumber {
      return [=](Frame &frame, size_t i, double value) {
        frame.at<typename T::Storage>(slot)[i] = T::store(
            std::isfinite(value) && std::fabs(value) < 0x1p63 ? int64_t(value)
                                                              : 0);
      };
    });
  return withFloat(element, [&]<typename T>() -> WriteNumber {
    return [=](Frame &frame, size_t i, double value) {
      frame.at<typename T::Storage>(slot)[i] = T::store(value);
    };
  });
}

Step planFunction(Planner &planner, tt::ExternElementwiseOp op,
                  const Function &function) {
  SmallVector<ReadNumber> sources;
  for (Value source : op.getSrcs())
    sources.push_back(
        planRead(planner.slot(source), planner.storage(source).element));
  const Storage &result = planner.storage(op.getResult());
  return [=, compute = function.compute, count = result.count,
          write = planWrite(planner.slot(op.getResult()), result.element)](
             Frame &frame) {
    double x[4];
    for (size_t i = 0; i < count * frame.lanes; ++i) {
      for (auto [k, read] : llvm::enumerate(sources))
        x[k] = read(frame, i);
      write(frame, i, compute(x));
    }
    return true;
  };
}

Step planInstruction(Planner &planner, tt::ExternElementwiseOp op,
                     const assembly::Meaning &meaning) {
  struct Operand {
    Slot slot;
    size_t size;
  };
  auto operandOf = [&](Value value) {
    return Operand{planner.slot(value), sizeOf(planner.storage(value).element)};
  };
  SmallVector<Operand, 4> sources;
  for (Value source : op.getSrcs())
    sources.push_back(operandOf(source));
  return [=, to = operandOf(op.getResult()), compute = meaning.compute,
          count = planner.storage(op.getResult()).count](Frame &frame) {
    for (size_t i = 0; i < count * frame.lanes; ++i) {
      uint64_t in[4] = {}, out = 0;
      for (auto [k, source] : llvm::enumerate(sources))
        std::memcpy(&in[k], frame.at<char>(source.slot) + i * source.size,
                    source.size);
      compute(in, &out);
      std::memcpy(frame.at<char>(to.slot) + i * to.size, &out, to.size);
    }
    return true;
  };
}

Step planLibraryCall(Planner &planner, tt::ExternElementwiseOp op) {
  const size_t operands = op.getSrcs().size();
  auto reject = [&](unsigned needed) -> Step {
    op.emitError("function '") << op.getSymbol() << "' takes " << needed
                               << " operands, but has " << operands;
    return {};
  };
  for (Value value : op->getOperands())
    if (const Element element = planner.storage(value).element;
        !isInt(element) && !isFloat(element))
      return rejectElement(op);
  for (const std::string &name : plainNames(op.getSymbol())) {
    const bool onFloats =
        isFloat(planner
                    .storage(op->getOperands().empty() ? op.getResult()
                                                       : op->getOperand(0))
                    .element) ||
        isFloat(planner.storage(op.getResult()).element);
    if (auto found = functions().find(name);
        onFloats && found != functions().end())
      return found->second.sources == operands
                 ? planFunction(planner, op, found->second)
                 : reject(found->second.sources);
    auto instruction = instructions().find(name);
    assembly::Instruction ptx;
    ptx.opcode = instruction != instructions().end() ? instruction->second.str()
                                                     : conversion(name);
    ptx.operands.assign(operands + 1, assembly::Parts(1));
    if (ptx.opcode.empty())
      continue;
    if (auto meaning = assembly::meaningOfPtx(ptx))
      return meaning->sources == operands
                 ? planInstruction(planner, op, *meaning)
                 : reject(meaning->sources);
  }
  op.emitError("the CPU executor has no function '") << op.getSymbol() << "'";
  return {};
}

} // namespace

void registerExtern(Registry &r) {
  r.addElementwise(tt::ExternElementwiseOp::getOperationName(),
                   [](Planner &planner, Operation *op) {
                     return planLibraryCall(planner,
                                            cast<tt::ExternElementwiseOp>(op));
                   });
}

} // namespace kernelscope::executor
