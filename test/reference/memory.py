"""Kernels that move tiles through shared or tensor memory, by threads, TMA or AMD's copies."""
import numpy as np
from arithmetic import bf16, f16, matrix, tiles


def gl_smem_linear(src, dst, grid):
    return {"dst": src[:1024]}


def gl_smem_padded(src, dst, grid):
    return {"dst": src[:4096].reshape(64, 64).T.ravel()}


gl_smem_padded_two = gl_smem_padded


def gl_smem_reinterpret(src, dst, grid):
    return {"dst": src[:512] + 1}


def gl_smem_views(src, dst, part, grid):
    return {"dst": src[:4096], "part": src[4096 + 32 * 64 : 4096 + 64 * 64]}


def gl_transpose(src, dst, nr, nc, grid):
    rows, columns = tiles(nr, 64, grid[0]), tiles(nc, 64, grid[1])
    dst = dst.copy()
    matrix(dst, columns, rows, nr)[...] = matrix(src, rows, columns, nc).T
    return {"dst": dst}


def nv_async_copy(src, dst, nr, nc, grid):
    rows = tiles(nr, 32, grid[0])
    return {"dst": 2 * src[: rows * nc]}


def nv_tma_add(da, db, dc, nc, shapes, grid):
    rows = tiles(shapes["dc"][0], 64, grid[0])
    columns = tiles(shapes["dc"][1], 64, -(-nc // 64))
    made = dc.reshape(shapes["dc"]).copy()
    made[:rows, :columns] = (da.reshape(shapes["da"]) + db.reshape(shapes["db"]))[:rows, :columns]
    return {"dc": made.ravel()}


def bw_tmem_copy(src, dst, grid):
    return {"dst": src[:8192]}


def bw_tmem_roundtrip(src, dst, grid):
    made = src[:16384].reshape(128, 128).copy()
    made[:, :64] *= 2
    return {"dst": made.ravel()}


bw_tmem_roundtrip_w8 = bw_tmem_roundtrip


def bw_scales_copy(src, dst, grid):
    # Tensor memory has 32 rows of scales in each lane's words of four, four columns of blocks at a time, once for each warp.
    lanes = src[:1024].reshape(2, 32, 4, 4).transpose(1, 2, 0, 3).reshape(32, 32)
    return {"dst": np.tile(lanes, (4, 1)).ravel()}


def scale_rows(table, ids, factor, columns):
    made = table.copy()
    made[ids, :columns] = bf16(table[ids, :columns] * factor)
    return made


def bw_tma_gather_scatter(table, ids, factor, shapes, grid):
    rows = table.reshape(shapes["table"])
    columns = tiles(shapes["table"][1], 64, grid[1])
    return {"table": scale_rows(rows, ids[: 32 * grid[0]], factor, columns).ravel()}


def desc_gather_scatter(table, ids, out, rows, cols, grid):
    columns = tiles(cols, 64, grid[1])
    named = ids[: 32 * grid[0]]
    named = named[(named >= 0) & (named < rows)]
    made, at = out.copy(), named.astype(np.int64)[:, None] * cols + np.arange(columns)
    made[at] = bf16(2 * table[at])
    return {"out": made}


def desc_reduce_f32(x, y, rows, cols, grid):
    made = y.copy()
    r, c = tiles(rows, 32, grid[0]), tiles(cols, 64, grid[1])
    matrix(made, r, c, cols)[...] += matrix(x, r, c, cols)
    return {"y": made}


def amd_buffer_ops(src, dst, n, grid):
    count = 4096 * grid[0]
    at = np.arange(count)
    a = src[:count]
    inside = np.where(at < n, at, 0)
    sums = f16(a + np.where(at < n, src[inside + 64], 0))
    return {"dst": np.where(at < n, f16(a - src[inside + 128]), sums)}


def amd_global_to_lds(src, dst, nr, grid):
    tile = src[: 4096 * grid[0]].reshape(-1, 64).copy()
    tile[:nr] *= 2
    return {"dst": f16(tile).ravel()}


def amd_tdm_copy_plain(src, dst, nr, nc, grid):
    rows = tiles(nr, 64, grid[0])
    made = dst.copy()
    made[: rows * nc] = f16(2 * src[: rows * nc])
    return {"dst": made}


amd_tdm_copy_padded = amd_tdm_copy_plain


def n_partitioned(x, grid):
    return {"x": f16(x[:4096] + 1)}


def n_tdm(x, grid):
    """It scatters the rows that it has gathered to where they were."""
    return {"x": x}


def n_tma(d, e, shapes, grid):
    tile, made = d.reshape(shapes["d"])[:64, :64], e.reshape(shapes["e"]).copy()
    rows, columns = made.shape
    for row, column, combine in ((0, 64, lambda old, new: new), (64, 0, lambda old, new: f16(old + new)), (64, 64, np.minimum)):
        part = made[row : row + 64, column : column + 64]
        padded = np.zeros((64, 64))
        padded[: tile.shape[0], : tile.shape[1]] = tile
        part[...] = combine(part, padded[: part.shape[0], : part.shape[1]])
    return {"e": made.ravel()}


def n_tmem(x, y, grid):
    return {"y": x[:8192] ** 2 + x[:8192]}


def n_clc(out, grid):
    # No cluster is left to take over.
    return {"out": out}
