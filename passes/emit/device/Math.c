//===- Math.c - Math functions where no vendor library is found -----------===//
//
// Compiled to bitcode for NVPTX and for AMDGPU and embedded in the program.
// The names are the vendors', so that their libraries take precedence. Errors
// are a few ulp; subnormals, infinities and NaNs are as C99 asks.
//
//===----------------------------------------------------------------------===//

#ifdef __NVPTX__
#define F32(name) __nv_##name##f
#define F64(name) __nv_##name
#else
#define F32(name) __ocml_##name##_f32
#define F64(name) __ocml_##name##_f64
#endif

typedef unsigned int u32;
typedef unsigned long long u64;

static u32 bits32(float x) { return __builtin_bit_cast(u32, x); }
static float float32(u32 x) { return __builtin_bit_cast(float, x); }
static u64 bits64(double x) { return __builtin_bit_cast(u64, x); }
static double float64(u64 x) { return __builtin_bit_cast(double, x); }

/// The polynomial with coefficients from the constant one up.
#define POLYNOMIAL(type, fma, x, ...)                                          \
  ({                                                                           \
    const type coefficients[] = {__VA_ARGS__};                                 \
    int top = sizeof(coefficients) / sizeof(type) - 1;                         \
    type sum = coefficients[top];                                              \
    _Pragma("unroll") for (int i = top - 1; i >= 0; --i) sum =                 \
        fma(sum, x, coefficients[i]);                                          \
    sum;                                                                       \
  })
#define POLY32(x, ...) POLYNOMIAL(float, __builtin_fmaf, x, __VA_ARGS__)
#define POLY64(x, ...) POLYNOMIAL(double, __builtin_fma, x, __VA_ARGS__)

//===----------------------------------------------------------------------===//
// Sine and cosine
//===----------------------------------------------------------------------===//

/// An angle as `quadrant` times pi/2 and the rest, within pi/4.
struct Angle {
  int quadrant;
  double rest;
};

/// The bits of 2/pi after the binary point.
static const __attribute__((address_space(4))) u32 twoOverPi[] = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041,
    0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C,
    0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484, 0xE99C7026, 0xB45F7E41,
    0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
    0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D,
    0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08,
    0x56033046};

/// 64 bits of 2/pi from bit `position` after the point on; zeros before it.
static u64 twoOverPiBits(int position) {
  u64 result = 0;
  for (int i = 0; i < 3; ++i) {
    int word = (position >> 5) + i;
    u64 value = word < 0 ? 0 : twoOverPi[word];
    int shift = 32 - 32 * i + (position & 31);
    result |= shift >= 0 ? value << shift : value >> -shift;
  }
  return result;
}

/// Payne and Hanek: of |x| * 2/pi only the bits around the point matter.
static struct Angle reduceLarge(double x) {
  u64 bits = bits64(x);
  int exponent = (int)(bits >> 52 & 0x7FF) - 1075;
  u64 mantissa = (bits & 0xFFFFFFFFFFFFFull) | 1ull << 52;
  // The product's bits from 4 (weight 2) to 2^-126: the mantissa times 192 bits
  // of 2/pi, modulo 4.
  u64 high = mantissa * twoOverPiBits(exponent - 2);
  unsigned __int128 middle =
      (unsigned __int128)mantissa * twoOverPiBits(exponent + 62);
  unsigned __int128 low =
      (unsigned __int128)mantissa * twoOverPiBits(exponent + 126);
  unsigned __int128 product =
      ((unsigned __int128)high << 64) + middle + (u64)(low >> 64);
  int quadrant = (int)(product >> 126);
  __int128 fraction = (__int128)(product << 2);
  // As a signed fraction of the nearest quadrant.
  quadrant += fraction < 0;
  double turns = (double)(long long)(fraction >> 64) * 0x1p-64 +
                 (double)(u64)fraction * 0x1p-128;
  struct Angle angle = {quadrant, turns * 1.5707963267948966};
  return angle;
}

static struct Angle reduce(double x) {
  double magnitude = __builtin_fabs(x);
  struct Angle angle;
  if (magnitude < 0x1p20) {
    // pi/2 in three parts, the first two with zeros enough to multiply exactly.
    double n = __builtin_rint(magnitude * 0.6366197723675814);
    double rest = __builtin_fma(-n, 0x1.921FB54400000p+0, magnitude);
    rest = __builtin_fma(-n, 0x1.0B4611A600000p-34, rest);
    rest = __builtin_fma(-n, 0x1.3198A2E037073p-69, rest);
    angle.quadrant = (int)n;
    angle.rest = rest;
  } else {
    angle = reduceLarge(magnitude);
  }
  return angle;
}

static double sinKernel(double x) {
  double z = x * x;
  return __builtin_fma(x * z,
                       POLY64(z, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880,
                              -1.0 / 39916800, 1.0 / 6227020800.0,
                              -1.0 / 1307674368000.0),
                       x);
}

static double cosKernel(double x) {
  double z = x * x;
  return POLY64(z, 1.0, -0.5, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
                1.0 / 479001600.0, -1.0 / 87178291200.0,
                1.0 / 20922789888000.0);
}

static int isFinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }

double F64(sin)(double x) {
  if (!isFinite(x))
    return x - x;
  struct Angle angle = reduce(x);
  double value =
      angle.quadrant & 1 ? cosKernel(angle.rest) : sinKernel(angle.rest);
  return (u64)(angle.quadrant >> 1 & 1) != bits64(x) >> 63 ? -value : value;
}

double F64(cos)(double x) {
  if (!isFinite(x))
    return x - x;
  struct Angle angle = reduce(x);
  double value =
      angle.quadrant & 1 ? sinKernel(angle.rest) : cosKernel(angle.rest);
  return (angle.quadrant + 1) & 2 ? -value : value;
}

double F64(tan)(double x) { return F64(sin)(x) / F64(cos)(x); }

/// Payne and Hanek for a large f32. Its mantissa times 224 bits of 2/pi is
/// cheaper than to choose among them, and reads no memory.
static int reduceLarge32(float x, float *rest) {
  u32 bits = bits32(x), mantissa = (bits & 0x7FFFFF) | 0x800000;
  u32 product[8];
  u64 sum = 0;
#pragma unroll
  for (int i = 0; i < 7; ++i) {
    sum += (u64)mantissa * twoOverPi[6 - i];
    product[i] = (u32)sum;
    sum >>= 32;
  }
  product[7] = (u32)sum;
  // The two bits above the point come to the top: at most 134 places up.
  u32 shift = (bits >> 23) - 150 + 30;
#pragma unroll
  for (int step = 0; step < 4; ++step)
    if (shift >= 32) {
#pragma unroll
      for (int i = 7; i > 0; --i)
        product[i] = product[i - 1];
      shift -= 32;
    }
  u64 top = (u64)product[7] << 32 | product[6];
  top = top << shift | ((u64)product[5] << shift) >> 32;
  int quadrant = (int)(top >> 62);
  long long fraction = (long long)(top << 2);
  quadrant += fraction < 0;
  *rest = (float)((double)fraction * (0x1p-64 * 1.5707963267948966));
  return quadrant;
}

/// Of f32: pi/2 in three parts below 2^16.
static int reduce32(float magnitude, float *rest) {
  if (magnitude >= 0x1p16f)
    return reduceLarge32(magnitude, rest);
  float n = __builtin_rintf(magnitude * 0.636619772f);
  float r = __builtin_fmaf(-n, 0x1.921FB4p+0f, magnitude);
  r = __builtin_fmaf(-n, 0x1.4442D0p-24f, r);
  r = __builtin_fmaf(-n, 0x1.846988p-48f, r);
  *rest = r;
  return (int)n;
}

static float sinKernel32(float x) {
  float z = x * x;
  return __builtin_fmaf(x * z,
                        POLY32(z, -1.6666667163e-1f, 8.3333337680e-3f,
                               -1.9841270114e-4f, 2.7557314297e-6f),
                        x);
}

static float cosKernel32(float x) {
  float z = x * x;
  return POLY32(z, 1.0f, -0.5f, 4.1666667908e-2f, -1.3888889225e-3f,
                2.4801587642e-5f, -2.7557314297e-7f);
}

float F32(sin)(float x) {
  if (!(__builtin_fabsf(x) < __builtin_inff()))
    return x - x;
  float rest;
  int quadrant = reduce32(__builtin_fabsf(x), &rest);
  float value = quadrant & 1 ? cosKernel32(rest) : sinKernel32(rest);
  return (u32)(quadrant >> 1 & 1) != bits32(x) >> 31 ? -value : value;
}

float F32(cos)(float x) {
  if (!(__builtin_fabsf(x) < __builtin_inff()))
    return x - x;
  float rest;
  int quadrant = reduce32(__builtin_fabsf(x), &rest);
  float value = quadrant & 1 ? sinKernel32(rest) : cosKernel32(rest);
  return (quadrant + 1) & 2 ? -value : value;
}

float F32(tan)(float x) { return (float)F64(tan)(x); }

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

/// x * 2^n, also where the result is subnormal.
static double scale(double x, int n) {
  int half = n / 2;
  return x * float64((u64)(half + 1023) << 52) *
         float64((u64)(n - half + 1023) << 52);
}

/// 2^n * e^(high + low), high + low within ln(2)/2.
static double expKernel(double high, double low, int n) {
  double x = high + low;
  double p = POLY64(x, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120,
                    1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
                    1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600.0);
  return scale(p, n);
}

double F64(exp)(double x) {
  if (!(x < 709.79))
    return x * __builtin_inf();
  if (x < -745.2)
    return 0;
  double n = __builtin_rint(x * 1.4426950408889634);
  double high = __builtin_fma(-n, 0x1.62E42FEFA3800p-1, x);
  return expKernel(high, -n * 0x1.EF35793C76730p-45, (int)n);
}

double F64(exp2)(double x) {
  if (!(x < 1024))
    return x * __builtin_inf();
  if (x < -1075)
    return 0;
  double n = __builtin_rint(x);
  return expKernel((x - n) * 0.6931471805599453, 0, (int)n);
}

double F64(expm1)(double x) {
  if (__builtin_fabs(x) > 0.5)
    return F64(exp)(x) - 1;
  return x * POLY64(x, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720,
                    1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800,
                    1.0 / 39916800, 1.0 / 479001600.0, 1.0 / 6227020800.0,
                    1.0 / 87178291200.0, 1.0 / 1307674368000.0);
}

/// ln(1 + f) for 1 + f between sqrt(1/2) and sqrt(2).
static double logKernel(double f) {
  double s = f / (2 + f), z = s * s;
  return 2 * s *
         POLY64(z, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13,
                1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21);
}

/// Splits a positive x into 2^result * (1 + f).
static int split(double x, double *f) {
  int adjust = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    adjust = -54;
  }
  u64 bits = bits64(x);
  int exponent = (int)(bits >> 52) - 1023;
  double mantissa =
      float64((bits & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  *f = mantissa - 1;
  return exponent + adjust;
}

/// Arguments without a logarithm, and infinity.
static int isSpecial(double x) { return !(x > 0 && x < __builtin_inf()); }
static double specialLog(double x) {
  return x == 0 ? -__builtin_inf() : x < 0 ? __builtin_nan("") : x;
}

double F64(log)(double x) {
  if (isSpecial(x))
    return specialLog(x);
  double f;
  double n = split(x, &f);
  return __builtin_fma(n, 0x1.62E42FEFA3800p-1,
                       __builtin_fma(n, 0x1.EF35793C76730p-45, logKernel(f)));
}

double F64(log2)(double x) {
  if (isSpecial(x))
    return specialLog(x);
  double f;
  double n = split(x, &f);
  return __builtin_fma(logKernel(f), 1.4426950408889634, n);
}

double F64(log10)(double x) { return F64(log)(x) * 0.4342944819032518; }

double F64(log1p)(double x) {
  if (__builtin_fabs(x) < 0.25)
    return logKernel(x);
  return F64(log)(1 + x);
}

double F64(rsqrt)(double x) { return 1 / __builtin_sqrt(x); }
double F64(tanh)(double x) {
  double e = F64(expm1)(-2 * __builtin_fabs(x));
  return __builtin_copysign(-e / (2 + e), x);
}
/// e^x / 2, which may be finite where e^x is not.
static double halfOfExp(double x) {
  double root = F64(exp)(0.5 * x);
  return 0.5 * root * root;
}
double F64(sinh)(double x) {
  double a = __builtin_fabs(x), e = F64(expm1)(a);
  return __builtin_copysign(a > 40 ? halfOfExp(a) : 0.5 * (e + e / (e + 1)), x);
}
double F64(cosh)(double x) {
  double a = __builtin_fabs(x), e = F64(exp)(a);
  return a > 40 ? halfOfExp(a) : 0.5 * (e + 1 / e);
}

double F64(pow)(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  int isInteger = __builtin_rint(y) == y;
  int isOdd = isInteger && __builtin_fabs(y) < 0x1p53 && ((long long)y & 1);
  if (x < 0 && !isInteger && isFinite(x) && isFinite(y))
    return __builtin_nan("");
  double value = F64(exp2)(y * F64(log2)(__builtin_fabs(x)));
  return x < 0 && isOdd ? -value : value;
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

double F64(erf)(double x) {
  double a = __builtin_fabs(x), z = a * a;
  if (!(a < 6))
    return x != x ? x : __builtin_copysign(1.0, x);
  double value;
  if (a < 2.5) {
    // The series of Kummer: all terms have one sign.
    double term = a, sum = a;
    for (int n = 1; n < 60; ++n) {
      term *= 2 * z / (2 * n + 1);
      sum += term;
    }
    value = 1.1283791670955126 * sum * F64(exp)(-z);
  } else {
    // The continued fraction of erfc, from its tail.
    double tail = a;
    for (int n = 60; n > 0; --n)
      tail = a + 0.5 * n / tail;
    value = 1 - 0.5641895835477563 * F64(exp)(-z) / tail;
  }
  return __builtin_copysign(value, x);
}

float F32(erf)(float x) {
  float a = __builtin_fabsf(x);
  if (a < 1) // x * P(x^2), fitted on [0, 1].
    return x * POLY32(x * x, 1.128379225730896f, -0.37612637877464294f,
                      0.11283782869577408f, -0.026865437626838684f,
                      0.005221053492277861f, -0.0008484396385028958f,
                      0.00011268253729213029f, -9.673591193859465e-06f);
  if (!(a < 4))
    return x != x ? x : __builtin_copysignf(1.0f, x);
  // ln(erfc(x)), fitted on [1, 4].
  float p = POLY32(a, 0.0003499792073853314f, -1.1303925514221191f,
                   -0.6314700841903687f, -0.11052094399929047f,
                   0.026755839586257935f, -0.004921840038150549f,
                   0.000647213775664568f, -5.577210686169565e-05f,
                   2.6941327178064967e-06f, -4.962085853321696e-08f);
  // e^p for p between -18 and -1.
  float n = __builtin_rintf(p * 1.44269504f);
  float r = __builtin_fmaf(-n, 0.693147182f, p);
  float e = POLY32(r, 1.0f, 1.0f, 0.5f, 0.166666672f, 0.0416666679f,
                   0.00833333377f, 0.00138888892f);
  return __builtin_copysignf(1 - e * float32((u32)((int)n + 127) << 23), x);
}

//===----------------------------------------------------------------------===//
// f32 by way of f64
//===----------------------------------------------------------------------===//

#define BY_WAY_OF_F64(name)                                                    \
  float F32(name)(float x) { return (float)F64(name)(x); }
BY_WAY_OF_F64(exp)
BY_WAY_OF_F64(exp2)
BY_WAY_OF_F64(expm1)
BY_WAY_OF_F64(log)
BY_WAY_OF_F64(log2)
BY_WAY_OF_F64(log10)
BY_WAY_OF_F64(log1p)
BY_WAY_OF_F64(rsqrt)
BY_WAY_OF_F64(tanh)
BY_WAY_OF_F64(sinh)
BY_WAY_OF_F64(cosh)

float F32(pow)(float x, float y) { return (float)F64(pow)(x, y); }

float F32(round)(float x) {
  float whole = __builtin_truncf(x);
  float away = whole + __builtin_copysignf(1.0f, x);
  return __builtin_fabsf(x - whole) >= 0.5f ? away : whole;
}
double F64(round)(double x) {
  double whole = __builtin_trunc(x);
  double away = whole + __builtin_copysign(1.0, x);
  return __builtin_fabs(x - whole) >= 0.5 ? away : whole;
}

// One after another: each uses what is above it.
// clang-format off
#include "InverseMath.h"
#include "RoundedMath.h"
#include "SpecialMath.h"
#include "BesselMath.h"
#ifdef __AMDGCN__
#include "OcmlForms.h"
#include "Hostcall.h"
#endif
// clang-format on
