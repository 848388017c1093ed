//===- Float.cpp - Floating point arithmetic and functions ----------------===//
//
// Each op rounds once to its own type: +, -, *, / and sqrt of the 8- and 16-bit
// types are done in float, which rounds to the same value, and functions of all
// types up to f32 in double.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Float.h"
#include "dialects/tt/TT.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;

namespace kernelscope::executor {

double maximumNumber(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double minimumNumber(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

namespace {

/// A planner of an op on floats of one type; `fn` takes as many values as
/// `Operand`s, in float or double.
template <size_t Operands, typename Fn> OpPlanner floatArithmetic(Fn fn) {
  return [fn](Planner &planner, Operation *op) -> Step {
    const Element element = elementOfOperand(planner, op);
    if (!isFloat(element))
      return rejectElement(op);
    return withFloat(element, [&]<typename T>() -> Step {
      using S = T::Storage;
      if constexpr (Operands == 1)
        return mapElements<S, S>(
            planner, op, [fn](S a) { return T::store(fn(T::load(a))); });
      else if constexpr (Operands == 2)
        return mapElements<S, S, S>(planner, op, [fn](S a, S b) {
          return T::store(fn(T::load(a), T::load(b)));
        });
      else
        return mapElements<S, S, S, S>(planner, op, [fn](S a, S b, S c) {
          return T::store(fn(T::load(a), T::load(b), T::load(c)));
        });
    });
  };
}

/// A function of one or two values, evaluated in double.
OpPlanner function(double (*fn)(double)) {
  return floatArithmetic<1>([fn](auto a) { return fn(a); });
}
OpPlanner function(double (*fn)(double, double)) {
  return floatArithmetic<2>([fn](auto a, auto b) { return fn(a, b); });
}

/// A planner of a test that gives i1.
template <typename Fn> OpPlanner test(Fn fn) {
  return [fn](Planner &planner, Operation *op) -> Step {
    const Element element = elementOfOperand(planner, op);
    if (!isFloat(element))
      return rejectElement(op);
    return withFloat(element, [&]<typename T>() -> Step {
      using S = T::Storage;
      return mapElements<uint8_t, S>(
          planner, op, [fn](S a) -> uint8_t { return fn(T::load(a)); });
    });
  };
}

/// a * b + c, rounded once for f32 and f64; for the smaller types the sum in
/// double is exact or nearly so.
Step planMultiplyAdd(Planner &planner, Operation *op) {
  const Element element = elementOfOperand(planner, op);
  if (!isFloat(element))
    return rejectElement(op);
  return withFloat(element, [&]<typename T>() -> Step {
    using S = T::Storage;
    return mapElements<S, S, S, S>(planner, op, [](S a, S b, S c) -> S {
      if constexpr (std::is_floating_point_v<S>)
        return std::fma(a, b, c);
      else
        return T::store(std::fma(double(T::load(a)), double(T::load(b)),
                                 double(T::load(c))));
    });
  });
}

Step planFloatCompare(Planner &planner, Operation *op) {
  const Element element = elementOfOperand(planner, op);
  if (!isFloat(element))
    return rejectElement(op);
  const arith::CmpFPredicate predicate = cast<arith::CmpFOp>(op).getPredicate();
  return withFloat(element, [&]<typename T>() -> Step {
    using S = T::Storage;
    auto compare = [&](auto fn) {
      return mapElements<uint8_t, S, S>(planner, op, [fn](S a, S b) -> uint8_t {
        return fn(T::load(a), T::load(b));
      });
    };
    auto unordered = [](auto a, auto b) {
      return std::isnan(a) || std::isnan(b);
    };
    switch (predicate) {
    case arith::CmpFPredicate::AlwaysFalse:
      return compare([](auto, auto) { return false; });
    case arith::CmpFPredicate::OEQ:
      return compare([](auto a, auto b) { return a == b; });
    case arith::CmpFPredicate::OGT:
      return compare([](auto a, auto b) { return a > b; });
    case arith::CmpFPredicate::OGE:
      return compare([](auto a, auto b) { return a >= b; });
    case arith::CmpFPredicate::OLT:
      return compare([](auto a, auto b) { return a < b; });
    case arith::CmpFPredicate::OLE:
      return compare([](auto a, auto b) { return a <= b; });
    case arith::CmpFPredicate::ONE:
      return compare([](auto a, auto b) { return a < b || a > b; });
    case arith::CmpFPredicate::ORD:
      return compare([=](auto a, auto b) { return !unordered(a, b); });
    case arith::CmpFPredicate::UEQ:
      return compare([](auto a, auto b) { return !(a < b || a > b); });
    case arith::CmpFPredicate::UGT:
      return compare([](auto a, auto b) { return !(a <= b); });
    case arith::CmpFPredicate::UGE:
      return compare([](auto a, auto b) { return !(a < b); });
    case arith::CmpFPredicate::ULT:
      return compare([](auto a, auto b) { return !(a >= b); });
    case arith::CmpFPredicate::ULE:
      return compare([](auto a, auto b) { return !(a > b); });
    case arith::CmpFPredicate::UNE:
      return compare([](auto a, auto b) { return a != b; });
    case arith::CmpFPredicate::UNO:
      return compare(unordered);
    case arith::CmpFPredicate::AlwaysTrue:
      return compare([](auto, auto) { return true; });
    }
    llvm_unreachable("every predicate is above");
  });
}

Step planClamp(Planner &planner, Operation *op) {
  const bool propagate =
      cast<tt::ClampFOp>(op).getPropagateNan() == tt::PropagateNan::ALL;
  return floatArithmetic<3>([propagate](auto x, auto low, auto high) -> double {
    if (propagate && std::isnan(x))
      return x;
    return minimumNumber(maximumNumber(x, low), high);
  })(planner, op);
}

/// Element `i` of floats stored as `element`, exactly.
double valueAt(Element element, const char *elements, size_t i) {
  return withFloat(element, [&]<typename T>() -> double {
    return T::load(reinterpret_cast<const T::Storage *>(elements)[i]);
  });
}

double packedArith(ttng::PackedArithOpKind kind, double a, double b, double c) {
  switch (kind) {
  case ttng::PackedArithOpKind::ADD:
    return a + b;
  case ttng::PackedArithOpKind::SUB:
    return a - b;
  case ttng::PackedArithOpKind::MUL:
    return a * b;
  case ttng::PackedArithOpKind::FMA:
    return std::fma(a, b, c);
  case ttng::PackedArithOpKind::MIN:
    return minimumNumber(a, b);
  case ttng::PackedArithOpKind::MAX:
    return maximumNumber(a, b);
  }
  llvm_unreachable("every kind is above");
}

/// ttng.packed_arith: operands may be narrower than the result, which is
/// rounded once.
Step planPackedArith(Planner &planner, Operation *op) {
  const ttng::PackedArithOpKind kind =
      cast<ttng::PackedArithOp>(op).getOpKind();
  struct Operand {
    Slot slot;
    Element element;
  };
  std::array<Operand, 3> from{};
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    from[i] = {planner.slot(op->getOperand(i)),
               elementOfOperand(planner, op, i)};
    if (!isFloat(from[i].element))
      return rejectElement(op);
  }
  if (op->getNumOperands() == 2)
    from[2] = from[1];
  const Slot to = planner.slot(op->getResult(0));
  const size_t count = planner.storage(op->getResult(0)).count;
  return withFloat(elementOfResult(planner, op), [&]<typename T>() -> Step {
    return [=](Frame &frame) {
      auto *result = frame.at<typename T::Storage>(to);
      auto value = [&](unsigned operand, size_t i) {
        return valueAt(from[operand].element,
                       frame.at<char>(from[operand].slot), i);
      };
      for (size_t i = 0; i < count * frame.lanes; ++i)
        result[i] =
            T::store(packedArith(kind, value(0, i), value(1, i), value(2, i)));
      return true;
    };
  });
}

/// math.fpowi: a float to an integer power.
Step planIntegerPower(Planner &planner, Operation *op) {
  const Element base = elementOfOperand(planner, op, 0);
  const Element power = elementOfOperand(planner, op, 1);
  if (!isFloat(base) || !isInt(power))
    return rejectElement(op);
  return withFloat(base, [&]<typename T>() {
    return withInt(power, [&]<typename I>() -> Step {
      using S = T::Storage;
      return mapElements<S, S, typename I::Storage>(
          planner, op, [](S a, I::Storage b) {
            return T::store(
                std::pow(double(T::load(a)), double(I::loadSigned(b))));
          });
    });
  });
}

/// math.isnormal: the least number of full precision is that of the type.
Step planIsNormal(Planner &planner, Operation *op) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(op->getOperand(0)));
  if (!type)
    return rejectElement(op);
  const double least =
      llvm::APFloat::getSmallestNormalized(type.getFloatSemantics())
          .convertToDouble();
  return test([least](double x) {
    return std::isfinite(x) && std::fabs(x) >= least;
  })(planner, op);
}

Step planSincos(Planner &planner, Operation *op) {
  const Element element = elementOfOperand(planner, op);
  if (!isFloat(element))
    return rejectElement(op);
  const Slot from = planner.slot(op->getOperand(0)),
             sine = planner.slot(op->getResult(0)),
             cosine = planner.slot(op->getResult(1));
  const size_t count = planner.storage(op->getResult(0)).count;
  return withFloat(element, [&]<typename T>() -> Step {
    using S = T::Storage;
    return [=](Frame &frame) {
      for (size_t i = 0; i < count * frame.lanes; ++i) {
        const double x = T::load(frame.at<S>(from)[i]);
        frame.at<S>(sine)[i] = T::store(std::sin(x));
        frame.at<S>(cosine)[i] = T::store(std::cos(x));
      }
      return true;
    };
  });
}

} // namespace

void registerFloat(Registry &r) {
  auto add = [&](StringRef name, OpPlanner plan) {
    r.addElementwise(name, std::move(plan));
  };
  add("arith.addf", floatArithmetic<2>([](auto a, auto b) { return a + b; }));
  add("arith.subf", floatArithmetic<2>([](auto a, auto b) { return a - b; }));
  add("arith.mulf", floatArithmetic<2>([](auto a, auto b) { return a * b; }));
  add("arith.divf", floatArithmetic<2>([](auto a, auto b) { return a / b; }));
  add("tt.precise_divf",
      floatArithmetic<2>([](auto a, auto b) { return a / b; }));
  add("tt.approx_divf",
      floatArithmetic<2>([](auto a, auto b) { return a / b; }));
  add("arith.remf",
      function([](double a, double b) { return std::fmod(a, b); }));
  add("arith.negf", floatArithmetic<1>([](auto a) { return -a; }));
  add("arith.maxnumf",
      floatArithmetic<2>([](auto a, auto b) { return maximumNumber(a, b); }));
  add("arith.minnumf",
      floatArithmetic<2>([](auto a, auto b) { return minimumNumber(a, b); }));
  add("arith.maximumf", floatArithmetic<2>([](auto a, auto b) {
        return std::isnan(a) || std::isnan(b) ? double(a + b)
                                              : maximumNumber(a, b);
      }));
  add("arith.minimumf", floatArithmetic<2>([](auto a, auto b) {
        return std::isnan(a) || std::isnan(b) ? double(a + b)
                                              : minimumNumber(a, b);
      }));
  add("arith.cmpf", planFloatCompare);
  add("tt.clampf", planClamp);
  add("ttng.packed_arith", planPackedArith);
  add("math.fma", planMultiplyAdd);
  add("math.sqrt", floatArithmetic<1>([](auto a) { return std::sqrt(a); }));
  add("tt.precise_sqrt",
      floatArithmetic<1>([](auto a) { return std::sqrt(a); }));
  add("math.rsqrt", function([](double x) { return 1.0 / std::sqrt(x); }));
  add("math.absf", floatArithmetic<1>([](auto a) { return std::fabs(a); }));
  add("math.ceil", floatArithmetic<1>([](auto a) { return std::ceil(a); }));
  add("math.floor", floatArithmetic<1>([](auto a) { return std::floor(a); }));
  add("math.trunc", floatArithmetic<1>([](auto a) { return std::trunc(a); }));
  add("math.round", floatArithmetic<1>([](auto a) { return std::round(a); }));
  add("math.roundeven",
      floatArithmetic<1>([](auto a) { return std::nearbyint(a); }));
  add("math.copysign",
      floatArithmetic<2>([](auto a, auto b) { return std::copysign(a, b); }));
  add("math.exp", function([](double x) { return std::exp(x); }));
  add("math.exp2", function([](double x) { return std::exp2(x); }));
  add("math.expm1", function([](double x) { return std::expm1(x); }));
  add("math.log", function([](double x) { return std::log(x); }));
  add("math.log2", function([](double x) { return std::log2(x); }));
  add("math.log10", function([](double x) { return std::log10(x); }));
  add("math.log1p", function([](double x) { return std::log1p(x); }));
  add("math.sin", function([](double x) { return std::sin(x); }));
  add("math.cos", function([](double x) { return std::cos(x); }));
  add("math.tan", function([](double x) { return std::tan(x); }));
  add("math.asin", function([](double x) { return std::asin(x); }));
  add("math.acos", function([](double x) { return std::acos(x); }));
  add("math.atan", function([](double x) { return std::atan(x); }));
  add("math.atan2",
      function([](double y, double x) { return std::atan2(y, x); }));
  add("math.sinh", function([](double x) { return std::sinh(x); }));
  add("math.cosh", function([](double x) { return std::cosh(x); }));
  add("math.tanh", function([](double x) { return std::tanh(x); }));
  add("math.asinh", function([](double x) { return std::asinh(x); }));
  add("math.acosh", function([](double x) { return std::acosh(x); }));
  add("math.atanh", function([](double x) { return std::atanh(x); }));
  add("math.erf", function([](double x) { return std::erf(x); }));
  add("math.erfc", function([](double x) { return std::erfc(x); }));
  add("math.cbrt", function([](double x) { return std::cbrt(x); }));
  add("math.powf", function([](double x, double y) { return std::pow(x, y); }));
  add("math.fpowi", planIntegerPower);
  add("math.sincos", planSincos);
  add("math.clampf", floatArithmetic<3>([](auto x, auto low, auto high) {
        return minimumNumber(maximumNumber(x, low), high);
      }));
  add("math.isnormal", planIsNormal);
  add("math.isnan", test([](auto a) { return std::isnan(a); }));
  add("math.isinf", test([](auto a) { return std::isinf(a); }));
  add("math.isfinite", test([](auto a) { return std::isfinite(a); }));
}

} // namespace kernelscope::executor
