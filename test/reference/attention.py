"""Attention, forward and backward."""
import numpy as np
from arithmetic import bf16, f16, matrix, tiles, whole


def causal(width):
    def kernel(q, k, v, out, lse, scale, H, T, stride_h, stride_t, grid):
        out, lse = out.copy(), lse.copy()
        for head in range(grid[1]):
            at = head * stride_h
            rows = tiles(T, 128, grid[0])
            Q, K, V = (matrix(x[at:], rows, width, stride_t) for x in (q, k, v))
            s = np.where(np.tri(rows, dtype=bool), Q @ K.T * scale, -np.inf)
            peak = s.max(axis=1, keepdims=True)
            p = np.exp(s - peak)
            total = p.sum(axis=1, keepdims=True)
            matrix(out[at:], rows, width, stride_t)[...] = f16(p @ V / total)
            # In base 2.
            lse[head * T :][:rows] = ((peak + np.log(total)) / np.log(2)).ravel()
        return {"out": out, "lse": lse}

    return kernel


flash_fwd_causal = causal(64)
flash_fwd_hd128 = causal(128)


def flash_desc(dq, dk, dv, do, scale, T, shapes, grid):
    Q, K, V = (x.reshape(shapes[name]) for x, name in ((dq, "dq"), (dk, "dk"), (dv, "dv")))
    made = do.reshape(shapes["do"]).copy()
    block = lambda x, first, count: np.vstack([x[first : first + count], np.zeros((max(0, first + count - len(x)), x.shape[1]))[:count]])
    for head in range(grid[1]):
        keys = [block(x, head * T, whole(T, 64)) for x in (K, V)]
        for first in range(head * T, head * T + 128 * grid[0], 128):
            s = block(Q, first, 128) @ keys[0].T * scale
            p = np.exp2(s - s.max(axis=1, keepdims=True))
            part = made[first : first + 128]
            part[...] = f16(p @ keys[1] / p.sum(axis=1, keepdims=True))[: len(part)]
    return {"do": made.ravel()}


flash_desc_plain = flash_desc_ws = flash_desc_ws_hopper = flash_desc


def paged_decode(q, kc, vc, out, tables, lens, scale, heads, kv_heads, maxb, grid):
    out = out.copy()
    group = min(heads // kv_heads, 16)
    for sequence in range(grid[0]):
        length = lens[sequence]
        token = np.arange(length)
        page = tables[sequence * maxb + token // 16].astype(np.int64)
        for head in range(grid[1]):
            at = ((page * 16 + token % 16) * kv_heads + head)[:, None] * 128 + np.arange(128)
            rows = (sequence * heads + head * (heads // kv_heads)) * 128
            s = matrix(q[rows:], group, 128, 128) @ kc[at].T * scale
            p = np.exp(s - s.max(axis=1, keepdims=True))
            matrix(out[rows:], group, 128, 128)[...] = bf16(p @ vc[at] / p.sum(axis=1, keepdims=True))
    return {"out": out}


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
