"""What kernels of the corpus mean, in NumPy: one function each, named after the kernel.

A function takes the kernel's arguments by their names (buffers flat, as they are before the run, floats as float64) and
`grid`, and gives the buffers that it changes. It is written from the kernel's meaning, in float64; a rounding that the
kernel asks for in between (`f16`) is a part of that. Elements that it does not write keep their value.
"""
import numpy as np
from numpy.lib.stride_tricks import as_strided


def matrix(buffer, rows, columns, stride):
    """A view of the first elements of each row; rows may overlap."""
    size = buffer.itemsize
    return as_strided(buffer, (rows, columns), (stride * size, size))


def f16(x):
    with np.errstate(over="ignore"):
        return np.asarray(x).astype(np.float16).astype(np.float64)


def tf32(x):
    """Matrix units of NVIDIA, and of gfx942, drop the low 13 bits."""
    bits = np.asarray(x, np.float32).view(np.uint32) & np.uint32(0xFFFFE000)
    return bits.view(np.float32).astype(np.float64)


def tiles(extent, block, programs):
    """How far `programs` blocks reach into an extent."""
    return min(extent, block * programs)


# Elementwise and data movement.


def vec_add(a, b, out, n, grid):
    return {"out": a[:n] + b[:n]}


def vec_add_f16x8(a, b, out, n, grid):
    return {"out": f16(a[:n] + b[:n])}


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


# Reductions and scans.


def layernorm_fwd(x, w, b, y, mean, rstd, stride, cols, eps, grid):
    rows = matrix(x, grid[0], cols, stride)
    mu = rows.mean(axis=1)
    inverse = 1 / np.sqrt(((rows - mu[:, None]) ** 2).mean(axis=1) + eps)
    y = y.copy()
    matrix(y, grid[0], cols, stride)[...] = f16((rows - mu[:, None]) * inverse[:, None] * w[:cols] + b[:cols])
    return {"mean": mu, "rstd": inverse, "y": y}


def cumulative(x, up, down, prod, ints, grid):
    block = x.reshape(grid[0], 8, 64)
    return {
        "up": block.cumsum(axis=2).ravel(),
        "down": block[:, :, ::-1].cumsum(axis=2)[:, :, ::-1].ravel(),
        "prod": block.cumprod(axis=2).ravel(),
        "ints": (block > 0).cumsum(axis=1).ravel(),
    }


def arg_reduce(x, best, where_, worst, rows, cols, grid):
    count = tiles(rows, 4, grid[0])
    block = np.full((count, 256), -1e9)
    block[:, :cols] = matrix(x, count, cols, cols)
    # Of equal ones the first is the best and the last the worst.
    return {"best": block.max(axis=1), "where_": 2 * block.argmax(axis=1), "worst": 255 - block[:, ::-1].argmin(axis=1)}


def softmax_row(x, y, row_stride, cols, grid):
    rows = matrix(x, grid[0], cols, row_stride)
    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    y = y.copy()
    matrix(y, grid[0], cols, row_stride)[...] = f16(e / e.sum(axis=1, keepdims=True))
    return {"y": y}


# Products. Programs number the tiles of c in groups, so which are computed follows from their number alone when all are.


def product(a, b, c, M, N, K, sam, sbk, scm, read=lambda x: x, write=lambda x: x):
    c = c.copy()
    matrix(c, M, N, scm)[...] = write(read(matrix(a, M, K, sam)) @ read(matrix(b, K, N, sbk)))
    return {"c": c}


def matmul_f16(a, b, c, M, N, K, sam, sbk, scm, grid):
    return product(a, b, c, M, N, K, sam, sbk, scm, write=f16)


matmul_f16_small = matmul_nopipe = matmul_fp8 = matmul_f16


def matmul_f64(a, b, c, M, N, K, sam, sbk, scm, grid):
    return product(a, b, c, M, N, K, sam, sbk, scm)


matmul_bf16 = matmul_f32_ieee = matmul_f32_tf32x3 = matmul_f64


def matmul_i8(a, b, c, M, N, K, sam, sbk, scm, grid):
    return product(a.astype(np.int64), b.astype(np.int64), c, M, N, K, sam, sbk, scm)


def matmul_f32(a, b, c, M, N, K, sam, sbk, scm, grid, target):
    return product(a, b, c, M, N, K, sam, sbk, scm, read=tf32 if target.startswith("cuda") or target == "hip-gfx942" else lambda x: x)


def matmul_split_k(a, b, c, M, N, K, grid):
    rows, columns = tiles(M, 64, grid[0]), tiles(N, 64, grid[1])
    # Part p adds the columns of a in every fourth block of 64, from block p on.
    block = np.arange(K) // 64
    times = sum((block >= part) & (block % 4 == part % 4) for part in range(grid[2]))
    c = c.copy()
    matrix(c, rows, columns, N)[...] += matrix(a, rows, K, K) * times @ matrix(b, K, columns, N)
    return {"c": c}


# Attention.


def flash_fwd(q, k, v, out, lse, scale, H, T, stride_h, stride_t, grid):
    width = 64
    out, lse = out.copy(), lse.copy()
    for head in range(grid[1]):
        at = head * stride_h
        rows = tiles(T, 128, grid[0])
        Q, K, V = (matrix(x[at:], rows, width, stride_t) for x in (q, k, v))
        s = np.where(np.tri(rows, dtype=bool), Q @ K.T * scale, -np.inf)
        peak = s.max(axis=1, keepdims=True)
        p = np.exp(s - peak)
        matrix(out[at:], rows, width, stride_t)[...] = f16(p @ V / p.sum(axis=1, keepdims=True))
    return {"out": out}


flash_fwd_causal = flash_fwd


def flash_bwd_delta(o, do, delta, T, stride_h, stride_t, grid):
    delta = delta.copy()
    rows = tiles(T, 128, grid[0])
    for head in range(grid[1]):
        O, D = (matrix(x[head * stride_h :], rows, 64, stride_t) for x in (o, do))
        delta[head * T : head * T + rows] = (O * D).sum(axis=1)
    return {"delta": delta}


def flash_bwd_dkdv(q, k, v, do, lse, delta, scale, T, stride_h, stride_t, dk, dv, grid):
    dk, dv = dk.copy(), dv.copy()
    for head in range(grid[1]):
        at = head * stride_h
        for first in range(0, 64 * grid[0], 64):
            # Rows come 32 at a time from the block's own on: the last ones may lie beyond T.
            end = first + max(0, -(-(T - first) // 32)) * 32
            K, V = (matrix(x[at + first * stride_t :], 64, 64, stride_t) for x in (k, v))
            Q, D = (matrix(x[at + first * stride_t :], end - first, 64, stride_t) for x in (q, do))
            l, d = (x[head * T + first : head * T + end] for x in (lse, delta))
            seen = np.arange(first, end)[None, :] >= np.arange(first, first + 64)[:, None]
            with np.errstate(over="ignore", invalid="ignore"):
                p = np.where(seen, np.exp2(K @ Q.T * scale - l), 0)
                ds = p * (V @ D.T - d)
                matrix(dv[at + first * stride_t :], 64, 64, stride_t)[...] = f16(f16(p) @ D)
                matrix(dk[at + first * stride_t :], 64, 64, stride_t)[...] = f16(f16(ds) @ Q * scale)
    return {"dk": dk, "dv": dv}
