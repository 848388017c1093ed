//===- DeviceMathTest.cpp - Our math functions against the host's ---------===//
//
// The largest error, in units in the last place, over random arguments.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

// NOLINTBEGIN(bugprone-reserved-identifier): the vendors' names.
extern "C" {
float __ocml_sin_f32(float);
float __ocml_cos_f32(float);
float __ocml_erf_f32(float);
float __ocml_tanh_f32(float);
double __ocml_sin_f64(double);
double __ocml_cos_f64(double);
double __ocml_exp_f64(double);
double __ocml_exp2_f64(double);
double __ocml_log_f64(double);
double __ocml_log2_f64(double);
double __ocml_erf_f64(double);
double __ocml_tanh_f64(double);
double __ocml_pow_f64(double, double);
float __ocml_atan2_f32(float, float);
float __ocml_erfinv_f32(float);
float __ocml_fmod_f32(float, float);
double __ocml_atan_f64(double);
double __ocml_asin_f64(double);
double __ocml_acos_f64(double);
double __ocml_asinh_f64(double);
double __ocml_acosh_f64(double);
double __ocml_atanh_f64(double);
double __ocml_cbrt_f64(double);
double __ocml_erfc_f64(double);
double __ocml_erfinv_f64(double);
double __ocml_fmod_f64(double, double);
double __ocml_hypot_f64(double, double);
double __ocml_sinh_f64(double);
float __ocml_pown_f32(float, int);
double __ocml_pown_f64(double, int);
long long __kernelscope_powi(long long, long long);
double __ocml_lgamma_f64(double);
double __ocml_tgamma_f64(double);
double __ocml_j0_f64(double);
double __ocml_y1_f64(double);
double __ocml_jn_f64(int, double);
double __ocml_yn_f64(int, double);
double __ocml_i0_f64(double);
double __ocml_erfcx_f64(double);
double __ocml_ncdf_f64(double);
double __ocml_ncdfinv_f64(double);
double __ocml_sinpi_f64(double);
double __ocml_exp10_f64(double);
double __ocml_remainder_f64(double, double);
double __ocml_nextafter_f64(double, double);
double __ocml_ldexp_f64(double, int);
int __ocml_ilogb_f64(double);
float __ocml_remainder_f32(float, float);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

template <typename T, typename Reference>
double largestError(T (*function)(T), Reference reference, T low, T high) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<T> arguments(low, high);
  double largest = 0;
  for (int i = 0; i < 100000; ++i) {
    T x = arguments(random);
    long double expected = reference(static_cast<long double>(x));
    T rounded = static_cast<T>(expected);
    T ulp =
        std::nextafter(std::fabs(rounded), std::numeric_limits<T>::infinity()) -
        std::fabs(rounded);
    double error =
        std::fabs(static_cast<double>((function(x) - expected) / ulp));
    largest = std::max(largest, error);
  }
  return largest;
}

long double sine(long double x) { return std::sin(x); }
long double cosine(long double x) { return std::cos(x); }
long double erf(long double x) { return std::erf(x); }
long double tanh(long double x) { return std::tanh(x); }
long double exp(long double x) { return std::exp(x); }
long double exp2(long double x) { return std::exp2(x); }
long double log(long double x) { return std::log(x); }
long double log2(long double x) { return std::log2(x); }

TEST(DeviceMath, SineAndCosineOfAnyArgument) {
  EXPECT_LT(largestError(__ocml_sin_f32, sine, -10.f, 10.f), 2);
  EXPECT_LT(largestError(__ocml_sin_f32, sine, -6e4f, 6e4f), 2);
  EXPECT_LT(largestError(__ocml_sin_f32, sine, -1e38f, 1e38f), 2);
  EXPECT_LT(largestError(__ocml_cos_f32, cosine, -10.f, 10.f), 2);
  EXPECT_LT(largestError(__ocml_sin_f64, sine, -1e5, 1e5), 3);
  EXPECT_LT(largestError(__ocml_cos_f64, cosine, -1e17, 1e17), 3);
}

TEST(DeviceMath, ExponentialsAndLogarithms) {
  EXPECT_LT(largestError(__ocml_exp_f64, exp, -700., 700.), 3);
  EXPECT_LT(largestError(__ocml_exp2_f64, exp2, -1000., 1000.), 3);
  EXPECT_LT(largestError(__ocml_log_f64, log, 0., 10.), 3);
  EXPECT_LT(largestError(__ocml_log2_f64, log2, 0., 10.), 4);
}

TEST(DeviceMath, ErrorFunctionAndTangent) {
  EXPECT_LT(largestError(__ocml_erf_f32, erf, -5.f, 5.f), 3);
  EXPECT_LT(largestError(__ocml_erf_f64, erf, -6., 6.), 16);
  EXPECT_LT(largestError(__ocml_tanh_f32, tanh, -5.f, 5.f), 1);
  EXPECT_LT(largestError(__ocml_tanh_f64, tanh, -3., 3.), 5);
}

TEST(DeviceMath, Inverses) {
  using Wide = long double;
  auto atan = [](Wide x) { return std::atan(x); };
  auto asin = [](Wide x) { return std::asin(x); };
  auto acos = [](Wide x) { return std::acos(x); };
  auto asinh = [](Wide x) { return std::asinh(x); };
  auto acosh = [](Wide x) { return std::acosh(x); };
  auto atanh = [](Wide x) { return std::atanh(x); };
  auto cbrt = [](Wide x) { return std::cbrt(x); };
  EXPECT_LT(largestError(__ocml_atan_f64, atan, -20., 20.), 6);
  EXPECT_LT(largestError(__ocml_asin_f64, asin, -1., 1.), 8);
  EXPECT_LT(largestError(__ocml_acos_f64, acos, -1., 1.), 8);
  EXPECT_LT(largestError(__ocml_asinh_f64, asinh, 0.1, 1e6), 8);
  EXPECT_LT(largestError(__ocml_acosh_f64, acosh, 1.1, 1e6), 8);
  EXPECT_LT(largestError(__ocml_atanh_f64, atanh, 0.1, 0.99), 8);
  EXPECT_LT(largestError(__ocml_cbrt_f64, cbrt, -1e9, 1e9), 3);
}

TEST(DeviceMath, InverseErrorFunction) {
  // The error function of the result is the argument, as far as the steepness
  // of erf lets it show.
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> arguments(-0.9999, 0.9999);
  for (int i = 0; i < 2000; ++i) {
    double x = arguments(random), y = __ocml_erfinv_f64(x);
    EXPECT_NEAR(static_cast<double>(std::erf(static_cast<long double>(y))), x,
                1e-14);
    EXPECT_NEAR(__ocml_erfinv_f32(static_cast<float>(x)), y,
                1e-3 * std::fabs(y) + 1e-6);
  }
  EXPECT_EQ(__ocml_erfinv_f64(0), 0);
  EXPECT_EQ(__ocml_erfinv_f64(-1), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(__ocml_erfinv_f64(1.5)));
  EXPECT_NEAR(__ocml_erfc_f64(5) / std::erfc(5), 1, 1e-12);
}

TEST(DeviceMath, OfTwoArguments) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponents(-30, 30);
  for (int i = 0; i < 2000; ++i) {
    double x = std::exp2(exponents(random)), y = -std::exp2(exponents(random));
    EXPECT_EQ(__ocml_fmod_f64(x, y), std::fmod(x, y)) << x << " " << y;
    EXPECT_NEAR(__ocml_hypot_f64(x, y) / std::hypot(x, y), 1, 1e-15);
    for (double sign : {-1., 1.})
      EXPECT_NEAR(__ocml_atan2_f32(static_cast<float>(y * sign),
                                   static_cast<float>(x * sign)),
                  std::atan2(y * sign, x * sign), 1e-6);
  }
  EXPECT_EQ(__ocml_fmod_f32(1e30f, 3e-3f), std::fmod(1e30f, 3e-3f));
  EXPECT_EQ(__ocml_fmod_f64(5e-324, 1), 5e-324);
  EXPECT_EQ(__ocml_atan2_f32(0.f, -1.f), 3.14159274f);
  EXPECT_EQ(__ocml_atan2_f32(-0.f, -1.f), -3.14159274f);
  EXPECT_TRUE(std::isnan(__ocml_fmod_f64(1, 0)));
}

TEST(DeviceMath, PowersWithIntegerExponents) {
  EXPECT_EQ(__kernelscope_powi(-3, 5), -243);
  EXPECT_EQ(__kernelscope_powi(7, 0), 1);
  EXPECT_EQ(__kernelscope_powi(-1, -3), -1);
  EXPECT_EQ(__kernelscope_powi(2, -1), 0);
  EXPECT_EQ(__kernelscope_powi(1LL << 33, 2), 0) << "modulo 2^64";
  EXPECT_EQ(__ocml_pown_f64(-2, -3), -0.125);
  EXPECT_EQ(__ocml_pown_f32(1.5f, 2), 2.25f);
}

TEST(DeviceMath, GammaAndErrorFunctions) {
  using Wide = long double;
  auto gamma = [](Wide x) { return std::tgamma(x); };
  auto logGamma = [](Wide x) { return lgammal(x); };
  auto scaled = [](Wide x) { return std::exp(x * x) * std::erfc(x); };
  auto normal = [](Wide x) { return std::erfc(-x * std::sqrt(0.5L)) / 2; };
  auto exp10 = [](Wide x) { return std::pow(10.0L, x); };
  EXPECT_LT(largestError(__ocml_lgamma_f64, logGamma, 0., 60.), 12);
  EXPECT_LT(largestError(__ocml_tgamma_f64, gamma, -30., 170.), 40);
  EXPECT_LT(largestError(__ocml_erfcx_f64, scaled, -20., 20.), 120);
  EXPECT_LT(largestError(__ocml_ncdf_f64, normal, -30., 5.), 120);
  EXPECT_LT(largestError(__ocml_exp10_f64, exp10, -300., 300.), 4);
  EXPECT_NEAR(__ocml_ncdf_f64(__ocml_ncdfinv_f64(1e-12)) * 1e12, 1, 1e-11);
  EXPECT_TRUE(std::isnan(__ocml_tgamma_f64(-3)));
  EXPECT_TRUE(std::isinf(__ocml_lgamma_f64(-3)));
  EXPECT_EQ(__ocml_sinpi_f64(1e15), 0);
}

TEST(DeviceMath, BesselFunctions) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> arguments(0.01, 60);
  for (int i = 0; i < 2000; ++i) {
    const double x = arguments(random), y1 = y1l(x), yn = ynl(i % 20, x);
    EXPECT_NEAR(__ocml_j0_f64(x), double(j0l(x)), 1e-15);
    EXPECT_NEAR(__ocml_y1_f64(x), y1, 2e-15 * std::max(1., std::fabs(y1)));
    EXPECT_NEAR(__ocml_jn_f64(i % 20, x), double(jnl(i % 20, x)), 2e-15);
    EXPECT_NEAR(__ocml_yn_f64(i % 20, x), yn,
                4e-14 * std::max(1., std::fabs(yn)));
  }
  EXPECT_NEAR(__ocml_jn_f64(50, 1) / double(jnl(50, 1)), 1, 1e-13);
  EXPECT_EQ(__ocml_yn_f64(200, 1e-3), -HUGE_VAL);
  EXPECT_NEAR(__ocml_i0_f64(1), 1.2660658777520083, 1e-15);
  EXPECT_TRUE(std::isnan(__ocml_jn_f64(-1, 1)));
}

TEST(DeviceMath, FieldsOfNumbers) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponents(-40, 40);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::exp2(exponents(random)) * (i & 1 ? -1 : 1),
                 y = std::exp2(exponents(random));
    EXPECT_EQ(__ocml_remainder_f64(x, y), std::remainder(x, y))
        << x << " " << y;
    EXPECT_EQ(__ocml_nextafter_f64(x, y), std::nextafter(x, y));
    EXPECT_EQ(__ocml_ilogb_f64(x), std::ilogb(x));
    const int n = int(40 * exponents(random));
    EXPECT_EQ(__ocml_ldexp_f64(x, n), std::ldexp(x, n)) << x << " " << n;
  }
  EXPECT_EQ(__ocml_remainder_f64(3, 2), -1);
  EXPECT_EQ(__ocml_remainder_f64(1, 2), 1);
  EXPECT_EQ(__ocml_remainder_f32(5, 2), 1.f);
  EXPECT_EQ(__ocml_ldexp_f64(1, -1074), 5e-324);
}

TEST(DeviceMath, SignsOfZeroAndLargeSines) {
  EXPECT_TRUE(std::signbit(__ocml_sin_f32(-0.f)));
  EXPECT_TRUE(std::signbit(__ocml_sin_f64(-0.)));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(__ocml_sinh_f64(-infinity), -infinity);
  EXPECT_EQ(__ocml_sinh_f64(1000), infinity);
  EXPECT_NEAR(__ocml_sinh_f64(710) / std::sinh(710.), 1, 1e-13);
  EXPECT_NEAR(__ocml_erfc_f64(2) / std::erfc(2.), 1, 1e-13);
}

TEST(DeviceMath, InfinitiesZerosAndNans) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(__ocml_exp_f64(infinity), infinity);
  EXPECT_EQ(__ocml_exp_f64(-infinity), 0);
  EXPECT_EQ(__ocml_log_f64(0), -infinity);
  EXPECT_TRUE(std::isnan(__ocml_log_f64(-1)));
  EXPECT_TRUE(std::isnan(__ocml_sin_f64(infinity)));
  EXPECT_TRUE(std::isnan(__ocml_sin_f32(std::nanf(""))));
  EXPECT_EQ(__ocml_pow_f64(-2, 3), -8);
  EXPECT_TRUE(std::isnan(__ocml_pow_f64(-2, 0.5)));
}

} // namespace
