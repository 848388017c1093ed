//===- InverseMath.h - Inverse functions and those of two arguments -------===//
//
// The rest of Math.c. f32 goes by way of f64.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICE_INVERSEMATH_H
#define KERNELSCOPE_PASSES_EMIT_DEVICE_INVERSEMATH_H

static const double halfPi = 1.5707963267948966;

double F64(atan)(double x) {
  double a = __builtin_fabs(x), r = a > 1 ? 1 / a : a;
  // Half the angle, twice: what is left is below tan(pi/16).
  for (int i = 0; i < 2; ++i)
    r = r / (1 + __builtin_sqrt(1 + r * r));
  double z = -r * r;
  double angle =
      4 * r *
      POLY64(z, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13,
             1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23);
  return __builtin_copysign(a > 1 ? halfPi - angle : angle, x);
}

double F64(atan2)(double y, double x) {
  if (x != x || y != y)
    return x + y;
  double a = __builtin_fabs(y), b = __builtin_fabs(x);
  double angle = a == b  ? (a == 0 ? 0 : halfPi / 2)
                 : a > b ? halfPi - F64(atan)(b / a)
                         : F64(atan)(a / b);
  // By its bits: a zero has a sign, too.
  return __builtin_copysign(bits64(x) >> 63 ? 2 * halfPi - angle : angle, y);
}

double F64(asin)(double x) {
  return F64(atan2)(x, __builtin_sqrt((1 - x) * (1 + x)));
}
double F64(acos)(double x) {
  return F64(atan2)(__builtin_sqrt((1 - x) * (1 + x)), x);
}

double F64(asinh)(double x) {
  double a = __builtin_fabs(x);
  // Beyond, the square has no more to say, and overflows.
  double value = a > 1e10
                     ? F64(log)(a) + 0.6931471805599453
                     : F64(log1p)(a + a * a / (1 + __builtin_sqrt(a * a + 1)));
  return __builtin_copysign(value, x);
}
double F64(acosh)(double x) {
  double t = x - 1;
  return x > 1e10 ? F64(log)(x) + 0.6931471805599453
                  : F64(log1p)(t + __builtin_sqrt(2 * t + t * t));
}
double F64(atanh)(double x) {
  double a = __builtin_fabs(x);
  return __builtin_copysign(0.5 * F64(log1p)(2 * a / (1 - a)), x);
}

/// Relative error 1e-14 near 1.5, below which it is a difference.
double F64(erfc)(double x) {
  double a = __builtin_fabs(x);
  if (a < 1.5 || x != x)
    return 1 - F64(erf)(x);
  double tail = a;
  for (int n = 100; n > 0; --n)
    tail = a + 0.5 * n / tail;
  // What rounding the square loses would be hundreds of ulp.
  double z = a * a, rest = __builtin_fma(a, a, -z);
  double value =
      a > 27.3 ? 0 : 0.5641895835477563 * F64(exp)(-z) * (1 - rest) / tail;
  return x < 0 ? 2 - value : value;
}

double F64(erfinv)(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 1))
    return a == 1 ? x * __builtin_inf() : __builtin_nan("");
  // Winitzki's approximation, within 0.2 %, and two steps of Halley's method.
  double c = 4.330746750799873;
  double l = F64(log1p)(-a * a), h = c + 0.5 * l;
  double y = __builtin_sqrt(__builtin_sqrt(h * h - l * 6.802721088435374) - h);
  for (int i = 0; i < 2; ++i) {
    double error = a < 0.5 ? F64(erf)(y) - a : (1 - a) - F64(erfc)(y);
    double step = error * 0.8862269254527580 * F64(exp)(y * y);
    y -= step / (1 + y * step);
  }
  return __builtin_copysign(a == 0 ? 0 : y, x);
}

double F64(cbrt)(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0) || a == __builtin_inf())
    return x;
  double y = F64(exp2)(F64(log2)(a) / 3);
  y -= (y * y * y - a) / (3 * y * y);
  return __builtin_copysign(y, x);
}

double F64(hypot)(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (a == __builtin_inf() || b == __builtin_inf())
    return __builtin_inf();
  double large = a > b ? a : b, small = a > b ? b : a;
  if (large == 0 || x != x || y != y)
    return a + b;
  double ratio = small / large;
  return large * __builtin_sqrt(1 + ratio * ratio);
}

/// Exact: the remainder of a long division, a bit at a time.
double F64(fmod)(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (!(a < __builtin_inf()) || !(b > 0))
    return __builtin_nan("");
  while (a >= b) {
    double part = b;
    // The largest power of two times b that a holds, from the exponents.
    long long gap = (long long)((bits64(a) >> 52) - (bits64(b) >> 52));
    if (bits64(b) >> 52 && gap > 0) {
      part = float64(bits64(b) + ((u64)gap << 52));
      if (part > a)
        part = part * 0.5;
    } else {
      while (part + part <= a)
        part += part;
    }
    a -= part;
  }
  return __builtin_copysign(a, x);
}

double F64(copysign)(double x, double y) { return __builtin_copysign(x, y); }
float F32(copysign)(float x, float y) { return __builtin_copysignf(x, y); }

BY_WAY_OF_F64(atan)
BY_WAY_OF_F64(asin)
BY_WAY_OF_F64(acos)
BY_WAY_OF_F64(asinh)
BY_WAY_OF_F64(acosh)
BY_WAY_OF_F64(atanh)
BY_WAY_OF_F64(erfc)
BY_WAY_OF_F64(erfinv)
BY_WAY_OF_F64(cbrt)
float F32(atan2)(float y, float x) { return (float)F64(atan2)(y, x); }
float F32(hypot)(float x, float y) { return (float)F64(hypot)(x, y); }
float F32(fmod)(float x, float y) { return (float)F64(fmod)(x, y); }

/// x^n of integers, modulo 2^64; 0 for the inverse of what is not 1 or -1.
long long __kernelscope_powi(long long x, long long n) {
  if (n < 0)
    return x == 1 || x == -1 ? (n & 1 ? x : 1) : 0;
  u64 square = (u64)x, power = 1;
  for (; n; n >>= 1, square *= square)
    if (n & 1)
      power *= square;
  return (long long)power;
}

#ifdef __NVPTX__
float __nv_powif(float x, int n) { return (float)F64(pow)(x, n); }
double __nv_powi(double x, int n) { return F64(pow)(x, n); }
int __nv_isnanf(float x) { return x != x; }
int __nv_isnand(double x) { return x != x; }
int __nv_isinff(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
int __nv_isinfd(double x) { return __builtin_fabs(x) == __builtin_inf(); }
// Approximate: the instructions of the special function unit.
float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(x * 1.44269504f); }
float __nv_fast_exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
float __nv_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * 0.693147182f; }
float __nv_fast_log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.30103f; }
float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
float __nv_fast_tanf(float x) {
  return __nvvm_sin_approx_f(x) *
         __nvvm_rcp_approx_ftz_f(__nvvm_cos_approx_f(x));
}
float __nv_half2float(short x) {
  return (float)__builtin_bit_cast(_Float16, x);
}
short __nv_float2half_rn(float x) {
  return __builtin_bit_cast(short, (_Float16)x);
}
float __nv_fast_tanhf(float x) { return F32(tanh)(x); }
float __nv_fast_powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
#else
float __ocml_pown_f32(float x, int n) { return (float)F64(pow)(x, n); }
double __ocml_pown_f64(double x, int n) { return F64(pow)(x, n); }
int __ocml_isnan_f32(float x) { return x != x; }
int __ocml_isnan_f64(double x) { return x != x; }
int __ocml_isinf_f32(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
int __ocml_isinf_f64(double x) { return __builtin_fabs(x) == __builtin_inf(); }
#endif

#endif // KERNELSCOPE_PASSES_EMIT_DEVICE_INVERSEMATH_H
