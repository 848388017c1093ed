#!/usr/bin/env python3
"""Random kernels of clusters of up to 16 CTAs, multicast, st.async, im2col copies and launch control, which the corpora lack.

  cluster_kernels.py KERNELSCOPE --random 40 [--seed 0] [--keep FOLDER]

The Triton of this Python compiles them for sm_100. Our code and real Triton's run on the wave simulator and are compared with the executor, and
the constants of both with each other, as constants.py does. Not part of CI.
"""
import argparse
import collections
import json
import pathlib
import random
import tempfile

import constants
from tensor_core_kernels import TARGET
from tensor_core_numbers import judge
from triton.compiler import compile as compile_kernel
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.blackwell import clc, tma
from triton.experimental.gluon.language.nvidia.hopper import async_store, cluster, mbarrier

TYPES = {"fp16": 16, "bf16": 16, "fp32": 32, "i32": 32}


@gluon.jit
def place(layout: gl.constexpr, rows: gl.constexpr, columns: gl.constexpr):
    i = gl.arange(0, rows, gl.SliceLayout(1, layout))
    j = gl.arange(0, columns, gl.SliceLayout(0, layout))
    return i[:, None] * columns + j[None, :]


@gluon.jit
def im2col_3d(desc, out, n, w, c, ow: gl.constexpr, P: gl.constexpr, C: gl.constexpr, R: gl.constexpr, CAST: gl.constexpr):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    cluster.barrier() if gl.num_ctas() > 1 else None
    block = gl.allocate_shared_memory(desc.dtype, [P, C], desc.layout)
    mbarrier.expect(bar, desc.nbytes_per_cta)
    tma.async_load_im2col(desc, [n, w, c], [ow], bar, block, multicast=CAST)
    mbarrier.wait(bar, 0)
    gl.store(out + place(R, P, C), block.load(R))


@gluon.jit
def im2col_4d(desc, out, n, h, w, c, oh: gl.constexpr, ow: gl.constexpr, P: gl.constexpr, C: gl.constexpr, R: gl.constexpr,
              CAST: gl.constexpr):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    cluster.barrier() if gl.num_ctas() > 1 else None
    block = gl.allocate_shared_memory(desc.dtype, [P, C], desc.layout)
    mbarrier.expect(bar, desc.nbytes_per_cta)
    tma.async_load_im2col(desc, [n, h, w, c], [oh, ow], bar, block, multicast=CAST)
    mbarrier.wait(bar, 0)
    gl.store(out + place(R, P, C), block.load(R))


@gluon.jit
def im2col_5d(desc, out, n, d, h, w, c, od: gl.constexpr, oh: gl.constexpr, ow: gl.constexpr, P: gl.constexpr, C: gl.constexpr,
              R: gl.constexpr, CAST: gl.constexpr):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    cluster.barrier() if gl.num_ctas() > 1 else None
    block = gl.allocate_shared_memory(desc.dtype, [P, C], desc.layout)
    mbarrier.expect(bar, desc.nbytes_per_cta)
    tma.async_load_im2col(desc, [n, d, h, w, c], [od, oh, ow], bar, block, multicast=CAST)
    mbarrier.wait(bar, 0)
    gl.store(out + place(R, P, C), block.load(R))


@gluon.jit
def outer(da, db, out, steps, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, RA: gl.constexpr, RB: gl.constexpr,
          RD: gl.constexpr, CAST: gl.constexpr):
    """Sums of rows of a times sums of columns of b; CTAs share blocks of both, which come around a ring of two."""
    bar = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(bar.index(i), count=1)
    cluster.barrier()
    a = gl.allocate_shared_memory(da.dtype, [2, M, K], da.layout)
    b = gl.allocate_shared_memory(db.dtype, [2, K, N], db.layout)
    rows = gl.zeros([M], gl.float32, gl.SliceLayout(1, RA))
    columns = gl.zeros([N], gl.float32, gl.SliceLayout(0, RB))
    for i in range(steps):
        now = bar.index(i % 2)
        mbarrier.expect(now, da.nbytes_per_cta + db.nbytes_per_cta)
        tma.async_load(da, [0, i * K], now, a.index(i % 2), multicast=CAST)
        tma.async_load(db, [i * K, 0], now, b.index(i % 2), multicast=CAST)
        mbarrier.wait(now, i // 2 & 1)
        rows += gl.sum(a.index(i % 2).load(RA).to(gl.float32), 1)
        columns += gl.sum(b.index(i % 2).load(RB).to(gl.float32), 0)
        cluster.barrier()
    x = gl.convert_layout(rows, gl.SliceLayout(1, RD))
    y = gl.convert_layout(columns, gl.SliceLayout(0, RD))
    gl.store(out + place(RD, M, N), x[:, None] + y[None, :])


@gluon.jit
def exchange(p, out, M: gl.constexpr, N: gl.constexpr, FROM: gl.constexpr, TO: gl.constexpr, R: gl.constexpr, BYTES: gl.constexpr,
             rounds):
    """st.async brings each element to the CTA that TO keeps it in."""
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    block = gl.allocate_shared_memory(p.dtype.element_ty, [M, N], TO)
    cluster.barrier()
    x = gl.load(p + place(FROM, M, N))
    for i in range(rounds):
        mbarrier.expect(bar, BYTES)
        async_store(block, x, bar)
        mbarrier.wait(bar, i & 1)
        x += gl.convert_layout(block.load(R), FROM)
        cluster.barrier()
    gl.store(out + place(FROM, M, N), x)


@gluon.jit
def persistent(p, out, N: gl.constexpr, R: gl.constexpr, LR: gl.constexpr):
    """Takes over the work of clusters that have not started, until there is none."""
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    response = gl.allocate_shared_memory(gl.int64, [2], LR)
    if gl.num_ctas() > 1:
        cluster.barrier()
    row = gl.program_id(0)
    phase = 0
    going = True
    i = gl.arange(0, N, R)
    while going:
        mbarrier.expect(bar, 16)
        clc.try_cancel(response, bar)
        gl.store(out + row * N + i, gl.load(p + row * N + i) * 2 + row)
        mbarrier.wait(bar, phase)
        result = clc.load_result(response)
        going = result.is_canceled()
        row = result.program_id(0)
        phase ^= 1
        if gl.num_ctas() > 1:
            cluster.barrier()


@gluon.jit
def product(da, db, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LD: gl.constexpr, RD: gl.constexpr, COUNT: gl.constexpr,
            TWO: gl.constexpr):
    """One product of a whole cluster, with operands by multicast."""
    bar = mbarrier.allocate_mbarrier(two_ctas=TWO)
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=COUNT)
    a = gl.allocate_shared_memory(da.dtype, [M, K], da.layout)
    b = gl.allocate_shared_memory(db.dtype, [K, N], db.layout)
    d = blackwell.allocate_tensor_memory(gl.float32, [M, N], LD)
    cluster.barrier()
    mbarrier.expect(bar, da.nbytes_per_cta + db.nbytes_per_cta)
    tma.async_load(da, [0, 0], bar, a, multicast=True)
    tma.async_load(db, [0, 0], bar, b, multicast=True)
    mbarrier.wait(bar, 0)
    blackwell.tcgen05_mma(a, b, d, use_acc=False, multicast=True, mbarriers=[done])
    mbarrier.wait(done, 0)
    gl.store(out + place(RD, M, N), gl.convert_layout(d.load(), RD))


def registers(rows, cga=()):
    """Each CTA's four warps beside each other."""
    return gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0], cga_layout=[list(basis) for basis in cga])


def shared(bits, row_bytes, cga=()):
    swizzle = max((width for width in (32, 64, 128) if row_bytes % width == 0), default=0)
    return gl.NVMMASharedLayout(swizzle, bits, 2, cga_layout=[list(basis) for basis in cga])


def descriptor(kind, block, layout, im2col=False):
    name = "tensordesc_im2col" if im2col else "tensordesc"
    return f"{name}<{kind}[{','.join(map(str, block))}],{layout!r}>"


def split_of(rng, bits, way=None):
    """For each bit of a CTA's id the dimension that it splits, 0 or 1, or none."""
    return [rng.choice(way or (0, 1)) for _ in range(bits)]


def bases(split, only=None):
    """The CTAs' bases; those along another dimension than `only` are copies."""
    made, times = [], [1, 1]
    for dim in split:
        basis = [0, 0]
        if dim is not None and only in (None, dim):
            basis[dim] = times[dim]
            times[dim] *= 2
        made.append(basis)
    return made, times


def draw_im2col(rng):
    rank = rng.choice([3, 4, 5])
    kind = rng.choice(list(TYPES))
    channels, pixels = rng.choice([8, 16, 32, 64]), rng.choice([16, 32, 64, 128])
    bits = rng.choice([0, 0, 1, 2])
    cga = [[0, 0]] * bits
    layout = shared(TYPES[kind], channels * TYPES[kind] // 8, cga)
    names = [None, None, None, "nwc", "nhwc", "ndhwc"][rank]
    kernel = [None, None, None, im2col_3d, im2col_4d, im2col_5d][rank]
    sizes = {"n": 3, "d": 3, "h": 5, "w": rng.choice([7, 9]), "c": rng.choice([64, 96])}
    values = {"o" + name: rng.randint(0, 2) for name in names[1:-1]}
    values |= {"P": pixels, "C": channels, "R": registers(pixels, cga), "CAST": bits > 0}
    shape = [sizes[name] for name in names]
    spec = {"grid": [1], "arguments": {"desc": {"shape": shape}, "n": rng.randint(0, 2), "c": rng.choice([0, channels]),
                                       "out": {"shape": [pixels, channels]},
                                       # The first pixel is one of the image.
                                       **{name: rng.randrange(sizes[name]) for name in names[1:-1]}}}
    signature = {"desc": descriptor(kind, [pixels, channels], layout, True), "out": "*" + kind, **{name: "i32" for name in names}}
    return kernel, signature, values, 1 << bits, spec


def draw_outer(rng):
    kind = rng.choice(["fp16", "bf16", "fp32"])
    split = split_of(rng, rng.choice([1, 2, 3, 4]))
    whole, times = bases(split)
    of_a, of_b = bases(split, 0)[0], bases(split, 1)[0]
    m, n, k = rng.choice([16, 32, 64]) * times[0], rng.choice([16, 32, 64]) * times[1], rng.choice([16, 32, 64])
    size = TYPES[kind]
    signature = {"da": descriptor(kind, [m, k], shared(size, k * size // 8, of_a)),
                 "db": descriptor(kind, [k, n], shared(size, n // times[1] * size // 8, of_b)), "out": "*fp32", "steps": "i32"}
    steps = rng.randint(1, 5)
    values = {"M": m, "N": n, "K": k, "RA": registers(m, of_a), "RB": registers(k, of_b), "RD": registers(m, whole),
                 "CAST": rng.random() < 0.7}
    spec = {"grid": [1], "arguments": {"steps": steps, "da": {"shape": [m, k * steps]}, "db": {"shape": [k * steps, n]},
                                       "out": {"shape": [m, n]}}}
    return outer, signature, values, 1 << len(split), spec


def draw_exchange(rng):
    kind = rng.choice(["fp32", "i32", "fp16"])
    bits = rng.choice([1, 2, 3, 4])
    before, a = bases(split_of(rng, bits))
    after, b = bases(split_of(rng, bits))
    m, n = rng.choice([16, 32]) * max(a[0], b[0]), rng.choice([16, 32]) * max(a[1], b[1])
    values = {"M": m, "N": n, "FROM": registers(m, before), "R": registers(m, after),
                 "TO": gl.SwizzledSharedLayout(1, 1, 1, [1, 0], cga_layout=after), "BYTES": m * n * TYPES[kind] // 8 >> bits}
    spec = {"grid": [1], "arguments": {"p": {"shape": [m, n]}, "out": {"shape": [m, n]}, "rounds": rng.randint(1, 3)}}
    return exchange, {"p": "*" + kind, "out": "*" + kind, "rounds": "i32"}, values, 1 << bits, spec


def draw_persistent(rng):
    bits = rng.choice([0, 0, 1, 2])
    n, rows = 128 << bits, rng.randint(1, 6)
    values = {"N": n, "R": gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[1 << at] for at in range(bits)]),
                 "LR": gl.SwizzledSharedLayout(1, 1, 1, [0], cga_layout=[[0]] * bits)}
    spec = {"grid": [rows], "arguments": {"p": {"shape": [rows, n]}, "out": {"shape": [rows, n]}}}
    return persistent, {"p": "*i32", "out": "*i32"}, values, 1 << bits, spec


def draw_product(rng):
    two = rng.random() < 0.5
    split = ([0] if two else []) + split_of(rng, rng.choice([1, 2, 3] if two else [2, 3, 4]))
    whole, times = bases(split)
    of_a, of_b = bases(split, 0)[0], bases(split, 1)[0]
    if two:  # b is split between the CTAs of a pair
        of_b = [[0, 1]] + [[0, 2 * basis[1]] for basis in of_b[1:]]
    own_n, k = rng.choice([32, 64, 128]), rng.choice([32, 64])
    m, n = 128 * times[0], own_n * times[1]
    bits = len(split)
    count = sum(any(all(not (cta >> at & 1) or any(basis) for at, basis in enumerate(side)) for side in (of_a, of_b))
                for cta in range(0, 1 << bits, 2 if two else 1))
    part = own_n // 2 if two else own_n
    kwargs = {"two_ctas": True} if two else {}
    layout = blackwell.TensorMemoryLayout((128, own_n), col_stride=1, cga_layout=whole, **kwargs)
    signature = {"da": descriptor("fp16", [m, k], shared(16, 2 * k, of_a)), "db": descriptor("fp16", [k, n], shared(16, 2 * part, of_b)),
                 "out": "*fp32"}
    values = {"M": m, "N": n, "K": k, "LD": layout, "RD": registers(m, whole), "COUNT": count, "TWO": two}
    spec = {"grid": [1], "arguments": {"da": {"shape": [m, k]}, "db": {"shape": [k, n]}, "out": {"shape": [m, n]}}}
    return product, signature, values, 1 << bits, spec


FAMILIES = [draw_im2col, draw_outer, draw_exchange, draw_persistent, draw_product]


def compile_one(seed, folder):
    """The first kernel from this seed on that Triton compiles: TTGIR, LLVM IR and PTX beside each other, with its launch."""
    rng = random.Random(f"clusters {seed}")
    draw = FAMILIES[seed % len(FAMILIES)]
    for _ in range(30):
        kernel, kinds, values, ctas, spec = draw(rng)
        signature = {name: kinds.get(name, "constexpr") for name in kernel.arg_names}
        attributes = {(at,): [["tt.divisibility", 16]] for at, kind in enumerate(signature.values()) if kind[0] == "*"}
        try:
            compiled = compile_kernel(GluonASTSource(kernel, signature, values, attributes), target=TARGET,
                                      options={"num_warps": 4, "num_ctas": ctas})
        except Exception:  # pylint: disable=broad-except
            continue
        if compiled.metadata.shared > 227 * 1024:
            continue
        dump = folder / f"cluster-{seed:03}-{kernel.fn.__name__}-{ctas}.ttgir"
        dump.write_text(compiled.asm["ttgir"])
        for stage in ("llir", "ptx"):
            dump.with_suffix("." + stage).write_text(compiled.asm[stage])
        dump.with_name(dump.name + ".launch.json").write_text(json.dumps(spec) + "\n")
        return dump
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernelscope", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    program, counts = options.kernelscope.resolve(), collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True, parents=True)
        seeds = range(options.seed, options.seed + options.random)
        dumps = list(filter(None, (compile_one(seed, folder) for seed in seeds)))
        for dump in dumps:
            for theirs in (False, True):
                outcome, why = judge(program, dump, theirs)
                counts[f"{dump.stem.split('-')[2]}, {'Triton' if theirs else 'ours'}: {outcome}"] += 1
                if why:
                    print(f"{outcome}: {dump.name}, {'Triton' if theirs else 'ours'}: {why}", flush=True)
        constants.report(program, dumps, False, 1)
    for line, count in sorted(counts.items()):
        print(f"{count:4} {line}")


if __name__ == "__main__":
    main()
