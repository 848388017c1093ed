#!/usr/bin/env python3
"""Compares the functions of passes/emit/device/Math.c, compiled for the host, with exact values from mpmath.

  PYTHON device_math.py [CC]        CC is a C compiler, clang-22 by default

Arguments are spread evenly over exponents, from subnormal to the largest for which the function is finite, with both signs,
and the corners: zeros, infinities, NaN, the ends of the domain. Prints for each function the largest error in units in the
last place and where; exits 1 if one is beyond what it may be, 77, to be skipped, without mpmath.
"""
import ctypes
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

try:
    import mpmath
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

mpmath.mp.prec = 200
SOURCE = pathlib.Path(__file__).parents[2] / "passes/emit/device/Math.c"
everywhere = lambda x: True
inside = lambda x: abs(x) <= 1


def scaled_erfc(x):
    return mpmath.exp(x * x) * mpmath.erfc(x) if x < 1e4 else mpmath.quad(lambda t: mpmath.exp(-t - t * t / (4 * x * x)), [0, mpmath.inf]) / (x * mpmath.sqrt(mpmath.pi))


def log_gamma(x):
    return mpmath.re(mpmath.loggamma(x))


def gamma(x):
    return mpmath.gamma(x) if abs(x) < 1e4 else mpmath.mpf(0) if x < 0 else mpmath.inf


#: Name: exact function, domain, most ulp of f32 and of f64.
FUNCTIONS = {
    "sin": (mpmath.sin, everywhere, 2, 3), "cos": (mpmath.cos, everywhere, 2, 3), "tan": (mpmath.tan, everywhere, 2, 6),
    "exp": (mpmath.exp, everywhere, 1, 3), "exp2": (lambda x: mpmath.power(2, x), everywhere, 1, 3),
    "expm1": (mpmath.expm1, everywhere, 1, 6), "log": (mpmath.log, lambda x: x > 0, 1, 3),
    "log2": (lambda x: mpmath.log(x, 2), lambda x: x > 0, 1, 4), "log10": (mpmath.log10, lambda x: x > 0, 1, 4),
    "log1p": (mpmath.log1p, lambda x: x > -1, 1, 6), "rsqrt": (lambda x: 1 / mpmath.sqrt(x), lambda x: x > 0, 1, 2),
    "tanh": (mpmath.tanh, everywhere, 1, 6), "sinh": (mpmath.sinh, everywhere, 1, 8), "cosh": (mpmath.cosh, everywhere, 1, 6),
    "erf": (mpmath.erf, everywhere, 3, 16), "erfc": (mpmath.erfc, everywhere, 1, 60),
    "atan": (mpmath.atan, everywhere, 1, 6), "asin": (mpmath.asin, inside, 1, 8), "acos": (mpmath.acos, inside, 1, 8),
    "asinh": (mpmath.asinh, everywhere, 1, 8), "acosh": (mpmath.acosh, lambda x: x >= 1, 1, 8),
    "atanh": (mpmath.atanh, lambda x: abs(x) < 1, 1, 8), "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), everywhere, 1, 3),
    "exp10": (lambda x: mpmath.power(10, x), everywhere, 1, 4), "rcbrt": (lambda x: mpmath.sign(x) / mpmath.cbrt(abs(x)), lambda x: x != 0, 1, 4),
    "sinpi": (mpmath.sinpi, everywhere, 1, 3), "cospi": (mpmath.cospi, everywhere, 1, 3),
    "tanpi": (lambda x: mpmath.sinpi(x) / mpmath.cospi(x), lambda x: abs(x) < 1e15 and x % 1 != 0.5, 1, 6),
    "erfcx": (scaled_erfc, lambda x: -26 < x < 1e6, 1, 120), "erfinv": (mpmath.erfinv, lambda x: abs(x) < 1, 1, 30), "erfcinv": (lambda x: mpmath.erfinv(1 - x), lambda x: 1e-40 < x < 2, 1, 30),
    "ncdf": (mpmath.ncdf, lambda x: abs(x) < 36, 1, 120), "ncdfinv": (lambda x: mpmath.sqrt(2) * mpmath.erfinv(2 * x - 1), lambda x: 1e-40 < x < 1, 1, 30),
    "lgamma": (log_gamma, lambda x: x > 0 or x > -1e6 and x != int(x), 1, 12), "tgamma": (gamma, lambda x: x > 0 or x != int(x), 1, 60),
    "j0": (lambda x: mpmath.besselj(0, x), lambda x: abs(x) < 1e6, 1, 12), "j1": (lambda x: mpmath.besselj(1, x), lambda x: abs(x) < 1e6, 1, 12),
    "y0": (lambda x: mpmath.bessely(0, x), lambda x: 0 < x < 1e6, 1, 20), "y1": (lambda x: mpmath.bessely(1, x), lambda x: 0 < x < 1e6, 1, 20),
    "i0": (lambda x: mpmath.besseli(0, x), lambda x: abs(x) < 700, 1, 20), "i1": (lambda x: mpmath.besseli(1, x), lambda x: abs(x) < 700, 1, 20),
}
#: Where a function crosses zero, an error counts in units of what it swings by.
SWINGS = {name: lambda x: min(mpmath.mpf(1), mpmath.sqrt(2 / (mpmath.pi * abs(x)))) if x else mpmath.mpf(1) for name in ("j0", "y0", "y1")}
SWINGS["j1"] = lambda x: min(abs(x) / 2, mpmath.sqrt(2 / (mpmath.pi * abs(x)))) if x else mpmath.mpf(1)
SWINGS["lgamma"] = lambda x: mpmath.mpf(1) if x < 0 else mpmath.mpf(0)


class Format:
    def __init__(self, name, ctype, code, bits, mantissa, bias):
        self.name, self.ctype, self.code, self.bits, self.mantissa, self.bias = name, ctype, code, bits, mantissa, bias

    def of(self, bits):
        return struct.unpack("<" + self.code, bits.to_bytes(self.bits // 8, "little"))[0]

    def largest(self):
        return self.of((2 * self.bias << self.mantissa) + (1 << self.mantissa) - 1)

    def ulp(self, exact):
        """The distance of neighbours at a value, of subnormals that of all of them."""
        exponent = max(int(mpmath.floor(mpmath.log(abs(exact), 2))) if exact else -10000, 1 - self.bias)
        return mpmath.ldexp(1, exponent - self.mantissa)

    def arguments(self, count):
        chance = random.Random(1)
        for i in range(count):
            yield self.of(chance.getrandbits(self.bits - 1) % (2 * self.bias + 1 << self.mantissa)) * (1, -1)[i % 2]
        for scale in (1, 10, 100):  # where most functions bend
            for _ in range(count // 2):
                yield self.of(struct.unpack("<I" if self.bits == 32 else "<Q", struct.pack("<" + self.code, chance.uniform(-scale, scale)))[0])


FORMATS = [Format("f32", ctypes.c_float, "f", 32, 23, 127), Format("f64", ctypes.c_double, "d", 64, 52, 1023)]


def worst(name, function, exact, domain, form):
    """The largest error in ulp, and its argument."""
    largest, where = mpmath.mpf(0), None
    for x in form.arguments(1500):
        if not domain(x):
            continue
        if exact in (mpmath.exp, mpmath.expm1, mpmath.sinh, mpmath.cosh, mpmath.erfc, mpmath.tanh, FUNCTIONS["exp2"][0]) and abs(x) > 2000:
            continue  # what overflows or vanishes is a corner
        expected, found = exact(mpmath.mpf(x)), function(x)
        if abs(expected) > form.largest():
            error = mpmath.mpf(0) if math.isinf(found) else mpmath.inf
        elif not math.isfinite(found):
            # Halfway to what would be the next value, infinity is right.
            error = mpmath.mpf(1) if abs(expected) > form.largest() * (1 - 2.0 ** -form.mantissa) else mpmath.inf
        else:
            size = max(abs(expected), SWINGS[name](mpmath.mpf(x))) if name in SWINGS else expected
            error = abs(mpmath.mpf(found) - expected) / form.ulp(size)
        if error > largest:
            largest, where = error, x
    return largest, where


def corners(name, function):
    """What C99 asks at infinity, NaN and zero, as far as the host's libm says it, too."""
    peer = {"exp2": lambda x: math.inf if x == math.inf else 2.0 ** x, "rsqrt": None, "cbrt": None}.get(name, getattr(math, name, None))
    for x in (math.inf, -math.inf, math.nan, 0.0, -0.0):
        try:
            expected = peer(x) if peer else None
        except (ValueError, OverflowError):
            continue
        if expected is not None and not (math.isnan(expected) and math.isnan(function(x)) or
                                         expected == function(x) and math.copysign(1, expected) == math.copysign(1, function(x))
                                         or 0 < abs(expected) < math.inf and abs(function(x) / expected - 1) < 1e-6):
            yield f"{name}({x}) is {function(x)}; it must be {expected}"


def main():
    compiler = sys.argv[1] if len(sys.argv) > 1 else "clang-22"
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "math.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-ffp-contract=off", "-o", library, SOURCE, "-lm"], check=True)
        functions = ctypes.CDLL(str(library))
        faults = []
        for name, (exact, domain, *most) in FUNCTIONS.items():
            row = f"{name:<8}"
            for form, limit in zip(FORMATS, most):
                function = getattr(functions, f"__ocml_{name}_{form.name}")
                function.restype, function.argtypes = form.ctype, [form.ctype]
                error, where = worst(name, function, exact, domain, form)
                row += f"  {form.name} {mpmath.nstr(error, 3):>8} ulp at {where!s:<24}"
                if error > limit:
                    faults.append(f"{name} of {form.name}: {mpmath.nstr(error, 3)} ulp at {where}; it must be at most {limit}")
                faults += corners(name, function)
            print(row.rstrip(), flush=True)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
