"""Kernels of the kinds that are lowered today, in many element types, sizes and numbers of warps.

`kernels()` gives (name, function, signature, constants, options); the bodies are Triton's Python.
"""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    live = i < n
    total = tl.load(x + i, mask=live) + tl.load(y + i, mask=live)
    tl.store(out + i, total.to(out.dtype.element_ty), mask=live)


@triton.jit
def convert(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, (tl.load(x + i).to(tl.float32) * 2.0 + 1.0).to(out.dtype.element_ty))


@triton.jit
def functions(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0.5).to(tl.float32)
    r = tl.exp(v) + tl.log(tl.abs(v) + 1.0) + tl.sin(v) * tl.cos(v) + tl.sqrt(tl.abs(v)) + tl.sigmoid(v)
    r += tl.floor(v) + tl.ceil(v) + tl.rsqrt(tl.abs(v) + 1.0) + tl.erf(v) + tl.exp2(v) + tl.fma(v, v, v)
    tl.store(out + i, r.to(out.dtype.element_ty), mask=i < n)


@triton.jit
def integers(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n, other=1)
    b = tl.load(y + i, mask=i < n, other=1)
    r = (a & b) + (a ^ b) + a // (b | 1) - a % (b | 1) + (a << 1) + (b >> 1)
    tl.store(out + i, tl.where(a > b, tl.minimum(r, a), tl.maximum(-r, b)), mask=i < n)


@triton.jit
def row_statistics(x, out, n, R: tl.constexpr, C: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R)
    c = tl.arange(0, C)
    v = tl.load(x + r[:, None] * n + c[None, :], mask=(c < n)[None, :], other=0.0).to(tl.float32)
    tl.store(out + r, tl.sum(v, 1) + tl.max(v, 1) - tl.min(v, 1))


@triton.jit
def column_sums(x, out, n, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.program_id(0) * C + tl.arange(0, C)
    v = tl.load(x + r[:, None] * n + c[None, :], mask=(c < n)[None, :], other=0.0).to(tl.float32)
    tl.store(out + c, tl.sum(v, 0), mask=c < n)


@triton.jit
def softmax(x, out, n, C: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, C)
    v = tl.load(x + r * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + r * n + c, (e / tl.sum(e, 0)).to(out.dtype.element_ty), mask=c < n)


@triton.jit
def layer_norm(x, scale, shift, out, n, C: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, C)
    v = tl.load(x + r * n + c, mask=c < n, other=0.0).to(tl.float32)
    d = tl.where(c < n, v - tl.sum(v, 0) / n, 0.0)
    y = d / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    y = y * tl.load(scale + c, mask=c < n) + tl.load(shift + c, mask=c < n)
    tl.store(out + r * n + c, y.to(out.dtype.element_ty), mask=c < n)


@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + m[:, None] * N + n[None, :], mask=(m < M)[:, None] & (n < N)[None, :])
    tl.store(out + n[:, None] * M + m[None, :], tl.trans(v), mask=(n < N)[:, None] & (m < M)[None, :])


@triton.jit
def matrix_vector(a, x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, N, BN):
        n = k + tl.arange(0, BN)
        v = tl.load(a + m[:, None] * N + n[None, :], mask=(m < M)[:, None] & (n < N)[None, :], other=0.0)
        total += v.to(tl.float32) * tl.load(x + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    tl.store(out + m, tl.sum(total, 1), mask=m < M)


@triton.jit
def lookup(table, index, out, D: tl.constexpr):
    r, d = tl.program_id(0), tl.arange(0, D)
    tl.store(out + r * D + d, tl.load(table + tl.load(index + r) * D + d))


@triton.jit
def steps(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=1)
    s = 0
    while s < n:
        v = v * 2 + 1
        s += B
        if s > 100:
            v = v + 7
    tl.store(out + i, v, mask=i < n)


@triton.jit
def gate(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    a = tl.load(x + i, mask=i < n, eviction_policy="evict_first").to(tl.float32)
    b = tl.load(y + i, mask=i < n, eviction_policy="evict_last").to(tl.float32)
    tl.store(out + i, (a * tl.sigmoid(a) * b).to(out.dtype.element_ty), mask=i < n, cache_modifier=".cs")


@triton.jit
def rotate(x, cos, sin, out, H: tl.constexpr):
    r, i = tl.program_id(0), tl.arange(0, H)
    a = tl.load(x + r * 2 * H + i).to(tl.float32)
    b = tl.load(x + r * 2 * H + H + i).to(tl.float32)
    c, s = tl.load(cos + r * H + i), tl.load(sin + r * H + i)
    tl.store(out + r * 2 * H + i, (a * c - b * s).to(out.dtype.element_ty))
    tl.store(out + r * 2 * H + H + i, (b * c + a * s).to(out.dtype.element_ty))


@triton.jit
def scan(x, out, n, C: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, C)
    tl.store(out + r * n + c, tl.cumsum(tl.load(x + r * n + c, mask=c < n, other=0).to(tl.float32), 0), mask=c < n)


@triton.jit
def greatest(x, out, n, C: tl.constexpr):
    r, c = tl.program_id(0), tl.arange(0, C)
    v = tl.load(x + r * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
    tl.store(out + r, tl.argmax(v, 0))


@triton.jit
def middle_sum(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    a, b, c = tl.arange(0, A), tl.arange(0, B), tl.arange(0, C)
    v = tl.load(x + a[:, None, None] * B * C + b[None, :, None] * C + c[None, None, :]).to(tl.float32)
    tl.store(out + a[:, None] * C + c[None, :], tl.sum(v, 1))


@triton.jit
def reshapes(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + i)
    tl.store(out + i, tl.reshape(tl.trans(tl.reshape(v, (16, B // 16))), (B,)))
    p, q = tl.split(tl.reshape(v, (B // 2, 2)))
    tl.store(out + B + tl.arange(0, B // 2), p + q)
    tl.store(out + 2 * B + i, tl.ravel(tl.join(p, q)))


@triton.jit
def atomics(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(out + i % 16, v, mask=i < n)
    tl.atomic_max(out + 16, tl.max(v, 0))


FLOATS = ["*fp32", "*fp16", "*bf16"]


def kernels():
    found = []

    def variant(function, types, constants, warps=4):
        """`types`: one for each argument that is no constant."""
        names = [name for name in function.arg_names if name not in constants]
        elements = dict.fromkeys(kind[1:] for kind in types if kind.startswith("*"))
        label = "_".join([function.__name__, *elements, *map(str, constants.values()), f"w{warps}"])
        found.append((label, function, dict(zip(names, types, strict=True)), constants, {"num_warps": warps}))

    for kind in [*FLOATS, "*fp64", "*i8", "*i16", "*i64"]:
        for block, warps in [(1024, 4), (64, 2), (4096, 8), (32, 1)]:
            variant(add, [kind, kind, kind, "i32"], {"B": block}, warps)
    for source, target in [("*fp8e5", "*fp16"), ("*fp16", "*fp8e5"), ("*fp32", "*bf16"), ("*fp8e4nv", "*fp32"),
                           ("*fp32", "*fp8e4nv"), ("*bf16", "*fp8e5")]:
        variant(convert, [source, target], {"B": 1024})
        variant(convert, [source, target], {"B": 256}, 8)
    for kind in ["*i32", "*i64", "*i8", "*i16", "*u32"]:
        variant(integers, [kind, kind, kind, "i32"], {"B": 512})
    for kind in FLOATS:
        variant(functions, [kind, kind, "i32"], {"B": 512})
        for rows, columns, warps in [(1, 1024, 4), (16, 128, 4), (64, 64, 8), (4, 2048, 2), (128, 16, 4)]:
            variant(row_statistics, [kind, "*fp32", "i32"], {"R": rows, "C": columns}, warps)
        for rows, columns, warps in [(64, 64, 4), (256, 32, 8), (32, 128, 1)]:
            variant(column_sums, [kind, "*fp32", "i32"], {"R": rows, "C": columns}, warps)
        for columns, warps in [(256, 1), (1024, 4), (8192, 8), (16384, 16)]:
            variant(softmax, [kind, kind, "i32"], {"C": columns}, warps)
        for rows, columns, warps in [(64, 64, 4), (32, 128, 4), (16, 16, 1), (128, 32, 8)]:
            variant(transpose, [kind, kind, "i32", "i32"], {"BM": rows, "BN": columns}, warps)
        variant(layer_norm, [kind, "*fp32", "*fp32", kind, "i32"], {"C": 2048}, 8)
        variant(matrix_vector, [kind, kind, "*fp32", "i32", "i32"], {"BM": 16, "BN": 256})
        variant(lookup, [kind, "*i32", kind], {"D": 256}, 2)
        variant(gate, [kind, kind, kind, "i32"], {"B": 2048}, 8)
        variant(rotate, [kind, "*fp32", "*fp32", kind], {"H": 64}, 2)
        variant(scan, [kind, "*fp32", "i32"], {"C": 1024})
        variant(greatest, [kind, "*i32", "i32"], {"C": 1024})
        variant(middle_sum, [kind, "*fp32"], {"A": 8, "B": 16, "C": 32})
        variant(reshapes, [kind, kind], {"B": 512})
    for kind in ["*i32", "*i64"]:
        variant(steps, [kind, kind, "i32"], {"B": 256})
    variant(atomics, ["*i32", "*i32", "i32"], {"B": 256})
    variant(atomics, ["*fp32", "*fp32", "i32"], {"B": 1024})
    return found
