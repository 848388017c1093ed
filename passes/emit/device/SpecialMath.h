//===- SpecialMath.h - Gamma and error functions, lengths -----------------===//
//
// f32 goes by way of f64.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICE_SPECIALMATH_H
#define KERNELSCOPE_PASSES_EMIT_DEVICE_SPECIALMATH_H

//===----------------------------------------------------------------------===//
// Multiples of pi
//===----------------------------------------------------------------------===//

/// The angle x * pi; what is left of x is exact.
static struct Angle reduceTurns(double x) {
  double turn = x - 2 * __builtin_rint(0.5 * x), n = __builtin_rint(2 * turn);
  struct Angle angle = {(int)n, (turn - 0.5 * n) * (2 * halfPi)};
  return angle;
}

double F64(sinpi)(double x) {
  if (!isFinite(x))
    return x - x;
  struct Angle angle = reduceTurns(x);
  double value =
      angle.quadrant & 1 ? cosKernel(angle.rest) : sinKernel(angle.rest);
  value = angle.quadrant & 2 ? -value : value;
  return value == 0 ? __builtin_copysign(0.0, x) : value;
}

double F64(cospi)(double x) {
  if (!isFinite(x))
    return x - x;
  struct Angle angle = reduceTurns(x);
  double value =
      angle.quadrant & 1 ? sinKernel(angle.rest) : cosKernel(angle.rest);
  return value == 0 ? 0 : (angle.quadrant + 1) & 2 ? -value : value;
}

double F64(tanpi)(double x) { return F64(sinpi)(x) / F64(cospi)(x); }

//===----------------------------------------------------------------------===//
// The gamma function
//===----------------------------------------------------------------------===//

/// ln of gamma(2 + z), z within 1/2: the coefficient of z^k is
/// (zeta(k) - 1) (-1)^k / k, that of z one less Euler's constant.
static double logGammaKernel(double z) {
  return z * POLY64(z, 0.42278433509846714, 0.32246703342411322,
                    -0.067352301053198095, 0.020580808427784548,
                    -0.0073855510286739853, 0.0028905103307415233,
                    -0.001192753911703261, 0.00050966952474304242,
                    -0.00022315475845357938, 9.9457512781808534e-5,
                    -4.4926236738133142e-5, 2.0507212775670692e-5,
                    -9.4394882752683959e-6, 4.3748667899074878e-6,
                    -2.0392157538013662e-6, 9.5514121304074198e-7,
                    -4.492469198764566e-7, 2.1207184805554666e-7,
                    -1.00432248239681e-7, 4.7698101693639806e-8,
                    -2.2711094608943165e-8, 1.0838659214896954e-8,
                    -5.1834750419700467e-9, 2.4836745438024783e-9,
                    -1.1921401405860912e-9, 5.731367241678862e-10);
}

/// Of a positive number.
static double logGamma(double x) {
  if (x < 0.5)
    return logGammaKernel(x) - F64(log1p)(x) - F64(log)(x);
  if (x < 1.5)
    return logGammaKernel(x - 1) - F64(log1p)(x - 1);
  if (x < 12) {
    double product = 1;
    while (x > 2.5)
      product *= x -= 1;
    return logGammaKernel(x - 2) + F64(log)(product);
  }
  double y = 1 / x, z = y * y;
  return (x - 0.5) * (F64(log)(x) - 1) + 0.41893853320467274 +
         y * POLY64(z, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680,
                    1.0 / 1188, -691.0 / 360360, 1.0 / 156);
}

double F64(lgamma)(double x) {
  if (!isFinite(x))
    return x * x;
  if (x > 0)
    return logGamma(x);
  double part = __builtin_fabs(F64(sinpi)(x));
  if (part == 0)
    return __builtin_inf();
  // Near zero gamma(x) is 1/x, and pi * x may be subnormal.
  return x > -1e-17 ? -F64(log)(-x)
                    : F64(log)(2 * halfPi / (part * -x)) - logGamma(-x);
}

double F64(tgamma)(double x) {
  if (x == 0)
    return 1 / x;
  double whole = __builtin_rint(x);
  if (x < 0 && whole == x)
    return __builtin_nan("");
  if (!(x < 172))
    return x * __builtin_inf();
  // Below, the result is zero, of either sign.
  if (x < -186)
    return F64(sinpi)(x) < 0 ? 0.0 : -0.0;
  double value = F64(exp)(logGammaKernel(x - whole));
  for (int k = (int)whole - 2; k > 0; --k)
    value *= x - k;
  for (int k = 1 - (int)whole; k >= 0; --k)
    value /= x + k;
  return value;
}

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

/// e^(x^2): the square's rounding matters.
static double expOfSquare(double x) {
  double z = x * x, rest = __builtin_fma(x, x, -z);
  return F64(exp)(z) * (1 + (z < 1e4 ? rest : 0));
}

double F64(erfcx)(double x) {
  if (x < -27)
    return __builtin_inf();
  if (x < 2)
    return expOfSquare(x) * F64(erfc)(x);
  double tail = x;
  for (int n = 100; n > 0; --n)
    tail = x + 0.5 * n / tail;
  return 0.5641895835477563 / tail;
}

double F64(erfcinv)(double q) {
  if (q > 0.5)
    return F64(erfinv)(1 - q);
  if (!(q > 0))
    return q == 0 ? __builtin_inf() : __builtin_nan("");
  // Within 0.3 % by a quotient of polynomials fitted over the tail; then
  // Newton's method on the logarithm, which never underflows.
  double l = F64(log)(q), t = __builtin_sqrt(-2 * (l - 0.6931471805599453));
  double y = 0.7071067811865476 *
             (t - POLY64(t, 2.515517, 0.802853, 0.010328) /
                      POLY64(t, 1.0, 1.432788, 0.189269, 0.001308));
  for (int i = 0; i < 3; ++i) {
    double scaled = F64(erfcx)(y);
    y += (F64(log)(scaled) - y * y - l) * scaled * 0.8862269254527580;
  }
  return y;
}

static double normalCdf(double x) {
  // x / sqrt(2) in two parts: what rounding loses, a small tail shows.
  double a = -x * 0.7071067811865476;
  double rest =
      __builtin_fma(-x, 0.7071067811865476, -a) + x * 4.833646656726457e-17;
  double tail = 0.5 * F64(erfc)(a);
  return isFinite(a) && tail > 0
             ? tail - 0.5641895835477563 * rest / expOfSquare(a)
             : tail;
}
static double normalCdfInverse(double p) {
  return -1.4142135623730951 * F64(erfcinv)(2 * p);
}

//===----------------------------------------------------------------------===//
// Other powers and lengths
//===----------------------------------------------------------------------===//

double F64(exp10)(double x) {
  if (!(x < 308.3))
    return x * __builtin_inf();
  if (x < -324)
    return 0;
  double n = __builtin_rint(x * 3.321928094887362);
  // log10(2) in two parts, the first with zeros enough to multiply exactly.
  double high = __builtin_fma(-n, 0x1.34413509F7000p-2, x);
  double rest = __builtin_fma(-n, 0x1.3FDE623E2566Bp-43, high);
  return expKernel(rest * 2.302585092994046, 0, (int)n);
}

static double length3(double x, double y, double z) {
  return F64(hypot)(F64(hypot)(x, y), z);
}
static double length4(double x, double y, double z, double w) {
  return F64(hypot)(F64(hypot)(x, y), F64(hypot)(z, w));
}
static double inverseCbrt(double x) { return 1 / F64(cbrt)(x); }

#define NAMED(name, function)                                                  \
  double F64(name)(double x) { return function(x); }                           \
  float F32(name)(float x) { return (float)function(x); }
#define NAMED3(name, value)                                                    \
  double F64(name)(double x, double y, double z) { return value; }             \
  float F32(name)(float x, float y, float z) { return (float)(value); }
#define NAMED4(name, value)                                                    \
  double F64(name)(double x, double y, double z, double w) { return value; }   \
  float F32(name)(float x, float y, float z, float w) { return (float)(value); }

BY_WAY_OF_F64(sinpi)
BY_WAY_OF_F64(cospi)
BY_WAY_OF_F64(tanpi)
BY_WAY_OF_F64(lgamma)
BY_WAY_OF_F64(tgamma)
BY_WAY_OF_F64(erfcx)
BY_WAY_OF_F64(erfcinv)
BY_WAY_OF_F64(exp10)
NAMED(rcbrt, inverseCbrt)
double F64(rhypot)(double x, double y) { return 1 / F64(hypot)(x, y); }
float F32(rhypot)(float x, float y) { return (float)F64(rhypot)(x, y); }
#ifdef __NVPTX__
NAMED(normcdf, normalCdf)
NAMED(normcdfinv, normalCdfInverse)
NAMED3(norm3d, length3(x, y, z))
NAMED3(rnorm3d, 1 / length3(x, y, z))
NAMED4(norm4d, length4(x, y, z, w))
NAMED4(rnorm4d, 1 / length4(x, y, z, w))
#else
NAMED(ncdf, normalCdf)
NAMED(ncdfinv, normalCdfInverse)
NAMED3(len3, length3(x, y, z))
NAMED3(rlen3, 1 / length3(x, y, z))
NAMED4(len4, length4(x, y, z, w))
NAMED4(rlen4, 1 / length4(x, y, z, w))
#endif

#endif // KERNELSCOPE_PASSES_EMIT_DEVICE_SPECIALMATH_H
