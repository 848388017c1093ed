//===- RoundedMath.h - Functions that are an instruction or a few bits ----===//
//
// The libraries' names for what the chip does in a step or two: rounding,
// arithmetic and conversions in a stated direction, fields of numbers.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_DEVICE_ROUNDEDMATH_H
#define KERNELSCOPE_PASSES_EMIT_DEVICE_ROUNDEDMATH_H

//===----------------------------------------------------------------------===//
// Both libraries
//===----------------------------------------------------------------------===//

#define BUILTIN(name)                                                          \
  double F64(name)(double x) { return __builtin_##name(x); }                   \
  float F32(name)(float x) { return __builtin_##name##f(x); }
BUILTIN(ceil)
BUILTIN(fabs)
BUILTIN(floor)
BUILTIN(nearbyint)
BUILTIN(rint)
BUILTIN(trunc)
BUILTIN(sqrt)

double F64(fma)(double x, double y, double z) { return __builtin_fma(x, y, z); }
float F32(fma)(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
double F64(fmax)(double x, double y) { return __builtin_fmax(x, y); }
float F32(fmax)(float x, float y) { return __builtin_fmaxf(x, y); }
double F64(fmin)(double x, double y) { return __builtin_fmin(x, y); }
float F32(fmin)(float x, float y) { return __builtin_fminf(x, y); }
double F64(fdim)(double x, double y) {
  return x != x || y != y ? x + y : x > y ? x - y : 0;
}
float F32(fdim)(float x, float y) {
  return x != x || y != y ? x + y : x > y ? x - y : 0;
}

/// Exact: a step of 2^-969 leaves bits enough to round once.
double F64(ldexp)(double x, int n) {
  for (int i = 0; i < 2 && n > 1023; ++i, n -= 1023)
    x *= 0x1p+1023;
  for (int i = 0; i < 2 && n < -1022; ++i, n += 969)
    x *= 0x1p-969;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return x * float64((u64)(n + 1023) << 52);
}
float F32(ldexp)(float x, int n) { return (float)F64(ldexp)(x, n); }

/// The exponent of a finite number that is not zero.
static int exponentOf(double x) {
  int adjust = 0;
  x = __builtin_fabs(x);
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    adjust = -54;
  }
  return (int)(bits64(x) >> 52) - 1023 + adjust;
}
double F64(logb)(double x) {
  return x == 0 ? -__builtin_inf() : isFinite(x) ? exponentOf(x) : x * x;
}
float F32(logb)(float x) { return (float)F64(logb)(x); }
int F64(ilogb)(double x) {
  return x != x || x == 0 ? -2147483647 - 1
         : isFinite(x)    ? exponentOf(x)
                          : 2147483647;
}
int F32(ilogb)(float x) { return F64(ilogb)(x); }

double F64(nextafter)(double x, double y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return __builtin_copysign(0x1p-1074, y);
  return float64(bits64(x) + ((x < y) == (x > 0) ? 1 : -1));
}
float F32(nextafter)(float x, float y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return __builtin_copysignf(0x1p-149f, y);
  return float32(bits32(x) + ((x < y) == (x > 0) ? 1 : -1));
}

/// Exact: of the quotient to the nearest, ties to even.
double F64(remainder)(double x, double y) {
  double b = __builtin_fabs(y);
  if (!isFinite(x) || !(b > 0))
    return __builtin_nan("");
  if (b == __builtin_inf())
    return x;
  // Modulo twice b, where that is finite, so that the parity is known.
  double a = __builtin_fabs(b < 0x1p1023 ? F64(fmod)(x, b + b) : x);
  // Without rounding: tiny numbers are doubled, large ones halved.
  double half = b < 0x1p-1021 ? b : 0.5 * b, factor = b < 0x1p-1021 ? 2 : 1;
  if (a * factor > half) {
    a -= b;
    if (a * factor >= half)
      a -= b;
  }
  double value = __builtin_copysign(1.0, x) * a;
  return value == 0 ? __builtin_copysign(0.0, x) : value;
}
float F32(remainder)(float x, float y) { return (float)F64(remainder)(x, y); }

//===----------------------------------------------------------------------===//
// libdevice
//===----------------------------------------------------------------------===//

#ifdef __NVPTX__

/// `VARIANTS(use)` is `use(rn, rn) use(rz, rz) use(rd, rm) use(ru, rp)`: the
/// library's suffix and the instruction's.
#define VARIANTS(use) use(rn, rn) use(rz, rz) use(rd, rm) use(ru, rp)

#define ARITHMETIC(mode, ptx)                                                  \
  float __nv_fadd_##mode(float x, float y) {                                   \
    return __nvvm_add_##ptx##_f(x, y);                                         \
  }                                                                            \
  float __nv_fsub_##mode(float x, float y) {                                   \
    return __nvvm_add_##ptx##_f(x, -y);                                        \
  }                                                                            \
  float __nv_fmul_##mode(float x, float y) {                                   \
    return __nvvm_mul_##ptx##_f(x, y);                                         \
  }                                                                            \
  float __nv_fdiv_##mode(float x, float y) {                                   \
    return __nvvm_div_##ptx##_f(x, y);                                         \
  }                                                                            \
  float __nv_fmaf_##mode(float x, float y, float z) {                          \
    return __nvvm_fma_##ptx##_f(x, y, z);                                      \
  }                                                                            \
  float __nv_fmaf_ieee_##mode(float x, float y, float z) {                     \
    return __nvvm_fma_##ptx##_f(x, y, z);                                      \
  }                                                                            \
  float __nv_frcp_##mode(float x) { return __nvvm_rcp_##ptx##_f(x); }          \
  float __nv_fsqrt_##mode(float x) { return __nvvm_sqrt_##ptx##_f(x); }        \
  double __nv_dadd_##mode(double x, double y) {                                \
    return __nvvm_add_##ptx##_d(x, y);                                         \
  }                                                                            \
  double __nv_dsub_##mode(double x, double y) {                                \
    return __nvvm_add_##ptx##_d(x, -y);                                        \
  }                                                                            \
  double __nv_dmul_##mode(double x, double y) {                                \
    return __nvvm_mul_##ptx##_d(x, y);                                         \
  }                                                                            \
  double __nv_ddiv_##mode(double x, double y) {                                \
    return __nvvm_div_##ptx##_d(x, y);                                         \
  }                                                                            \
  double __nv_fma_##mode(double x, double y, double z) {                       \
    return __nvvm_fma_##ptx##_d(x, y, z);                                      \
  }                                                                            \
  double __nv_drcp_##mode(double x) { return __nvvm_rcp_##ptx##_d(x); }        \
  double __nv_dsqrt_##mode(double x) { return __nvvm_sqrt_##ptx##_d(x); }
VARIANTS(ARITHMETIC)

#define CONVERSIONS(mode, ptx)                                                 \
  int __nv_float2int_##mode(float x) { return __nvvm_f2i_##ptx(x); }           \
  u32 __nv_float2uint_##mode(float x) { return __nvvm_f2ui_##ptx(x); }         \
  long long __nv_float2ll_##mode(float x) { return __nvvm_f2ll_##ptx(x); }     \
  u64 __nv_float2ull_##mode(float x) { return __nvvm_f2ull_##ptx(x); }         \
  int __nv_double2int_##mode(double x) { return __nvvm_d2i_##ptx(x); }         \
  u32 __nv_double2uint_##mode(double x) { return __nvvm_d2ui_##ptx(x); }       \
  long long __nv_double2ll_##mode(double x) { return __nvvm_d2ll_##ptx(x); }   \
  u64 __nv_double2ull_##mode(double x) { return __nvvm_d2ull_##ptx(x); }       \
  float __nv_int2float_##mode(int x) { return __nvvm_i2f_##ptx(x); }           \
  float __nv_uint2float_##mode(u32 x) { return __nvvm_ui2f_##ptx(x); }         \
  float __nv_ll2float_##mode(long long x) { return __nvvm_ll2f_##ptx(x); }     \
  float __nv_ull2float_##mode(u64 x) { return __nvvm_ull2f_##ptx(x); }         \
  double __nv_ll2double_##mode(long long x) { return __nvvm_ll2d_##ptx(x); }   \
  double __nv_ull2double_##mode(u64 x) { return __nvvm_ull2d_##ptx(x); }       \
  float __nv_double2float_##mode(double x) { return __nvvm_d2f_##ptx(x); }
VARIANTS(CONVERSIONS)

double __nv_int2double_rn(int x) { return x; }
double __nv_uint2double_rn(u32 x) { return x; }
float __nv_frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt(x)); }
float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
float __nv_saturatef(float x) { return __nvvm_saturate_f(x); }
double __nv_rcp64h(double x) { return __nvvm_rcp_approx_ftz_d(x); }

int __nv_double2hiint(double x) { return (int)(bits64(x) >> 32); }
int __nv_double2loint(double x) { return (int)bits64(x); }
double __nv_hiloint2double(int high, int low) {
  return float64((u64)(u32)high << 32 | (u32)low);
}
int __nv_float_as_int(float x) { return (int)bits32(x); }
u32 __nv_float_as_uint(float x) { return bits32(x); }
float __nv_int_as_float(int x) { return float32((u32)x); }
float __nv_uint_as_float(u32 x) { return float32(x); }
long long __nv_double_as_longlong(double x) { return (long long)bits64(x); }
double __nv_longlong_as_double(long long x) { return float64((u64)x); }

int __nv_finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
int __nv_isfinited(double x) { return isFinite(x); }
int __nv_signbitf(float x) { return (int)(bits32(x) >> 31); }
int __nv_signbitd(double x) { return (int)(bits64(x) >> 63); }
double __nv_scalbn(double x, int n) { return F64(ldexp)(x, n); }
float __nv_scalbnf(float x, int n) { return F32(ldexp)(x, n); }
long long __nv_llrint(double x) { return __nvvm_d2ll_rn(x); }
long long __nv_llrintf(float x) { return __nvvm_f2ll_rn(x); }
long long __nv_llround(double x) { return __nvvm_d2ll_rz(F64(round)(x)); }
long long __nv_llroundf(float x) { return __nvvm_f2ll_rz(F32(round)(x)); }

int __nv_abs(int x) { return __builtin_abs(x); }
long long __nv_llabs(long long x) { return __builtin_llabs(x); }
int __nv_brev(int x) { return (int)__builtin_bitreverse32((u32)x); }
long long __nv_brevll(long long x) {
  return (long long)__builtin_bitreverse64((u64)x);
}
int __nv_byte_perm(int x, int y, int selector) {
  return __nvvm_prmt(x, y, selector);
}
int __nv_clz(int x) { return x ? __builtin_clz((u32)x) : 32; }
int __nv_clzll(long long x) { return x ? __builtin_clzll((u64)x) : 64; }
int __nv_ffs(int x) { return x ? __builtin_ctz((u32)x) + 1 : 0; }
int __nv_ffsll(long long x) { return x ? __builtin_ctzll((u64)x) + 1 : 0; }
int __nv_popc(int x) { return __builtin_popcount((u32)x); }
int __nv_popcll(long long x) { return __builtin_popcountll((u64)x); }
int __nv_min(int x, int y) { return x < y ? x : y; }
int __nv_max(int x, int y) { return x > y ? x : y; }
u32 __nv_umin(u32 x, u32 y) { return x < y ? x : y; }
u32 __nv_umax(u32 x, u32 y) { return x > y ? x : y; }
long long __nv_llmin(long long x, long long y) { return x < y ? x : y; }
long long __nv_llmax(long long x, long long y) { return x > y ? x : y; }
u64 __nv_ullmin(u64 x, u64 y) { return x < y ? x : y; }
u64 __nv_ullmax(u64 x, u64 y) { return x > y ? x : y; }
int __nv_hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
int __nv_rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
u32 __nv_uhadd(u32 x, u32 y) { return (u32)(((u64)x + y) >> 1); }
u32 __nv_urhadd(u32 x, u32 y) { return (u32)(((u64)x + y + 1) >> 1); }
int __nv_mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
u32 __nv_umul24(u32 x, u32 y) { return __nvvm_mul24_ui(x, y); }
int __nv_mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
u32 __nv_umulhi(u32 x, u32 y) { return (u32)((u64)x * y >> 32); }
long long __nv_mul64hi(long long x, long long y) {
  return (long long)((__int128)x * y >> 64);
}
u64 __nv_umul64hi(u64 x, u64 y) {
  return (u64)((unsigned __int128)x * y >> 64);
}
int __nv_sad(int x, int y, u32 z) {
  return (int)((u32)(x > y ? (u32)x - (u32)y : (u32)y - (u32)x) + z);
}
u32 __nv_usad(u32 x, u32 y, u32 z) { return (x > y ? x - y : y - x) + z; }

//===----------------------------------------------------------------------===//
// ocml
//===----------------------------------------------------------------------===//

#else

int __ocml_isfinite_f32(float x) {
  return __builtin_fabsf(x) < __builtin_inff();
}
int __ocml_isfinite_f64(double x) { return isFinite(x); }
int __ocml_signbit_f32(float x) { return (int)(bits32(x) >> 31); }
int __ocml_signbit_f64(double x) { return (int)(bits64(x) >> 63); }
double __ocml_scalbn_f64(double x, int n) { return F64(ldexp)(x, n); }
float __ocml_scalbn_f32(float x, int n) { return F32(ldexp)(x, n); }
u32 __ockl_clz_u32(u32 x) { return x ? (u32)__builtin_clz(x) : 32; }
u64 __ockl_clz_u64(u64 x) { return x ? (u64)__builtin_clzll(x) : 64; }
u32 __ockl_popcount_u32(u32 x) { return (u32)__builtin_popcount(x); }
/// 32 bits, as Triton calls it.
u32 __ockl_popcount_u64(u64 x) { return (u32)__builtin_popcountll(x); }

#endif

#endif // KERNELSCOPE_PASSES_EMIT_DEVICE_ROUNDEDMATH_H
