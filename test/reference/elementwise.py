"""Kernels that go element by element, and those that move elements through global memory."""
import math

import numpy as np
from arithmetic import bf16, f16, f32, fp8_nearest, matrix, philox, tiles, uniform


def vec_add(a, b, out, n, grid):
    return {"out": a[:n] + b[:n]}


def vec_add_f16x8(a, b, out, n, grid):
    return {"out": f16(a[:n] + b[:n])}


def gl_copy(src, dst, n, grid):
    return {"dst": src[:n]}


gl_copy_slice = gl_copy


def nv_cluster_copy(src, dst, n, grid):
    return {"dst": np.exp2(src[:n])}


nv_cluster_copy_broadcast = nv_cluster_copy


def clamp_select(src, dst, n, lo, hi, grid):
    kept = np.clip(src[:n], lo, hi)
    least = np.maximum(np.minimum(src[:n], kept), 0.5 * lo)
    return {"dst": np.maximum(least, kept)}


def grid_stride_saxpy(x, y, n, grid):
    return {"y": 2.5 * x[:n] + y[:n]}


def collatz_steps(seeds, steps, n, limit, grid):
    count = np.zeros(n, np.int64)
    for first in range(0, n, 128):
        v = seeds[first : min(first + 128, n)].astype(np.int64)
        going, rounds = v.max() > 1, 0
        while going:
            active = v > 1
            count[first : first + len(v)] += active
            v = np.where(active, np.where(v % 2 == 0, v // 2, 3 * v + 1), v)
            rounds += 1
            going = v.max() > 1 and rounds < limit
    return {"steps": count}


def integer_ops(a, b, w, out, n, grid):
    s, u, q = a[:n].astype(np.int64), b[:n].astype(np.int64), w[:n].astype(np.int64)
    unsigned = u & 0xFFFFFFFF
    high = unsigned * 0x9E3779B7 >> 32 if (u >= 0).all() else (unsigned.astype(object) * 0x9E3779B7 >> 32).astype(np.int64)
    mixed = (((s << 3) ^ (s >> 2)) | (s & 255)).astype(np.int32).astype(np.int64)
    total = 3 * q + mixed + high + unsigned // 7 + unsigned % 5 + np.fix(s / 7).astype(np.int64) - np.fmod(s, 5)
    both = (s > 3) & (q < 100) | (u == 9)
    return {"out": np.where(both, -total, ~total) + (n + 511) // 512}


def transpose_tile(x, y, rows, cols, grid):
    r, c = tiles(rows, 64, grid[0]), tiles(cols, 64, grid[1])
    y = y.copy()
    matrix(y, c, r, rows)[...] = matrix(x, r, c, cols).T
    return {"y": y}


def embedding_scatter_add(ids, grad, table, dim, grid):
    columns = tiles(dim, 128, grid[1])
    table = table.copy()
    for token in range(grid[0]):
        table[ids[token] * dim :][:columns] += grad[token * dim :][:columns]
    return {"table": table}


def embedding_lookup(ids, table, out, dim, vocab, grid):
    out = out.copy()
    for token in range(grid[0]):
        known = 0 <= ids[token] < vocab
        out[token * dim :][:dim] = table[ids[token] * dim :][:dim] if known else 0
    return {"out": out}


def histogram_accumulate(x, bins, n, grid):
    seen = x[: tiles(n, 1024, grid[0])]
    return {"bins": bins + np.bincount(seen[(seen >= 0) & (seen < 128)], minlength=128)}


def conv1d_depthwise(x, w, bias, y, length, channels, grid):
    times = tiles(length, 256, grid[1])
    y = y.copy()
    for batch in range(grid[2]):
        for c in range(grid[0]):
            base = (batch * channels + c) * length
            padded = np.concatenate([[0, 0], x[base : base + times]])
            y[base : base + times] = bias[c] + sum(w[3 * c + tap] * padded[tap : tap + times] for tap in range(3))
    return {"y": y}


def vec_scale(factor):
    return lambda src, dst, n, grid: {"dst": factor * src[:n]}


pdl_scale = vec_scale(3)


def cuda_specials(src, clock, sm, dst, n, grid):
    return {"dst": 128 * src[:n]}


def print_and_assert(src, dst, n, grid):
    return {"dst": src[:n] + 1}


def dropout_fwd(src, dst, keep, n, p, seed, grid):
    kept = uniform(philox(seed, np.arange(n))[0]) > p
    return {"dst": np.where(kept, src[:n] / (1 - p), 0), "keep": kept.astype(np.int8)}


def random_fill(dst, ints, n, seed, grid):
    c = philox(seed, np.arange(n))
    radius = np.sqrt(-2 * np.log(np.maximum(uniform(c[0]), 1e-7)))
    other = philox(seed, np.arange(n) + n)[0]
    with np.errstate(over="ignore"):
        return {"dst": radius * np.cos(6.283185307179586 * uniform(c[1])), "ints": (c[0] ^ c[1]) + (c[2] & c[3]) + other}


def fp8_cast_e4nv(src, f8, back, n, grid):
    rounded = fp8_nearest(src[:n], "E4M3FN")
    return {"f8": rounded, "back": rounded}


def fp8_cast_e4b8(src, f8, back, n, grid):
    rounded = fp8_nearest(src[:n], "E4M3FNUZ")
    return {"f8": rounded, "back": rounded}


def fp8_roundtrip(src, f8, back, n, grid):
    rounded = fp8_nearest(src[:n], "E5M2")
    return {"f8": rounded, "back": -rounded}


def inline_amdgcn(a, out, n, grid):
    return {"out": a[:n] ** 2}


def inline_ptx(a, b, out, hi, n, grid):
    square = b[:n].astype(np.int64) ** 2
    reversed_bytes = a[:n].astype(np.int8).reshape(-1, 4)[:, ::-1].ravel()
    return {"out": square.astype(np.int32) + reversed_bytes, "hi": square >> 32}


def nv_inline_and_libdevice(src, dst, bits, grid):
    y = f32(f32(np.tanh(src[:512])) + f32(np.exp(src[:512])))
    return {"dst": f16(y), "bits": np.rint(y)}


def libdevice_mix(a, b, out, n, grid):
    x, y = a[:n], b[:n]
    powers = np.tanh(x) + (np.abs(x) + 0.1) ** y + (np.log1p(np.abs(y)) - np.expm1(x))
    return {"out": np.copysign(powers + np.arctan2(x, y) * np.hypot(x, y), y) + np.fmod(x, np.abs(y) + 1)}


erf = np.vectorize(math.erf)


def math_zoo(src, dst, n, scale, grid):
    x = src[:n]
    size = np.abs(x)
    waves = np.sin(x) * np.cos(x * scale) / (np.exp(-size) + np.exp2(x / 4) + 1)
    gelu = x / 2 * (erf(x * np.sqrt(0.5)) + 1) / (np.sqrt(size) + 1 / np.sqrt(size + 1e-6) + np.sqrt(size + 3) + 1)
    return {"dst": waves + gelu + np.log(size + 1) - np.log2(size + 2) + np.floor(x) - np.ceil(1.5 * x) + 1 / (1 + np.exp(-x))}


def mixed_precision_fma(h, g, d, out, out16, n, grid):
    sums = f32(h[:n] * g[:n] + f32(d[:n]))
    return {"out": sums * d[:n], "out16": bf16(sums)}


def bw_float2(a, b, c, out, grid):
    return {"out": f32(a * b + c) + f32(a * b)}


def gl_map_and_math(src, dst, grid):
    x, up = src[:512], np.abs(src[:512]) + 1
    w = f32(np.where(x > 0, np.sqrt(np.abs(x)), -x) + np.sin(x) * np.cos(x) + np.log2(up) + erf(x) + 1 / np.sqrt(up))
    return {"dst": np.where(w > 1000, np.floor(w), np.ceil(w))}


def noinline_helper(src, dst, n, slope, grid):
    leaky = np.where(src[:n] < 0, src[:n] * slope, src[:n])
    return {"dst": np.array([leaky[program :: grid[0]].sum() for program in range(grid[0])])}


def gl_control_flow(src, dst, n, mode, grid):
    out = np.zeros(512 * grid[0])
    for program in range(grid[0]):
        total = np.zeros(512)
        for start in range(512 * program, n, 2048):
            v = np.zeros(512)
            v[: max(0, min(512, n - start))] = src[start : min(start + 512, n)]
            if mode in (0, 1):
                total = total + v if mode == 0 else np.maximum(total, v)
            elif start > 256:
                total = total - np.abs(v)
        for _ in range(mode):
            total = f32(total / 2 + np.sqrt(np.abs(total)))
        for factor in (1, 2):
            total = total + factor * (total * total + total)
        out[512 * program :][:512] = total
    return {"dst": out}


def n_approx_div(x, y, n, grid):
    with np.errstate(divide="ignore"):
        return {"x": x[:n] / y[:n]}


def n_cat(x, y, grid):
    return {"y": 2 * np.concatenate([x[:256], y[:256]])}


def n_inline_asm(x, grid):
    # Each thread loads the bits of the first element from shared memory.
    w = 2 * x[:512].astype(np.float32)
    return {"x": w + np.float32(w[:1].view(np.int32)[0])}


def n_cache_policy(x, y, grid):
    return {"x": x[:512] + y[:512]}


def n_cluster(x, n, grid):
    y = x[:1024].copy()
    y[:n] += 1
    return {"x": y}


# Atomic updates. What a program sees of those of others depends on their order.


def atomic_zoo(counters, wide, floats, src, out, n, grid):
    v = src[:n].astype(np.int64)
    c, wide, floats = counters[:64].astype(np.int64), wide.copy(), floats.copy()
    np.add.at(c, v % 16, 1)
    np.maximum.at(c, 16 + v % 16, v)
    np.minimum.at(c, 32 + v % 16, v)
    c[48] = np.bitwise_and.reduce(v, initial=c[48])
    c[49] = np.bitwise_or.reduce(v, initial=c[49])
    c[50] = np.bitwise_xor.reduce(v, initial=c[50])
    np.add.at(wide, v % 8, v)
    np.maximum.at(floats, v % 8, v.astype(np.float64))
    return {"counters": c, "wide": wide, "floats": floats}


def gl_atomics(counters, floats, src, out, n, grid):
    v = src[:n].astype(np.int64)
    c, floats = counters[:64].astype(np.int64), floats.copy()
    np.add.at(c, v % 16, v)
    np.maximum.at(c, 16 + v % 16, v)
    np.bitwise_and.at(c, 32 + v % 16, v)
    np.add.at(floats, v % 16, v.astype(np.float64))
    return {"counters": c, "floats": floats}


def amd_buffer_atomics(ints, uints, halves, floats, src, n, grid):
    v, i, h, f = src[:n].astype(np.int64), ints[:512].astype(np.int64), halves.copy(), floats.copy()
    i[:n] = (np.minimum(np.maximum(i[:n], v), v) & v | v) ^ v
    swapped, i[:n], i[n:] = i.copy(), v, 0
    u = uints[:512].astype(np.int64)
    u[:n] += swapped[:n]
    h[:n] = f16(h[:n] + f16(v))
    f[:n] += v
    return {"ints": i, "uints": u, "halves": h, "floats": f}


def amd_buffer_atomic_bf16(dst, src, grid):
    return {"dst": bf16(dst[:512] + src[:512])}


def embedding_scatter_add_f16(ids, grad, table, dim, grid):
    columns = tiles(dim, 128, grid[1])
    table = table.copy()
    for token in range(grid[0]):
        row = table[ids[token] * dim :][:columns]
        row[...] = f16(row + grad[token * dim :][:columns])
    return {"table": table}


def n_atomics(f, x, y, grid):
    # What is not what the second poll waits for is not loaded: it is zero.
    made = x[:256].astype(np.int64)
    made[:100] = np.where(made[:100] == 3, 4, 1)
    return {"x": made}
