//===- LibraryFunctions.cpp - What libdevice and ocml compute -------------===//

#include "executor/ops/LibraryFunctions.h"
#include "executor/ops/Float.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <numbers>

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

/// The one of two numbers whose magnitude is the larger or smaller one.
double ofMagnitude(const double *x, bool larger) {
  const double first = std::fabs(x[0]), second = std::fabs(x[1]);
  if (first != second && !std::isnan(x[0]) && !std::isnan(x[1]))
    return (first > second) == larger ? x[0] : x[1];
  return larger ? maximumNumber(x[0], x[1]) : minimumNumber(x[0], x[1]);
}

double nextFloat(const double *x) {
  return std::nextafter(float(x[0]), float(x[1]));
}

uint64_t words(double x) { return llvm::bit_cast<uint64_t>(x); }
double fromWords(uint32_t high, uint32_t low) {
  return llvm::bit_cast<double>(uint64_t(high) << 32 | low);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

} // namespace

const llvm::StringMap<LibraryFunction> &libraryFunctions() {
  using D = const double *;
  static const llvm::StringMap<LibraryFunction> table = [] {
    llvm::StringMap<LibraryFunction> table = {
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
      {"tanpi", {1, [](D x) { return sinOfTurns(x[0]) / cosOfTurns(x[0]); }}},
      {"asin", {1, [](D x) { return std::asin(x[0]); }}},
      {"acos", {1, [](D x) { return std::acos(x[0]); }}},
      {"atan", {1, [](D x) { return std::atan(x[0]); }}},
      {"asinpi", {1, [](D x) { return std::asin(x[0]) / pi; }}},
      {"acospi", {1, [](D x) { return std::acos(x[0]) / pi; }}},
      {"atanpi", {1, [](D x) { return std::atan(x[0]) / pi; }}},
      {"atan2pi", {2, [](D x) { return std::atan2(x[0], x[1]) / pi; }}},
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
      {"jn", {2, [](D x) { return x[0] < 0 ? NAN : ::jn(int(x[0]), x[1]); }}},
      {"y0", {1, [](D x) { return ::y0(x[0]); }}},
      {"y1", {1, [](D x) { return ::y1(x[0]); }}},
      {"yn", {2, [](D x) { return x[0] < 0 ? NAN : ::yn(int(x[0]), x[1]); }}},
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
      {"rootn",
       {2,
        [](D x) {
          // Of a negative number the root is real if its degree is odd.
          const bool isOdd = std::fmod(x[1], 2) != 0;
          const double root =
              std::pow(isOdd ? std::fabs(x[0]) : x[0], 1 / x[1]);
          return x[1] == 0 ? std::nan("")
                 : isOdd   ? std::copysign(root, x[0])
                           : root;
        }}},
      {"fmod", {2, [](D x) { return std::fmod(x[0], x[1]); }}},
      {"remainder", {2, [](D x) { return std::remainder(x[0], x[1]); }}},
      {"hypot", {2, [](D x) { return std::hypot(x[0], x[1]); }}},
      {"rhypot", {2, [](D x) { return 1 / std::hypot(x[0], x[1]); }}},
      {"fmax", {2, [](D x) { return maximumNumber(x[0], x[1]); }}},
      {"fmin", {2, [](D x) { return minimumNumber(x[0], x[1]); }}},
      {"maxmag", {2, [](D x) { return ofMagnitude(x, /*larger=*/true); }}},
      {"minmag", {2, [](D x) { return ofMagnitude(x, /*larger=*/false); }}},
      {"fdim", {2, [](D x) { return std::fdim(x[0], x[1]); }}},
      {"nextafter", {2, [](D x) { return std::nextafter(x[0], x[1]); }}},
      {"nextafterf", {2, nextFloat}},
      {"nextafter_f32", {2, nextFloat}},
      {"rcp64h",
       {1, [](D x) { return fromWords(uint32_t(words(1 / x[0]) >> 32), 0); }}},
      {"double2hiint",
       {1, [](D x) { return double(int32_t(words(x[0]) >> 32)); }}},
      {"double2loint", {1, [](D x) { return double(int32_t(words(x[0]))); }}},
      {"hiloint2double",
       {2,
        [](D x) {
          return fromWords(uint32_t(int64_t(x[0])), uint32_t(int64_t(x[1])));
        }}},
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
    addTypedFunctions(table);
    return table;
  }();
  return table;
}

} // namespace kernelscope::executor
