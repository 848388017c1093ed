#!/usr/bin/env python3
"""Compiles a spread of kernels with the Triton at hand, and keeps the IR of each stage.

Usage: spelling_kernels.py FOLDER [KERNEL...]. Writes `<target>/<kernel>.{source,ttir,ttgir}`. A
kernel that this Triton cannot compile for a target leaves the stages that it came to.
"""
import glob
import os
import shutil
import signal
import sys

TARGETS = [("cuda", 80, 32), ("cuda", 90, 32), ("cuda", 100, 32), ("cuda", 120, 32),
           ("hip", "gfx942", 64), ("hip", "gfx950", 64), ("hip", "gfx1100", 32),
           ("hip", "gfx1200", 32), ("hip", "gfx1250", 32)]


def kernels():
    """name -> (function, signature, constants, options)"""
    import triton
    import triton.language as tl
    found = {}

    def kernel(signature, constants=None, **options):
        def add(function):
            found[function.__name__] = (triton.jit(function), signature, constants or {}, options)
            return function
        return add

    @kernel({"x": "*fp32", "y": "*fp32", "n": "i32"}, {"B": 1024})
    def elementwise(x, y, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        v = tl.load(x + i, mask=i < n, other=0.0)
        w = tl.where(v > 0, tl.exp(v), tl.math.rsqrt(v * v + 1)) + tl.clamp(v, -1.0, 1.0)
        tl.store(y + i, w, mask=i < n)

    @kernel({"x": "*fp16", "y": "*fp32", "n": "i32"}, {"B": 256})
    def reductions(x, y, n, B: tl.constexpr):
        r = tl.arange(0, 16)[:, None]
        c = tl.arange(0, B)[None, :]
        v = tl.load(x + r * n + c).to(tl.float32)
        tl.store(y + tl.arange(0, 16), tl.sum(tl.softmax(v, 1), axis=1))
        tl.store(y + 16 + r * B + c, tl.cumsum(v, 1))
        tl.store(y + tl.arange(0, 16), tl.argmax(v, 1).to(tl.float32))

    @kernel({"x": "*i32", "y": "*i32"}, {"B": 128})
    def shapes(x, y, B: tl.constexpr):
        i = tl.arange(0, B)
        v = tl.load(x + i)
        a, b = tl.split(tl.join(v, v + 1))
        t = tl.trans(tl.reshape(a, (8, B // 8)))
        tl.store(y + i, tl.reshape(t, (B,)) + b)
        tl.store(y + tl.arange(0, 32), tl.histogram(v, 32))
        tl.store(y + i, tl.gather(v, i, 0))
        tl.store(y + tl.arange(0, 2 * B), tl.cat(v, a, can_reorder=True))
        tl.store(y + i, tl.sort(v))

    @kernel({"x": "*fp32", "y": "*i32", "z": "*bf16"}, {"B": 128})
    def atomics(x, y, z, B: tl.constexpr):
        i = tl.arange(0, B)
        v = tl.load(x + i, cache_modifier=".cg", eviction_policy="evict_first")
        tl.atomic_add(x + i, v, sem="relaxed")
        tl.atomic_max(y + i, i, scope="cta")
        tl.atomic_cas(y, 0, 1)
        tl.atomic_add(z + i, v.to(tl.bfloat16))
        tl.device_assert(v > 0, "positive")
        tl.device_print("v", v)

    @kernel({"x": "*fp32", "y": "*fp32"}, {"B": 128})
    def inline_assembly(x, y, B: tl.constexpr):
        i = tl.arange(0, B)
        v = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tl.load(x + i)],
                                      dtype=tl.float32, is_pure=True, pack=1)
        tl.store(y + i, tl.extra.cuda.libdevice.tanh(v))

    def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
        m = tl.program_id(0) * BM + tl.arange(0, BM)
        n = tl.program_id(1) * BN + tl.arange(0, BN)
        k = tl.arange(0, BK)
        pa = a + m[:, None] * K + k[None, :]
        pb = b + k[:, None] * N + n[None, :]
        acc = tl.zeros((BM, BN), tl.float32)
        for i in tl.range(0, K, BK):
            acc = tl.dot(tl.load(pa), tl.load(pb), acc)
            pa += BK
            pb += BK * N
        tl.store(c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty))

    sizes = {"M": "i32", "N": "i32", "K": "i32"}
    tiles = {"BM": 128, "BN": 128, "BK": 64}
    for name, ab, constants, options in [
            ("matmul_f16", "*fp16", tiles, {}),
            ("matmul_f16_w8", "*fp16", {**tiles, "BN": 256}, {"num_warps": 8}),
            ("matmul_f32", "*fp32", {"BM": 64, "BN": 64, "BK": 32}, {}),
            ("matmul_fp8", "*fp8e5", tiles, {}), ("matmul_i8", "*i8", tiles, {}),
            ("matmul_cluster", "*fp16", tiles, {"num_ctas": 2}),
            ("matmul_stages", "*fp16", tiles, {"num_stages": 4}),
            ("matmul_small", "*fp16", {"BM": 16, "BN": 16, "BK": 32}, {"num_warps": 1})]:
        if name == "matmul_i8":
            continue
        found[name] = (triton.jit(matmul), {"a": ab, "b": ab, "c": "*fp16", **sizes}, constants,
                       options)

    @kernel({"a": "*fp16", "b": "*fp16", "c": "*fp16", **sizes}, tiles)
    def matmul_block_pointer(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
                             BK: tl.constexpr):
        pa = tl.make_block_ptr(a, (M, K), (K, 1), (tl.program_id(0) * BM, 0), (BM, BK), (1, 0))
        pb = tl.make_block_ptr(b, (K, N), (N, 1), (0, tl.program_id(1) * BN), (BK, BN), (1, 0))
        pc = tl.make_block_ptr(c, (M, N), (N, 1), (tl.program_id(0) * BM, tl.program_id(1) * BN),
                               (BM, BN), (1, 0))
        acc = tl.zeros((BM, BN), tl.float32)
        for _ in range(0, K, BK):
            acc += tl.dot(tl.load(pa, boundary_check=(0, 1), padding_option="zero"), tl.load(pb))
            pa = tl.advance(pa, (0, BK))
            pb = tl.advance(pb, (BK, 0))
        tl.store(pc, acc.to(tl.float16), boundary_check=(0, 1))

    def matmul_descriptor(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                          WS: tl.constexpr):
        da = tl.make_tensor_descriptor(a, (M, K), (K, 1), (BM, BK))
        db = tl.make_tensor_descriptor(b, (N, K), (K, 1), (BN, BK))
        dc = tl.make_tensor_descriptor(c, (M, N), (N, 1), (BM, BN))
        for tile in tl.range(tl.program_id(0), M, tl.num_programs(0), flatten=True,
                             warp_specialize=WS):
            acc = tl.zeros((BM, BN), tl.float32)
            for k in range(0, K, BK):
                acc = tl.dot(da.load([tile * BM, k]), db.load([0, k]).T, acc)
            dc.store([tile * BM, 0], acc.to(tl.float16))

    for name, specialized, options in [("matmul_descriptor", False, {}),
                                       ("matmul_specialized", True, {}),
                                       ("matmul_descriptor_cluster", False, {"num_ctas": 2})]:
        found[name] = (triton.jit(matmul_descriptor),
                       {"a": "*fp16", "b": "*fp16", "c": "*fp16", **sizes},
                       {**tiles, "WS": specialized}, options)

    @kernel({"x": "*fp16", "y": "*fp16", "i": "*i32", "n": "i32"}, {"B": 64})
    def descriptor_rows(x, y, i, n, B: tl.constexpr):
        dx = tl.make_tensor_descriptor(x, (n, n), (n, 1), (1, B))
        dy = tl.make_tensor_descriptor(y, (n, n), (n, 1), (1, B))
        rows = tl.load(i + tl.arange(0, 32))
        dy.scatter(dx.gather(rows, 0), rows, 0)

    @kernel({"x": "*fp16", "y": "*fp16", "n": "i32"}, {"B": 64})
    def descriptor_atomics(x, y, n, B: tl.constexpr):
        dx = tl.make_tensor_descriptor(x, (n, n), (n, 1), (B, B))
        dy = tl.make_tensor_descriptor(y, (n, n), (n, 1), (B, B))
        dy.atomic_add([0, 0], dx.load([0, 0]))

    def scaled(a, sa, b, sb, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
               F: tl.constexpr, P: tl.constexpr):
        m, n = tl.arange(0, BM), tl.arange(0, BN)
        k, s = tl.arange(0, BK // P), tl.arange(0, BK // 32)
        va = tl.load(a + m[:, None] * (BK // P) + k[None, :])
        vb = tl.load(b + k[:, None] * BN + n[None, :])
        vsa = tl.load(sa + m[:, None] * (BK // 32) + s[None, :])
        vsb = tl.load(sb + n[:, None] * (BK // 32) + s[None, :])
        acc = tl.dot_scaled(va, vsa, F, vb, vsb, F)
        tl.store(c + m[:, None] * BN + n[None, :], acc)

    def scaled_lhs(a, sa, b, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                   F: tl.constexpr, P: tl.constexpr):
        m, n = tl.arange(0, BM), tl.arange(0, BN)
        k, s = tl.arange(0, BK // P), tl.arange(0, BK // 32)
        va = tl.load(a + m[:, None] * (BK // P) + k[None, :])
        vb = tl.load(b + tl.arange(0, BK)[:, None] * BN + n[None, :])
        vsa = tl.load(sa + m[:, None] * (BK // 32) + s[None, :])
        acc = tl.dot_scaled(va, vsa, F, vb, None, "bf16")
        tl.store(c + m[:, None] * BN + n[None, :], acc)

    for name, element, form, pack in [("scaled_mxfp8_by_bf16", "*fp8e5", "e5m2", 1),
                                      ("scaled_mxfp4_by_bf16", "*u8", "e2m1", 2)]:
        found[name] = (triton.jit(scaled_lhs),
                       {"a": element, "sa": "*u8", "b": "*bf16", "c": "*fp32"},
                       {"BM": 128, "BN": 128, "BK": 128, "F": form, "P": pack},
                       {"num_warps": 4})

    for name, element, form, pack in [("scaled_mxfp8", "*fp8e5", "e5m2", 1),
                                      ("scaled_mxfp4", "*u8", "e2m1", 2)]:
        found[name] = (triton.jit(scaled),
                       {"a": element, "sa": "*u8", "b": element, "sb": "*u8", "c": "*fp32"},
                       {"BM": 128, "BN": 128, "BK": 128, "F": form, "P": pack}, {})

    def attention(q, k, v, o, N, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                  WS: tl.constexpr):
        m = tl.program_id(0) * BM + tl.arange(0, BM)
        dk = tl.make_tensor_descriptor(k, (N, D), (D, 1), (BN, D))
        dv = tl.make_tensor_descriptor(v, (N, D), (D, 1), (BN, D))
        vq = tl.load(q + m[:, None] * D + tl.arange(0, D)[None, :])
        acc = tl.zeros((BM, D), tl.float32)
        high = tl.zeros((BM,), tl.float32) - float("inf")
        total = tl.zeros((BM,), tl.float32)
        for j in tl.range(0, N, BN, warp_specialize=WS):
            s = tl.dot(vq, dk.load([j, 0]).T)
            new = tl.maximum(high, tl.max(s, 1))
            p = tl.math.exp2(s - new[:, None])
            scale = tl.math.exp2(high - new)
            total = total * scale + tl.sum(p, 1)
            acc = tl.dot(p.to(tl.float16), dv.load([j, 0]), acc * scale[:, None])
            high = new
        tl.store(o + m[:, None] * D + tl.arange(0, D)[None, :],
                 (acc / total[:, None]).to(tl.float16))

    for name, specialized in [("attention", False), ("attention_specialized", True)]:
        found[name] = (triton.jit(attention),
                       {"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp16", "N": "i32"},
                       {"D": 64, "BM": 128, "BN": 64, "WS": specialized}, {})
    return found


def compile_one(found, name, backend, arch, warp):
    import triton
    from triton.backends.compiler import GPUTarget
    function, signature, constants, options = found[name]
    # A constant is named in the signature, too.
    signature = {**signature, **{key: "constexpr" for key in constants}}
    order = {key: signature[key] for key in function.arg_names}
    source = triton.compiler.ASTSource(function, order, constants)
    triton.compile(source, target=GPUTarget(backend, arch, warp), options=options)


def run_apart(work, log, seconds):
    """Whether `work` came to its end in a process of its own; its output is in the file `log`."""
    child = os.fork()
    if child == 0:
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        signal.alarm(seconds)
        try:
            work()
        except BaseException as error:  # pylint: disable=broad-except
            print(error, flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def main():
    folder = os.path.abspath(sys.argv[1])
    dump, log = os.path.join(folder, "dump"), os.path.join(folder, "log")
    os.environ.update({"TRITON_KERNEL_DUMP": "1", "TRITON_DUMP_DIR": dump,
                       "TRITON_ALWAYS_COMPILE": "1",
                       "TRITON_CACHE_DIR": os.path.join(folder, "cache")})
    try:
        found = kernels()
    except ImportError as error:
        print(f"no Triton in {sys.executable}: {error}")
        sys.exit(77)
    only = sys.argv[2:]
    for backend, arch, warp in TARGETS:
        target = os.path.join(folder, f"{backend}-{arch}")
        os.makedirs(target, exist_ok=True)
        for name in found:
            if only and name not in only:
                continue
            shutil.rmtree(dump, ignore_errors=True)
            done = run_apart(lambda: compile_one(found, name, backend, arch, warp), log, 60)
            kept = []
            for path in glob.glob(os.path.join(dump, "*", "*")):
                stage = path.rsplit(".", 1)[1]
                if stage in ("source", "ttir", "ttgir"):
                    shutil.copy(path, os.path.join(target, f"{name}.{stage}"))
                    kept.append(stage)
            with open(log, errors="replace") as lines:
                said = "" if done else (lines.read().strip().splitlines() or ["it died"])[-1]
            print(f"{backend}-{arch} {name}: {' '.join(sorted(kept))} {said[:100]}", flush=True)
    for scratch in (dump, os.path.join(folder, "cache")):
        shutil.rmtree(scratch, ignore_errors=True)
    os.remove(log)


if __name__ == "__main__":
    main()
