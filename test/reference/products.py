"""Products of matrices. Programs number the tiles of c in groups, so which are computed follows from their number alone when
all are."""
import numpy as np
from arithmetic import bf16, e2m1, e2m1_packed, e8m0, f16, fp8, fp8_nearest, matrix, tf32, tiles, whole


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


def matmul_inner_ws(a, b, c, M, N, K, grid):
    return product(a, b, c, tiles(M, 128, grid[0]), tiles(N, 128, grid[1]), K, K, N, N, write=f16)


def matmul_batched_3d(a, b, c, M, N, K, grid):
    rows, columns, used = 32 * grid[0], 32 * grid[1], whole(K, 32)
    c = c.copy()
    for batch in range(4 * grid[2]):
        A, B = matrix(a[batch * M * K :], rows, used, K), matrix(b[batch * K * N :], used, columns, N)
        matrix(c[batch * M * N :], rows, columns, N)[...] = f16(A @ B)
    return {"c": c}


def unmasked(step):
    """A product whose tiles of 64 by 64 and steps along K have no mask."""

    def kernel(a, b, c, M, N, K, grid):
        return product(a, b, c, 64 * grid[0], 64 * grid[1], whole(K, step), K, N, N)

    return kernel


amd_direct_to_lds_matmul = amd_mfma_matmul_m16 = amd_mfma_matmul_m32 = unmasked(64)
amd_wmma_matmul_f16 = unmasked(64)
amd_wmma_matmul_fp8 = unmasked(128)


def gl_dot_fma(a, b, c, out, grid):
    A, B, C = (x[:1024].reshape(32, 32) for x in (a, b, c))
    return {"out": (A @ B + C).ravel()}


def n_mfma(a, b, c, grid):
    A = a[: 64 * 1024].reshape(64, 1024)
    total = sum(A[:, 64 * s : 64 * s + 64] @ b[65536 * s :][:4096].reshape(64, 64) for s in range(16))
    return {"c": total.ravel()}


nv_ws_wgmma = nv_wgmma_matmul_f16


def nv_wgmma_async(da, db, dc, K, shapes, grid):
    return product_of_descriptors(da, db, dc, K, shapes, 64, lambda x: x)


nv_wgmma_async_lhs_regs = nv_wgmma_async


def product_with_transposed(step, write):
    def kernel(da, db, dc, K, shapes, grid):
        transposed = db.reshape(shapes["db"]).T
        return product_of_descriptors(da, transposed.ravel(), dc, K, shapes | {"db": transposed.shape}, step, write)

    return kernel


nv_wgmma_matmul_bf16_trans = product_with_transposed(64, bf16)
bw_tcgen05_matmul_fp8 = product_with_transposed(128, f16)


def bw_ws_persistent_matmul(da, db, dc, K, tiles_n, tiles, shapes, grid):
    full = product_of_descriptors(da, db, dc, K, shapes, 64, f16)["dc"].reshape(shapes["dc"])
    c = dc.reshape(shapes["dc"]).copy()
    for tile in range(tiles):
        rows, columns = (slice(128 * n, 128 * n + 128) for n in divmod(tile, tiles_n))
        c[rows, columns] = full[rows, columns]
    return {"dc": c.ravel()}


# Microscaled products: a scale for 32 elements along K of each row of a and each column of b.


def scaled_product(A, B, sa, sb):
    return (A * np.repeat(e8m0(sa), 32, axis=1)) @ (B * np.repeat(e8m0(sb), 32, axis=1).T)


def matmul_scaled(packing):
    def kernel(a, b, sa, sb, c, M, N, K, grid):
        rows, columns, used = 128 * grid[0], 128 * grid[1], whole(K, 128)
        A, B = (matrix(x, count, used // packing, K // packing) for x, count in ((a, rows), (b, columns)))
        if packing == 2:
            A, B = e2m1(A, 1), e2m1(B, 1)
        scales = (matrix(x, count, used // 32, K // 32) for x, count in ((sa, rows), (sb, columns)))
        c = c.copy()
        matrix(c, rows, columns, N)[...] = scaled_product(A, B.T, *scales)
        return {"c": c}

    return kernel


matmul_scaled_mxfp4 = matmul_scaled(2)
matmul_scaled_mxfp8 = matmul_scaled_mxfp8_e5 = matmul_scaled(1)


def bw_mma_scaled(da, db, sa, sb, out, shapes, read):
    padded = np.zeros((2, 128, 128))
    for to, buffer, name in zip(padded, (da, db), ("da", "db")):
        rows, columns = (min(size, 128) for size in shapes[name])
        to[:rows, :columns] = buffer.reshape(shapes[name])[:rows, :columns]
    A, B = read(padded[0]), read(padded[1])
    scales = (x[: 128 * (A.shape[1] // 32)].reshape(128, -1) for x in (sa, sb))
    return {"out": scaled_product(A, B.T, *scales).ravel()}


def bw_mma_scaled_mxfp8(da, db, sa, sb, out, shapes, grid):
    return bw_mma_scaled(da, db, sa, sb, out, shapes, lambda x: x)


def bw_mma_scaled_mxfp4(da, db, sa, sb, out, shapes, grid):
    return bw_mma_scaled(da, db, sa, sb, out, shapes, lambda x: e2m1(x.astype(np.int64), 1))


def small_scaled(a, b, sa, sb, read_a, read_b, rounds):
    A, B = read_a(a.reshape(32, -1)), read_b(b.reshape(-1, 32))
    total = scaled_product(A, B, sa[:128].reshape(32, 4), sb[:128].reshape(32, 4))
    return {"out": (total + (A @ B if rounds == 2 else 0)).ravel()}


def amd_mfma_scaled_mxfp4(a, b, sa, sb, out, grid):
    return small_scaled(a, b, sa, sb, lambda x: e2m1(x, 1), lambda x: e2m1(x, 0), 2)


def amd_mfma_scaled_mxfp8(a, b, sa, sb, out, grid):
    return small_scaled(a, b, sa, sb, lambda x: fp8(x, "E4M3FN"), lambda x: fp8(x, "E4M3FN"), 2)


def amd_wmma_scaled_mxfp4(a, b, sa, sb, out, grid):
    return small_scaled(a, b, sa, sb, lambda x: e2m1(x, 1), lambda x: e2m1(x, 0), 1)


def matmul_grouped(pa, pb, pc, sizes, groups, sms, grid):
    made, first = {}, 0
    for group in range(groups):
        M, N, K = (int(size) for size in sizes[3 * group : 3 * group + 3])
        columns, count = -(-N // 64), -(-M // 64) * -(-N // 64)
        # Tiles of all groups are numbered; programs take every sms-th of them.
        taken = [tile for tile in range(count) if (first + tile) % sms < grid[0]]
        first += count
        if not taken:
            continue
        c = pc[group].copy()
        for tile in taken:
            row, column = (64 * n for n in divmod(tile, columns))
            height, width = min(64, M - row), min(64, N - column)
            A, B = matrix(pa[group][row * K :], height, K, K), matrix(pb[group][column:], K, width, N)
            matrix(c[row * N + column :], height, width, N)[...] = f16(A @ B)
        made[f"pc.{group}"] = c
    return made


def n_downcast_fp4(x, s, o, grid):
    scaled = x[:8192].reshape(256, 32) / e8m0(s[:256])[:, None]
    return {"o": e2m1_packed(scaled).ravel()}


def n_downcast_fp8(x, s, o, grid):
    return {"o": fp8_nearest(x[:8192].reshape(256, 32) / e8m0(s[:256])[:, None], "E4M3FN").ravel()}
