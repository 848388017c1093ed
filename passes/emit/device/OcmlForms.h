//===- OcmlForms.h - ocml's other names and types -------------------------===//
//
// Included by Math.c. What ROCm's ocml has besides the functions of C: forms in
// f16, which are those in f32 rounded once more, forms with a factor of pi, and
// approximate ones, which are exact here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICE_OCMLFORMS_H
#define KERNELSCOPE_PASSES_EMIT_DEVICE_OCMLFORMS_H

typedef _Float16 half;

#define OVER_PI(name)                                                          \
  double F64(name##pi)(double x) {                                             \
    return F64(name)(x) * 0x1.45f306dc9c883p-2;                                \
  }                                                                            \
  float F32(name##pi)(float x) { return (float)F64(name##pi)(x); }
OVER_PI(acos)
OVER_PI(asin) OVER_PI(atan) double F64(atan2pi)(double y, double x) {
  return F64(atan2)(y, x) * 0x1.45f306dc9c883p-2;
}
float F32(atan2pi)(float y, float x) { return (float)F64(atan2pi)(y, x); }

/// C's FP_NAN to FP_NORMAL.
#define CLASSIFY(type, name, least)                                            \
  int name(type x) {                                                           \
    const type magnitude = x < 0 ? -x : x;                                     \
    return x != x                          ? 0                                 \
           : magnitude == __builtin_inff() ? 1                                 \
           : x == 0                        ? 2                                 \
           : magnitude < (type)least       ? 3                                 \
                                           : 4;                                \
  }
CLASSIFY(half, __ocml_fpclassify_f16, 0x1p-14)
CLASSIFY(float, __ocml_fpclassify_f32, 0x1p-126)
CLASSIFY(double, __ocml_fpclassify_f64, 0x1p-1022)
#define TESTS(suffix, type)                                                    \
  int __ocml_isnormal_##suffix(type x) {                                       \
    return __ocml_fpclassify_##suffix(x) == 4;                                 \
  }
TESTS(f16, half)
TESTS(f32, float) TESTS(f64, double) int __ocml_isfinite_f16(half x) {
  return __ocml_fpclassify_f16(x) > 1;
}
int __ocml_isinf_f16(half x) { return __ocml_fpclassify_f16(x) == 1; }
int __ocml_isnan_f16(half x) { return x != x; }
int __ocml_signbit_f16(half x) {
  return __builtin_bit_cast(unsigned short, x) >> 15;
}
half __ocml_nan_f16(unsigned short payload) {
  return __builtin_bit_cast(half, (unsigned short)(0x7e00 | (payload & 0x1ff)));
}
float __ocml_nan_f32(u32 payload) {
  return float32(0x7fc00000 | (payload & 0x3fffff));
}
double __ocml_nan_f64(u64 payload) {
  return float64(0x7ff8000000000000 | (payload & 0x7ffffffffffff));
}

/// The operand of larger (`op` is >) or smaller magnitude.
#define OF_MAGNITUDE(name, op, type, other)                                    \
  type name(type x, type y) {                                                  \
    const type a = x < 0 ? -x : x, b = y < 0 ? -y : y;                         \
    return a op b ? x : b op a ? y : other(x, y);                              \
  }
#define ARITHMETIC_OF(type, F, fma)                                            \
  type F(max)(type x, type y) { return F(fmax)(x, y); }                        \
  type F(min)(type x, type y) { return F(fmin)(x, y); }                        \
  OF_MAGNITUDE(F(maxmag), >, type, F(fmax))                                    \
  OF_MAGNITUDE(F(minmag), <, type, F(fmin))                                    \
  type F(mad)(type x, type y, type z) { return fma(x, y, z); }                 \
  type F(fmuladd)(type x, type y, type z) { return fma(x, y, z); }             \
  type F(fma_rte)(type x, type y, type z) { return fma(x, y, z); }             \
  type F(add_rte)(type x, type y) { return x + y; }                            \
  type F(sub_rte)(type x, type y) { return x - y; }                            \
  type F(mul_rte)(type x, type y) { return x * y; }                            \
  type F(succ)(type x) { return F(nextafter)(x, (type)__builtin_inff()); }     \
  type F(pred)(type x) { return F(nextafter)(x, -(type)__builtin_inff()); }    \
  type F(powr)(type x, type y) {                                               \
    return x < 0 ? (type)__builtin_nanf("") : F(pow)(x, y);                    \
  }                                                                            \
  type F(scalb)(type x, type y) {                                              \
    return y != y ? y                                                          \
                  : F(ldexp)(x, y > 9999    ? 9999                             \
                                : y < -9999 ? -9999                            \
                                            : (int)y);                         \
  }                                                                            \
  type F(native_sqrt)(type x) { return F(sqrt)(x); }                           \
  type F(native_rsqrt)(type x) { return F(rsqrt)(x); }                         \
  type F(native_recip)(type x) { return 1 / x; }
ARITHMETIC_OF(float, F32, __builtin_fmaf)
ARITHMETIC_OF(double, F64, __builtin_fma)

/// The real n-th root; of a negative number where n is odd.
double F64(rootn)(double x, int n) {
  const double root = F64(pow)(__builtin_fabs(x), 1.0 / n);
  if (n == 0 || (x < 0 && n % 2 == 0))
    return __builtin_nan("");
  return n & 1 ? __builtin_copysign(root, x) : root;
}
float F32(rootn)(float x, int n) { return (float)F64(rootn)(x, n); }

#define F16(name) __ocml_##name##_f16
#define HALF(name)                                                             \
  half F16(name)(half x) { return (half)F32(name)(x); }
#define HALF2(name)                                                            \
  half F16(name)(half x, half y) { return (half)F32(name)(x, y); }
// clang-format off: it takes a list of macros for a declaration.
HALF(acos) HALF(acosh) HALF(acospi) HALF(asin) HALF(asinh) HALF(asinpi)
HALF(atan) HALF(atanh) HALF(atanpi) HALF(cbrt) HALF(ceil) HALF(cos) HALF(cosh)
HALF(cospi) HALF(erf) HALF(erfc) HALF(erfcinv) HALF(erfcx) HALF(erfinv)
HALF(exp) HALF(exp10) HALF(exp2) HALF(expm1) HALF(fabs) HALF(floor) HALF(i0)
HALF(i1) HALF(j0) HALF(j1) HALF(lgamma) HALF(log) HALF(log10) HALF(log1p)
HALF(log2) HALF(logb) HALF(ncdf) HALF(ncdfinv) HALF(nearbyint) HALF(rcbrt)
HALF(rint) HALF(round) HALF(rsqrt) HALF(sin) HALF(sinh) HALF(sinpi) HALF(sqrt)
HALF(tan) HALF(tanh) HALF(tanpi) HALF(tgamma) HALF(trunc) HALF(y0) HALF(y1)
HALF2(atan2) HALF2(atan2pi) HALF2(copysign) HALF2(fdim) HALF2(fmax) HALF2(fmin)
HALF2(fmod) HALF2(hypot) HALF2(maxmag) HALF2(minmag) HALF2(max) HALF2(min)
HALF2(pow) HALF2(powr) HALF2(remainder) HALF2(rhypot) HALF2(scalb);
// clang-format on
half F16(fma)(half x, half y, half z) { return __builtin_fmaf16(x, y, z); }
half F16(fma_rte)(half x, half y, half z) { return __builtin_fmaf16(x, y, z); }
half F16(mad)(half x, half y, half z) { return __builtin_fmaf16(x, y, z); }
half F16(fmuladd)(half x, half y, half z) { return __builtin_fmaf16(x, y, z); }
half F16(add_rte)(half x, half y) { return x + y; }
half F16(sub_rte)(half x, half y) { return x - y; }
half F16(mul_rte)(half x, half y) { return x * y; }
half F16(ldexp)(half x, int n) { return (half)F32(ldexp)(x, n); }
half F16(scalbn)(half x, int n) { return (half)F32(ldexp)(x, n); }
half F16(pown)(half x, int n) { return (half)F64(pow)(x, n); }
half F16(rootn)(half x, int n) { return (half)F64(rootn)(x, n); }
int F16(ilogb)(half x) { return F32(ilogb)(x); }
half __ocml_cvtrte_f16_f64(double x) { return (half)x; }
half F16(len3)(half x, half y, half z) { return (half)F32(len3)(x, y, z); }
half F16(rlen3)(half x, half y, half z) { return (half)F32(rlen3)(x, y, z); }
half F16(len4)(half x, half y, half z, half w) {
  return (half)F32(len4)(x, y, z, w);
}
half F16(rlen4)(half x, half y, half z, half w) {
  return (half)F32(rlen4)(x, y, z, w);
}
/// The neighbour of x in the direction of y.
half F16(nextafter)(half x, half y) {
  if (x != x || y != y)
    return x + y;
  const unsigned short bits = __builtin_bit_cast(unsigned short, x);
  if (x == y)
    return y;
  if (x == 0)
    return __builtin_copysignf16((half)0x1p-24f, y);
  return __builtin_bit_cast(
      half, (unsigned short)((x < y) == (x > 0) ? bits + 1 : bits - 1));
}
half F16(succ)(half x) { return F16(nextafter)(x, (half)__builtin_inff()); }
half F16(pred)(half x) { return F16(nextafter)(x, -(half)__builtin_inff()); }

// The approximate forms.
#define NATIVE(name)                                                           \
  half F16(native_##name)(half x) { return F16(name)(x); }                     \
  float F32(native_##name)(float x) { return F32(name)(x); }
// clang-format off
NATIVE(sin) NATIVE(cos) NATIVE(exp) NATIVE(exp2) NATIVE(log) NATIVE(log2)
NATIVE(log10);
// clang-format on
float F32(native_exp10)(float x) { return F32(exp10)(x); }
half F16(native_sqrt)(half x) { return F16(sqrt)(x); }
half F16(native_rsqrt)(half x) { return F16(rsqrt)(x); }
half F16(native_rcp)(half x) { return 1 / x; }

#endif // KERNELSCOPE_PASSES_EMIT_DEVICE_OCMLFORMS_H
