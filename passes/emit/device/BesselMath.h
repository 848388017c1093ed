//===- BesselMath.h - Bessel functions ------------------------------------===//
//
// Of f64: Miller's backward recurrence and Neumann's series below 25, Hankel's
// series above. Errors are a few times 2^-53 of the amplitude, and so are more
// ulp beside a zero. f32 goes by way of f64.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICE_BESSELMATH_H
#define KERNELSCOPE_PASSES_EMIT_DEVICE_BESSELMATH_H

/// Those of order 0 and 1 of a positive number.
struct Bessel {
  double j0, j1, y0, y1;
};

/// J of all orders backward from one that is nothing, whose sum is known; Y is
/// a series of them. Below 25.
static struct Bessel besselByRecurrence(double x) {
  double logTerm =
             0.6366197723675814 * (F64(log)(0.5 * x) + 0.5772156649015329),
         pole = 0.6366197723675814 / x;
  if (x < 1e-5) {
    double j0 = 1 - 0.25 * x * x, j1 = 0.5 * x * (1 - 0.125 * x * x);
    struct Bessel near0 = {
        j0, j1, logTerm + 0.25 * x * x * (0.6366197723675814 - logTerm),
        -pole + (logTerm - 0.3183098861837907) * j1};
    return near0;
  }
  double above = 0, here = 0x1p-700, sum = 0, sum0 = 0, sum1 = 0;
  for (int k = 2 * ((int)(0.6 * x) + 16); k > 0; --k) {
    int m = k / 2;
    double alternating = m & 1 ? -here : here;
    if (k & 1) {
      sum1 += m ? alternating * k / (m * (m + 1.0)) : 0;
    } else {
      sum += 2 * here;
      sum0 += alternating / m;
    }
    double below = 2 * k / x * here - above;
    above = here;
    here = below;
  }
  double scale = 1 / (sum + here), j0 = here * scale, j1 = above * scale;
  struct Bessel result = {j0, j1,
                          logTerm * j0 - 1.2732395447351628 * sum0 * scale,
                          (logTerm - 0.6366197723675814) * j1 - pole * j0 -
                              0.6366197723675814 * sum1 * scale};
  return result;
}

/// Hankel's series of order n, whose terms shrink until there are about 2 x of
/// them: P in *p, Q in *q.
static void hankel(int n, double x, double *p, double *q) {
  double term = 1, parts[2] = {1, 0};
  for (int k = 1; k < 30; ++k) {
    int odd = 2 * k - 1;
    term *= (4 * n * n - odd * odd) / (8 * k * x);
    parts[k & 1] += k & 2 ? -term : term;
  }
  *p = parts[0];
  *q = parts[1];
}

static struct Bessel bessel(double x) {
  if (x < 25)
    return besselByRecurrence(x);
  struct Bessel result = {0, 0, 0, 0};
  if (x == __builtin_inf())
    return result;
  double sine = F64(sin)(x), cosine = F64(cos)(x), p, q;
  // The sine and cosine of x - pi/4, times the square root of 2 / (pi x).
  double amplitude = 0.5641895835477563 / __builtin_sqrt(x);
  double s = (sine - cosine) * amplitude, c = (sine + cosine) * amplitude;
  hankel(0, x, &p, &q);
  result.j0 = p * c - q * s;
  result.y0 = p * s + q * c;
  hankel(1, x, &p, &q);
  result.j1 = p * s + q * c;
  result.y1 = q * s - p * c;
  return result;
}

double F64(j0)(double x) {
  return x != x ? x : x == 0 ? 1 : bessel(__builtin_fabs(x)).j0;
}
double F64(j1)(double x) {
  if (x != x || x == 0)
    return x;
  double value = bessel(__builtin_fabs(x)).j1;
  return x < 0 ? -value : value;
}
/// Where Y has no value: negative numbers, zero, NaN.
static double besselPole(double x) {
  return x == 0 ? -__builtin_inf() : __builtin_nan("");
}
double F64(y0)(double x) { return x > 0 ? bessel(x).y0 : besselPole(x); }
double F64(y1)(double x) { return x > 0 ? bessel(x).y1 : besselPole(x); }

/// J of order n above x, x positive: backward as above, made smaller now and
/// then.
static double besselOfHighOrder(int n, double x) {
  double above = 0, here = 0x1p-700, sum = 0, found = 0;
  int top = n + 40 + (int)__builtin_sqrt(40.0 * n);
  for (int k = top & ~1; k > 0; --k) {
    if (k == n)
      found = here;
    sum += k & 1 ? 0 : 2 * here;
    double below = 2.0 * k / x * here - above;
    above = here;
    here = below;
    if (here > 0x1p+600) {
      here *= 0x1p-600;
      above *= 0x1p-600;
      sum *= 0x1p-600;
      found *= 0x1p-600;
    }
  }
  return found / (sum + here);
}

double F64(jn)(int n, double x) {
  if (n < 0 || x != x)
    return __builtin_nan("");
  if (n < 2)
    return n ? F64(j1)(x) : F64(j0)(x);
  double a = __builtin_fabs(x), value;
  if (a < 1e-8) {
    value = 1;
    for (int k = 1; k <= n && value != 0; ++k)
      value *= 0.5 * a / k;
  } else if (n > a) {
    value = besselOfHighOrder(n, a);
  } else {
    struct Bessel start = bessel(a);
    double below = start.j0;
    value = start.j1;
    for (int k = 1; k < n && a < __builtin_inf(); ++k) {
      double above = 2.0 * k / a * value - below;
      below = value;
      value = above;
    }
  }
  return x < 0 && n & 1 ? -value : value;
}

double F64(yn)(int n, double x) {
  if (n < 0 || !(x > 0))
    return n < 0 ? __builtin_nan("") : besselPole(x);
  struct Bessel start = bessel(x);
  double below = start.y0, value = n ? start.y1 : below;
  for (int k = 1; k < n && value > -__builtin_inf() && x < __builtin_inf();
       ++k) {
    double above = 2.0 * k / x * value - below;
    below = value;
    value = above;
  }
  return value;
}

/// The modified function of order 0 or 1: its power series, all of one sign,
/// and for large numbers Hankel's with e^x.
static double modifiedBessel(int order, double x) {
  double a = __builtin_fabs(x), sum;
  if (a < 30) {
    double term = order ? 0.5 * a : 1, z = 0.25 * a * a;
    sum = term;
    for (int k = 1; term > sum * 1e-17; ++k) {
      term *= z / (k * (k + order));
      sum += term;
    }
  } else {
    double p = 1, term = 1;
    for (int k = 1; k < 30; ++k) {
      int odd = 2 * k - 1;
      term *= (odd * odd - 4 * order) / (8 * k * a);
      p += term;
    }
    sum = a < __builtin_inf()
              ? 2 * halfOfExp(a) * (0.3989422804014327 / __builtin_sqrt(a) * p)
              : a;
  }
  return order && x < 0 ? -sum : sum;
}
static double modified0(double x) { return modifiedBessel(0, x); }
static double modified1(double x) { return modifiedBessel(1, x); }

BY_WAY_OF_F64(j0)
BY_WAY_OF_F64(j1)
BY_WAY_OF_F64(y0)
BY_WAY_OF_F64(y1)
float F32(jn)(int n, float x) { return (float)F64(jn)(n, x); }
float F32(yn)(int n, float x) { return (float)F64(yn)(n, x); }
#ifdef __NVPTX__
NAMED(cyl_bessel_i0, modified0)
NAMED(cyl_bessel_i1, modified1)
#else
NAMED(i0, modified0)
NAMED(i1, modified1)
#endif

#endif // KERNELSCOPE_PASSES_EMIT_DEVICE_BESSELMATH_H
