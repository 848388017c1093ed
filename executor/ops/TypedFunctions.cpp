//===- TypedFunctions.cpp - Library functions that depend on their type ---===//
//
// Arithmetic rounded in a direction: libdevice's `fadd_rz` of f32 and `dadd_rz`
// of f64, ocml's `add_rtz_f16`; towards zero (rz, rtz), down (rd, rtn) and up
// (ru, rtp). And ocml's neighbours and classes of floats.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/LibraryFunctions.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

namespace kernelscope::executor {
namespace {

using llvm::APFloat;
using llvm::RoundingMode;
using FloatSemantics = const llvm::fltSemantics &(*)();

/// x, which has a value of the type.
template <FloatSemantics type> APFloat floatOf(double x) {
  APFloat value(x);
  bool loses;
  value.convert(type(), RoundingMode::NearestTiesToEven, &loses);
  return value;
}

double numberOf(APFloat value) {
  bool loses;
  value.convert(APFloat::IEEEdouble(), RoundingMode::NearestTiesToEven, &loses);
  return value.convertToDouble();
}

/// The root of x: the nearest one, and its neighbour where that is on the wrong
/// side.
template <typename T, RoundingMode mode> double directedRoot(const double *x) {
  const T value = T(x[0]), root = std::sqrt(value);
  // Exact, or of the right sign.
  const double rest = std::fma(double(root), double(root), -double(value));
  if (!(rest > 0 || rest < 0) || !std::isfinite(root))
    return root;
  if (mode == RoundingMode::TowardPositive)
    return rest < 0 ? std::nextafter(root, T(INFINITY)) : root;
  return rest > 0 ? std::nextafter(root, T(0)) : root;
}

using RoundedOperation = APFloat::opStatus (APFloat::*)(const APFloat &,
                                                        RoundingMode);

template <FloatSemantics type, RoundingMode mode, RoundedOperation operation>
double directed(const double *x) {
  APFloat a = floatOf<type>(x[0]);
  (a.*operation)(floatOf<type>(x[1]), mode);
  return numberOf(a);
}

template <FloatSemantics type, RoundingMode mode>
double directedFma(const double *x) {
  APFloat a = floatOf<type>(x[0]);
  a.fusedMultiplyAdd(floatOf<type>(x[1]), floatOf<type>(x[2]), mode);
  return numberOf(a);
}

template <FloatSemantics type, RoundingMode mode>
double directedReciprocal(const double *x) {
  const double of[] = {1, x[0]};
  return directed<type, mode, &APFloat::divide>(of);
}

template <RoundingMode mode> double directedHalf(const double *x) {
  APFloat value(x[0]);
  bool loses;
  value.convert(APFloat::IEEEhalf(), mode, &loses);
  return numberOf(value);
}

using FunctionTable = llvm::StringMap<LibraryFunction>;

template <FloatSemantics type, RoundingMode mode>
void addArithmetic(FunctionTable &table, llvm::StringRef prefix,
                   llvm::StringRef suffix, llvm::StringRef fma) {
  auto name = [&](llvm::StringRef operation) {
    return (prefix + operation + suffix).str();
  };
  table[name("add")] = {2, directed<type, mode, &APFloat::add>};
  table[name("sub")] = {2, directed<type, mode, &APFloat::subtract>};
  table[name("mul")] = {2, directed<type, mode, &APFloat::multiply>};
  table[name("div")] = {2, directed<type, mode, &APFloat::divide>};
  table[name("rcp")] = {1, directedReciprocal<type, mode>};
  table[(fma + suffix).str()] = {3, directedFma<type, mode>};
}

/// `direction` is libdevice's, `toward` ocml's.
template <RoundingMode mode>
void addDirection(FunctionTable &table, llvm::StringRef direction,
                  llvm::StringRef toward) {
  addArithmetic<APFloat::IEEEsingle, mode>(table, "f", direction, "fmaf");
  addArithmetic<APFloat::IEEEdouble, mode>(table, "d", direction, "fma");
  table[("fsqrt" + direction).str()] = {1, directedRoot<float, mode>};
  table[("dsqrt" + direction).str()] = {1, directedRoot<double, mode>};
  table[("fmaf_ieee" + direction).str()] = {
      3, directedFma<APFloat::IEEEsingle, mode>};
  for (llvm::StringRef from : {"_f32", "_f64"})
    table[("cvt" + toward.drop_front() + "_f16" + from).str()] = {
        1, directedHalf<mode>};
  const std::string suffix = toward.str();
  addArithmetic<APFloat::IEEEhalf, mode>(table, "", suffix + "_f16", "fma");
  addArithmetic<APFloat::IEEEsingle, mode>(table, "", suffix + "_f32", "fma");
  addArithmetic<APFloat::IEEEdouble, mode>(table, "", suffix + "_f64", "fma");
}

template <FloatSemantics type, bool isDown> double neighbour(const double *x) {
  APFloat value = floatOf<type>(x[0]);
  value.next(isDown);
  return numberOf(value);
}

template <FloatSemantics type> double isNormal(const double *x) {
  return floatOf<type>(x[0]).isNormal();
}

/// C's FP_NAN, FP_INFINITE, ... as HIP has them.
template <FloatSemantics type> double classOf(const double *x) {
  const APFloat value = floatOf<type>(x[0]);
  return value.isNaN()        ? 0
         : value.isInfinity() ? 1
         : value.isZero()     ? 2
         : value.isDenormal() ? 3
                              : 4;
}

template <FloatSemantics type>
void addNeighbours(FunctionTable &table, llvm::StringRef suffix) {
  table[("pred" + suffix).str()] = {1, neighbour<type, true>};
  table[("succ" + suffix).str()] = {1, neighbour<type, false>};
  table[("isnormal" + suffix).str()] = {1, isNormal<type>};
  table[("fpclassify" + suffix).str()] = {1, classOf<type>};
}

} // namespace

void addTypedFunctions(llvm::StringMap<LibraryFunction> &table) {
  addDirection<RoundingMode::TowardZero>(table, "_rz", "_rtz");
  addDirection<RoundingMode::TowardNegative>(table, "_rd", "_rtn");
  addDirection<RoundingMode::TowardPositive>(table, "_ru", "_rtp");
  table["cvtrte_f16_f64"] = {1, [](const double *x) { return x[0]; }};
  addNeighbours<APFloat::IEEEhalf>(table, "_f16");
  addNeighbours<APFloat::IEEEsingle>(table, "_f32");
  addNeighbours<APFloat::IEEEdouble>(table, "_f64");
}

} // namespace kernelscope::executor
