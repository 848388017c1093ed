"""Views of flat buffers, and the number formats that NumPy lacks."""
import numpy as np
from numpy.lib.stride_tricks import as_strided


def matrix(buffer, rows, columns, stride):
    """A view of the first elements of each row; rows may overlap."""
    size = buffer.itemsize
    if rows and (rows - 1) * stride + columns > len(buffer):
        raise ValueError(f"{rows} rows of {columns}, {stride} apart, are not in a buffer of {len(buffer)}")
    return as_strided(buffer, (rows, columns), (stride * size, size))


def tiles(extent, block, programs):
    """How far `programs` blocks reach into an extent."""
    return min(extent, block * programs)


def whole(extent, block):
    """`extent`, rounded up to whole blocks: what a loop without a mask covers."""
    return -(-extent // block) * block


def f16(x):
    with np.errstate(over="ignore"):
        return np.asarray(x).astype(np.float16).astype(np.float64)


def f32(x):
    return np.asarray(x).astype(np.float32).astype(np.float64)


def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))
    return (rounded & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32).astype(np.float64)


def tf32(x):
    """Matrix units of NVIDIA, and of gfx942, drop the low 13 bits."""
    bits = np.asarray(x, np.float32).view(np.uint32) & np.uint32(0xFFFFE000)
    return bits.view(np.float32).astype(np.float64)


def fp8_value(bits, dtype):
    exponents, bias = (5, 15) if "E5M2" in dtype else (4, 7)
    mantissas = 7 - exponents
    sign, exponent, mantissa = bits >> 7, bits >> mantissas & (1 << exponents) - 1, bits & (1 << mantissas) - 1
    if "FNUZ" in dtype:
        bias += 1
        if bits == 0x80:
            return np.nan
    elif exponent == (1 << exponents) - 1 and (exponents == 5 or mantissa == 7):
        return np.nan if mantissa else np.inf * (-1) ** sign
    value = mantissa / 2**mantissas * 2.0 ** (1 - bias) if exponent == 0 else (1 + mantissa / 2**mantissas) * 2.0 ** (exponent - bias)
    return -value if sign else value


def fp8(bits, dtype):
    """The values of bytes."""
    return np.array([fp8_value(byte, dtype) for byte in range(256)])[np.asarray(bits).astype(np.uint8)]


def fp8_nearest(x, dtype):
    """Rounds to the nearest value of an fp8 format, half to even; what is beyond the largest becomes that."""
    grid = np.array([fp8_value(byte, dtype) for byte in range(128)])
    grid = grid[np.isfinite(grid)]
    size = np.minimum(np.abs(x), grid[-1])
    below = np.searchsorted(grid, size, side="right") - 1
    above = np.minimum(below + 1, len(grid) - 1)
    up = size - grid[below] > grid[above] - size
    up |= (size - grid[below] == grid[above] - size) & (below % 2 == 1)
    return np.copysign(np.where(up, grid[above], grid[below]), x)


def e2m1(packed, axis):
    """The values of fp4 in bytes, two along `axis`, the low half first."""
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6] + [-0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    bits = np.asarray(packed).astype(np.uint8)
    pairs = np.stack([values[bits & 15], values[bits >> 4]], axis=axis + 1)
    shape = list(bits.shape)
    shape[axis] *= 2
    return pairs.reshape(shape)


def e2m1_packed(x):
    """Rounds to fp4, half to even and to the largest beyond it; two of the last dimension in each byte."""
    size = np.minimum(np.abs(x), 6)
    halves = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    nearest = np.abs(size[..., None] - halves)
    # Of two that are as near, the one with an even number.
    bits = np.where(np.arange(8) % 2, nearest * (1 + 1e-15) + 1e-15, nearest).argmin(axis=-1) | (np.signbit(x) << 3)
    return (bits[..., 0::2] | bits[..., 1::2] << 4).astype(np.uint8).astype(np.int8)


def e8m0(bits):
    """The scales of microscaled products: powers of two."""
    bits = np.asarray(bits).astype(np.uint8)
    return np.where(bits == 255, np.nan, 2.0 ** (bits.astype(np.float64) - 127))


def philox(seed, counter):
    """Four words of 32 bits for each counter: Philox4x32 with ten rounds (Salmon et al., 2011)."""
    mask = np.uint64(0xFFFFFFFF)
    word = lambda x: np.asarray(x).astype(np.int64).astype(np.uint64) & mask
    c = [word(counter)] + [np.zeros(len(counter), np.uint64)] * 3
    key = [word(seed), word(np.int64(seed) >> 32)]
    for _ in range(10):
        first, third = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high = lambda product: product >> np.uint64(32)
        c = [high(third) ^ c[1] ^ key[0], third & mask, high(first) ^ c[3] ^ key[1], first & mask]
        key = [key[0] + np.uint64(0x9E3779B9) & mask, key[1] + np.uint64(0xBB67AE85) & mask]
    return [x.astype(np.uint32).view(np.int32) for x in c]


def uniform(words):
    """Words of 32 bits as floats from 0 to 1."""
    folded = np.where(words < 0, ~words, words)
    return f32(folded.astype(np.float32) * np.float32(4.6566127342e-10))
