"""What kernels of the corpus mean, in NumPy: one function each, named after the kernel.

A function takes the kernel's arguments by their names (buffers flat, as they are before the run, floats as float64) and
`grid`, and `shapes` of the buffers, and gives the buffers that it changes. It is written from the kernel's meaning, in float64; a rounding that the
kernel asks for in between (`f16`) is a part of that. Elements that it does not write keep their value. None: the stage has
other arguments, which are not known.
"""
import numpy as np
from numpy.lib.stride_tricks import as_strided


def matrix(buffer, rows, columns, stride):
    """A view of the first elements of each row; rows may overlap."""
    size = buffer.itemsize
    if rows and (rows - 1) * stride + columns > len(buffer):
        raise ValueError(f"{rows} rows of {columns}, {stride} apart, are not in a buffer of {len(buffer)}")
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


def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    rounded = bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1))
    return (rounded & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32).astype(np.float64)


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


# Reductions and scans.


def layernorm_fwd(x, w, b, y, mean, rstd, stride, cols, eps, grid):
    rows = matrix(x, grid[0], cols, stride)
    mu = rows.mean(axis=1)
    inverse = 1 / np.sqrt(((rows - mu[:, None]) ** 2).mean(axis=1) + eps)
    y = y.copy()
    matrix(y, grid[0], cols, stride)[...] = f16((rows - mu[:, None]) * inverse[:, None] * w[:cols] + b[:cols])
    return {"mean": mu, "rstd": inverse, "y": y}


def rmsnorm_residual(x, w, y, res, stride, cols, eps, grid):
    rows = matrix(x, grid[0], cols, stride) + matrix(res, grid[0], cols, stride)
    scale = 1 / np.sqrt((rows**2).sum(axis=1, keepdims=True) / cols + eps)
    res, y = res.copy(), y.copy()
    matrix(res, grid[0], cols, stride)[...] = bf16(rows)
    matrix(y, grid[0], cols, stride)[...] = bf16(rows * scale * w[:cols])
    return {"res": res, "y": y}


def column_stats(x, sums, peaks, lows, rows, cols, grid):
    count = tiles(cols, 64, grid[0])
    block = matrix(x, rows, count, cols)
    # Rows beyond the last are zeros.
    padded = block if rows % 64 == 0 else np.vstack([block, np.zeros((1, count))])
    return {"sums": block.sum(axis=0), "peaks": padded.max(axis=0), "lows": padded.min(axis=0)}


def gl_softmax(x, y, n, grid):
    rows = x[: 16 * grid[0] * n].reshape(-1, n)
    e = np.exp(rows - rows.max(axis=1, keepdims=True))
    return {"y": (e / e.sum(axis=1, keepdims=True)).ravel()}


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


def gemv(w, x, y, rows, cols, grid):
    count = tiles(rows, 16, grid[0])
    return {"y": matrix(w, count, cols, cols) @ x[:cols]}


def matmul_cluster2(a, b, c, M, N, K, sam, sbk, scm, grid):
    return product(a, b, c, M, N, K, sam, sbk, scm, write=f16)


def matmul_persistent_plain(a, b, c, M, N, K, sms, grid):
    c = c.copy()
    matrix(c, M, N, N)[...] = f16(matrix(a, M, K, K) @ matrix(b, N, K, K).T)
    return {"c": c}


matmul_persistent_ws = matmul_persistent_ws_hopper = matmul_persistent_plain


def nv_mma_v2_matmul_f16(a, b, c, M, N, K, grid):
    return product(a, b, c, tiles(M, 64, grid[0]), tiles(N, 128, grid[1]), K, K, N, N, write=f16)


def nv_mma_v2_matmul_bf16(a, b, c, M, N, K, grid):
    return product(a, b, c, tiles(M, 64, grid[0]), tiles(N, 128, grid[1]), K, K, N, N, write=bf16)


def matmul_block_ptr(a, b, c, M, N, K, grid):
    return product(a, b, c, M, N, K, K, N, N, write=f16)


def matmul_host_desc(da, db, dc, K, shapes, grid):
    if len(shapes["da"]) != 2:  # A pass has taken the descriptors apart.
        return None
    (rows, depth), (columns, _) = shapes["da"], shapes["db"]
    used = min(depth, -(-K // 64) * 64)
    A, B = da.reshape(rows, depth)[:, :used], db.reshape(columns, depth)[:, :used]
    c = dc.reshape(shapes["dc"]).copy()
    c[:rows, :columns] = f16(A @ B.T)[: c.shape[0], : c.shape[1]]
    return {"dc": c.ravel()}


matmul_host_desc_w8 = matmul_host_desc


def product_of_descriptors(da, db, dc, K, shapes, step, write):
    (rows, depth), (_, columns) = shapes["da"], shapes["db"]
    used = min(depth, -(-K // step) * step)
    A, B = da.reshape(rows, depth)[:, :used], db.reshape(-1, columns)[:used]
    c = dc.reshape(shapes["dc"]).copy()
    c[:rows, :columns] = write(A @ B)[: c.shape[0], : c.shape[1]]
    return {"dc": c.ravel()}


def nv_wgmma_matmul_f16(da, db, dc, K, shapes, grid):
    return product_of_descriptors(da, db, dc, K, shapes, 64, f16)


bw_tcgen05_matmul_f16 = bw_tcgen05_matmul_m64 = nv_wgmma_matmul_f16


def nv_cluster_wgmma(a, b, c, grid):
    return {"c": (a.reshape(64, 64) @ b.reshape(64, 256)).ravel()}


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
