"""Random products for Blackwell's tensor core, compiled by the Triton of this Python.

Half are Gluon's, with layouts of every swizzle, pairs and clusters of CTAs, multicast, TMA and scales; half are Triton's
own (`products.py`), pipelined by its compiler. The kernels are compiled only, for sm_100: what is in memory does not matter.
"""
import concurrent.futures
import multiprocessing
import random

import products
from products import quiet
from triton.backends.compiler import GPUTarget
from triton.compiler import compile as compile_kernel
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.blackwell import tma
from triton.experimental.gluon.language.nvidia.hopper import mbarrier

TARGET = GPUTarget("cuda", 100, 32)
TYPES = {"fp16": 16, "bf16": 16, "fp32": 32, "fp8e4nv": 8, "fp8e5": 8}
FORMATS = {"e4m3": ("fp8e4nv", 1), "e5m2": ("fp8e5", 1), "e2m1": ("u8", 2)}


@gluon.jit
def product(pa, pb, steps, LA: gl.constexpr, LB: gl.constexpr, LD: gl.constexpr, LBAR: gl.constexpr, LT: gl.constexpr,
            M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, COPIES: gl.constexpr, MULTICAST: gl.constexpr,
            COUNT: gl.constexpr, REGISTERS: gl.constexpr, ACC: gl.constexpr, BARS: gl.constexpr, DONES: gl.constexpr):
    """Loops over K; operands come by TMA if COPIES, and a goes through tensor memory if REGISTERS has its layouts."""
    bar = gl.allocate_shared_memory(gl.int64, [BARS], LBAR)
    done = gl.allocate_shared_memory(gl.int64, [DONES], LT)
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=COUNT)
    a = gl.allocate_shared_memory(pa.dtype.element_ty, [M, K], LA)
    b = gl.allocate_shared_memory(pb.dtype.element_ty, [K, N], LB)
    d = blackwell.allocate_tensor_memory(ACC, [M, N], LD)
    phase = 0
    if COPIES:
        da = tma.make_tensor_descriptor(pa, [M, K * 16], [K * 16, 1], [M, K], LA)
        db = tma.make_tensor_descriptor(pb, [K * 16, N], [N, 1], [K, N], LB)
    for i in range(steps):
        if COPIES:
            mbarrier.expect(bar, da.nbytes_per_cta + db.nbytes_per_cta)
            tma.async_load(da, [0, i * K], bar, a, multicast=MULTICAST)
            tma.async_load(db, [i * K, 0], bar, b, multicast=MULTICAST)
            mbarrier.wait(bar, phase)
        if REGISTERS is not None:
            x = a.load(REGISTERS[0])
            t = blackwell.allocate_tensor_memory(pa.dtype.element_ty, [M, K], REGISTERS[1], x)
            blackwell.tcgen05_mma(t, b, d, use_acc=i > 0, multicast=MULTICAST, mbarriers=[done])
        else:
            blackwell.tcgen05_mma(a, b, d, use_acc=i > 0, multicast=MULTICAST, mbarriers=[done])
        mbarrier.wait(done, phase)
        phase ^= 1


@gluon.jit
def scaled(pa, pb, LA: gl.constexpr, LB: gl.constexpr, LD: gl.constexpr, LT: gl.constexpr, M: gl.constexpr,
           N: gl.constexpr, K: gl.constexpr, PA: gl.constexpr, PB: gl.constexpr, FA: gl.constexpr, FB: gl.constexpr,
           STYPE: gl.constexpr, BLOCK: gl.constexpr, LSCALES: gl.constexpr, COPIED: gl.constexpr):
    """One product of operands with scales, which tcgen05.cp brings if COPIED."""
    done = gl.allocate_shared_memory(gl.int64, [1], LT)
    mbarrier.init(done, count=1)
    a = gl.allocate_shared_memory(pa.dtype.element_ty, [M, K // PA], LA)
    b = gl.allocate_shared_memory(pb.dtype.element_ty, [N, K // PB], LB)
    d = blackwell.allocate_tensor_memory(gl.float32, [M, N], LD)
    scales: gl.constexpr = blackwell.TensorMemoryScalesLayout()
    s = blackwell.allocate_tensor_memory(STYPE, [M, K // BLOCK], scales)
    t = blackwell.allocate_tensor_memory(STYPE, [N, K // BLOCK], scales)
    if COPIED:
        blackwell.tcgen05_copy(gl.allocate_shared_memory(STYPE, [M, K // BLOCK], LSCALES[0]), s)
        blackwell.tcgen05_copy(gl.allocate_shared_memory(STYPE, [N, K // BLOCK], LSCALES[1]), t)
    blackwell.tcgen05_mma_scaled(a, b.permute((1, 0)), d, s, t, FA, FB, use_acc=False, mbarriers=[done])
    mbarrier.wait(done, 0)


def shared(shape, bits, swizzle, transposed, cga, padded=False):
    kwargs = {"cga_layout": cga} if cga else {}
    return gl.NVMMASharedLayout(swizzle, bits, 2, transposed, padded, **kwargs)


def swizzles(shape, bits, transposed):
    """Those whose width divides the contiguous dimension of a CTA's part."""
    contiguous = shape[0 if transposed else 1] * bits // 8
    return [width for width in (32, 64, 128) if contiguous % width == 0] or [0]


def tensor_memory(block, stride, cga=(), two_ctas=False):
    """What 3.9 says by bases of CTAs, and 3.6 by how often they split."""
    kwargs = {"two_ctas": True} if two_ctas else {}
    if cga:
        kwargs["cga_layout"] = list(map(list, cga))
    return blackwell.TensorMemoryLayout(block, col_stride=stride, **kwargs)


def barrier_layout(cga):
    return mbarrier.MBarrierLayout(cga_layout=cga) if cga else mbarrier.MBarrierLayout()


def draw_product(rng):
    kind = rng.choice(list(TYPES))
    bits = TYPES[kind]
    cluster = rng.choice(["one"] * 3 + ["pair", "pair of two pairs", "rows", "columns", "both"])
    two_ctas = "pair" in cluster
    # Of the CTAs' bits, along which dimension each splits the result.
    split = {"one": [], "pair": [(1, 0)], "pair of two pairs": [(1, 0), rng.choice([(1, 0), (0, 1)])], "rows": [(1, 0)],
             "columns": [(0, 1)], "both": [(1, 0), (0, 1)]}[cluster]
    own = [128 if two_ctas else rng.choice([64, 128]), rng.choice([16, 32, 64, 128, 256])]
    times = [1, 1]
    bases, of_a, of_b = [], [], []
    for at, basis in enumerate(split):
        dim = basis.index(1)
        bases.append([times[dim] if axis == dim else 0 for axis in (0, 1)])
        of_a.append([bases[-1][0], 0])
        of_b.append([0, bases[-1][1]])
        times[dim] *= 2
    if two_ctas:  # b is split between the CTAs of a pair
        of_b = [[0, 1]] + [[0, 2 * basis[1]] for basis in of_b[1:]]
    m, n = own[0] * times[0], own[1] * times[1]
    k = rng.choice([32, 64, 128]) * 16 // bits * (2 if bits == 32 else 1)
    transposed_a, transposed_b = (rng.random() < 0.5, rng.random() < 0.5) if bits == 16 else (False, True)
    part_b = own[1] // 2 if two_ctas else own[1]
    swizzle_a = rng.choice(swizzles([own[0], k], bits, transposed_a))
    swizzle_b = rng.choice(swizzles([k, part_b], bits, transposed_b))
    multicast = bool(split) and rng.random() < 0.5
    copies = not transposed_a and not transposed_b and rng.random() < 0.7
    accumulator = gl.float16 if kind == "fp16" and rng.random() < 0.3 else gl.float32
    bar = [[0]] + [[1 << at] for at in range(len(split) - 1)] if two_ctas else [[1 << at] for at in range(len(split))]
    done = [[1 << at] for at in range(len(split))]
    count = 1
    if multicast:
        count = sum(any(all(not (cta >> at & 1) or any(basis) for at, basis in enumerate(side)) for side in (of_a, of_b))
                    for cta in range(0, 1 << len(split), 2 if two_ctas else 1))
    constants = {"LA": shared([m, k], bits, swizzle_a, transposed_a, of_a), "LB": shared([k, n], bits, swizzle_b, transposed_b, of_b),
                 "LD": tensor_memory((own[0], own[1]), 2 if accumulator == gl.float16 else 1, bases, two_ctas),
                 "LBAR": barrier_layout(bar), "LT": barrier_layout(done), "M": m, "N": n, "K": k, "COPIES": copies,
                 "MULTICAST": multicast, "COUNT": count, "REGISTERS": None, "ACC": accumulator, "BARS": (1 << len(split)) // (2 if two_ctas else 1),
                 "DONES": 1 << len(split)}
    if cluster == "one" and own[0] == 128 and bits in (8, 16) and rng.random() < 0.3:
        registers = gl.BlockedLayout([1, k], [32, 1], [4, 1], [0, 1])
        constants["REGISTERS"] = (registers, tensor_memory((128, k), 1))
    return product, ["*" + kind, "*" + kind, "i32"], constants, {"num_warps": 4, "num_ctas": 1 << len(split)}


def draw_scaled(rng):
    formats = [rng.choice(list(FORMATS)) for _ in range(2)]
    if rng.random() < 0.4:
        formats = ["e2m1", "e2m1"]
    packed = formats == ["e2m1", "e2m1"]
    n, k = rng.choice([16, 32, 64, 128, 256]), rng.choice([128, 256])
    nvfp4 = packed and rng.random() < 0.5
    layouts, kinds = [], []
    for rows, name in ((128, formats[0]), (n, formats[1])):
        kind, pack = FORMATS[name]
        padded = pack == 2 and not packed
        width = 128 if padded else rng.choice(swizzles([rows, k // pack], 8, False))
        layouts.append(shared([rows, k // pack], 8, width, False, [], padded))
        kinds.append(kind)
    constants = {"LA": layouts[0], "LB": layouts[1], "LD": tensor_memory((128, n), 1), "LT": barrier_layout([]), "M": 128,
                 "N": n, "K": k, "PA": FORMATS[formats[0]][1], "PB": FORMATS[formats[1]][1], "FA": formats[0], "FB": formats[1],
                 "STYPE": gl.float8e4nv if nvfp4 else gl.int8, "BLOCK": 16 if nvfp4 else 32, "LSCALES": None, "COPIED": False}
    return scaled, ["*" + kind for kind in kinds], constants, {"num_warps": 4}


def compile_product(seed, folder):
    """The first product from this seed on that Triton compiles: TTGIR, LLVM IR and PTX beside each other."""
    if seed % 2:
        return products.compile_product(seed, "cuda-100", folder)[0]
    rng = random.Random(f"tensor core {seed}")
    for _ in range(50):
        try:  # a layout may be one that only a newer Triton has
            kernel, kinds, constants, options = (draw_scaled if rng.random() < 0.25 else draw_product)(rng)
            names = [name for name in kernel.arg_names if name not in constants]
            signature = {name: "constexpr" for name in kernel.arg_names} | dict(zip(names, kinds))
            attributes = {(at,): [["tt.divisibility", 16]] for at, kind in enumerate(kinds) if kind[0] == "*"}
            compiled = compile_kernel(GluonASTSource(kernel, signature, constants, attributes), target=TARGET, options=options)
        except Exception:  # pylint: disable=broad-except
            continue
        if compiled.metadata.shared > 227 * 1024:
            continue
        dump = folder / f"cuda-100-{seed:03}.ttgir"
        dump.write_text(compiled.asm["ttgir"])
        for stage in ("llir", "ptx"):
            dump.with_suffix("." + stage).write_text(compiled.asm[stage])
        return dump
    return None


def compile_products(seeds, folder, jobs):
    """The dumps that Triton made; a draw that it refuses fifty times in a row is left out."""
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, spawn, quiet) as pool:
        made = list(pool.map(compile_product, seeds, [folder] * len(seeds)))
    print(f"{sum(map(bool, made))} products of {len(made)} compiled by Triton")
    return list(filter(None, made))
