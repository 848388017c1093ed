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
