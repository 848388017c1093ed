"""Kernels that reduce, scan or sort."""
import numpy as np
from arithmetic import bf16, f16, f32, matrix, tiles


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


def gl_auto_layout(src, dst, grid):
    return {"dst": (src[:4096].reshape(64, 64) + 0.5).sum(axis=1)}


def gl_histogram_gather_scan(src, bins, picked, scan, n, grid):
    v = np.zeros(256, np.int64)
    v[:n] = src[:n]
    seen = v[:n]
    return {"bins": np.bincount(seen[(seen >= 0) & (seen < 64)], minlength=64), "picked": v[::-1], "scan": v.cumsum()}


def sort_and_topk(x, out, top, grid):
    rows = -np.sort(-x[: 256 * grid[0]].reshape(-1, 64), axis=1)
    return {"out": rows.ravel(), "top": rows[:, :8].ravel()}


def nv_ws_results(src, out, hits, n, grid):
    padded = np.zeros(-(-n // 256) * 256)
    padded[:n] = src[:n]
    sums = padded.reshape(-1, 256).sum(axis=0)
    hits = hits.astype(np.int64)
    hits[: min(n, 128)] += 1
    hits[: min(n, 256)] += 1
    return {"out": np.array([sums.sum(), sums.max()]), "hits": hits}
