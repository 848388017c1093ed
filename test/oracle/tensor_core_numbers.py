#!/usr/bin/env python3
"""Random products of Blackwell's tensor core that load their operands and store the result, run on the wave simulator.

  tensor_core_numbers.py KERNELSCOPE --random 40 [--seed 0] [--keep FOLDER]

The Triton of this Python compiles them for sm_100: both ways round, pairs and clusters of CTAs, multicast, 64 rows, operands in tensor
memory, scales. Our code and real Triton's run on the simulator and are compared with the executor. Not part of CI.
"""
import argparse
import dataclasses
import json
import pathlib
import random
import subprocess
import tempfile

from tensor_core_kernels import TARGET, barrier_layout, draw_product, draw_scaled, tensor_memory
from triton.compiler import compile as compile_kernel
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.hopper import mbarrier


@gluon.jit
def read(p, rows: gl.constexpr, columns: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, rows, gl.SliceLayout(1, layout))
    j = gl.arange(0, columns, gl.SliceLayout(0, layout))
    return gl.load(p + i[:, None] * columns + j[None, :])


@gluon.jit
def write(p, d, rows: gl.constexpr, columns: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, rows, gl.SliceLayout(1, layout))
    j = gl.arange(0, columns, gl.SliceLayout(0, layout))
    gl.store(p + i[:, None] * columns + j[None, :], gl.convert_layout(d.load(), layout))


@gluon.jit
def product(pa, pb, pd, LA: gl.constexpr, LB: gl.constexpr, LD: gl.constexpr, LT: gl.constexpr, M: gl.constexpr,
            N: gl.constexpr, K: gl.constexpr, MULTICAST: gl.constexpr, COUNT: gl.constexpr, REGISTERS: gl.constexpr,
            ACC: gl.constexpr, DONES: gl.constexpr, RA: gl.constexpr, RB: gl.constexpr, RD: gl.constexpr):
    done = gl.allocate_shared_memory(gl.int64, [DONES], LT)
    mbarrier.init(done, count=COUNT)
    a = gl.allocate_shared_memory(pa.dtype.element_ty, [M, K], LA, read(pa, M, K, RA))
    b = gl.allocate_shared_memory(pb.dtype.element_ty, [K, N], LB, read(pb, K, N, RB))
    d = blackwell.allocate_tensor_memory(ACC, [M, N], LD)
    blackwell.fence_async_shared(cluster=DONES > 1)
    if DONES > 1:
        blackwell.cluster.barrier()
    if REGISTERS is not None:
        t = blackwell.allocate_tensor_memory(pa.dtype.element_ty, [M, K], REGISTERS[1], a.load(REGISTERS[0]))
        blackwell.tcgen05_mma(t, b, d, use_acc=False, mbarriers=[done])
    else:
        blackwell.tcgen05_mma(a, b, d, use_acc=False, multicast=MULTICAST, mbarriers=[done])
    mbarrier.wait(done, 0)
    write(pd, d, M, N, RD)


@gluon.jit
def scaled(pa, pb, ps, pt, pd, LA: gl.constexpr, LB: gl.constexpr, LD: gl.constexpr, LT: gl.constexpr, M: gl.constexpr,
           N: gl.constexpr, K: gl.constexpr, PA: gl.constexpr, PB: gl.constexpr, FA: gl.constexpr, FB: gl.constexpr,
           STYPE: gl.constexpr, BLOCK: gl.constexpr, LS: gl.constexpr, LST: gl.constexpr, R: gl.constexpr, RT: gl.constexpr,
           CTAS: gl.constexpr):
    done = gl.allocate_shared_memory(gl.int64, [CTAS], LT)
    mbarrier.init(done, count=1)
    a = gl.allocate_shared_memory(pa.dtype.element_ty, [M, K // PA], LA, read(pa, M, K // PA, R))
    b = gl.allocate_shared_memory(pb.dtype.element_ty, [N, K // PB], LB, read(pb, N, K // PB, R))
    d = blackwell.allocate_tensor_memory(gl.float32, [M, N], LD)
    s = blackwell.allocate_tensor_memory(STYPE, [M, K // BLOCK], LS)
    t = blackwell.allocate_tensor_memory(STYPE, [N, K // BLOCK], LST)
    s.store(gl.convert_layout(read(ps, M, K // BLOCK, R), s.get_reg_layout()))
    t.store(gl.convert_layout(read(pt, N, K // BLOCK, RT), t.get_reg_layout()))
    blackwell.fence_async_shared(cluster=CTAS > 1)
    if CTAS > 1:
        blackwell.cluster.barrier()
    blackwell.tcgen05_mma_scaled(a, b.permute((1, 0)), d, s, t, FA, FB, use_acc=False, mbarriers=[done])
    mbarrier.wait(done, 0)
    write(pd, d, M, N, R)


def registers(cga=()):
    return gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0], cga_layout=[list(basis) for basis in cga])


def draw(rng):
    if rng.random() < 0.35:
        _, kinds, constants, options = draw_scaled(rng)
        for unused in ("LSCALES", "COPIED"):
            constants.pop(unused)
        scales = "*fp8e4nv" if constants["STYPE"] == gl.float8e4nv else "*u8"
        rows, everywhere = ([], []) if rng.random() < 0.5 else ([[1, 0]], [[0, 0]])
        if rows:  # a pair of CTAs, of which each has half of the rows of both operands, and all scales of the right one
            constants |= {"M": 256, "LT": barrier_layout([[1]]), "LD": tensor_memory((128, constants["N"]), 1, rows, True)}
            for side in ("LA", "LB"):
                constants[side] = dataclasses.replace(constants[side], cga_layout=rows)
        constants |= {"LS": blackwell.TensorMemoryScalesLayout(cga_layout=rows), "R": registers(rows), "RT": registers(everywhere),
                      "LST": blackwell.TensorMemoryScalesLayout(cga_layout=everywhere), "CTAS": 1 << len(rows)}
        return scaled, [*kinds, scales, scales, "*fp32"], constants, options | {"num_ctas": 1 << len(rows)}
    _, kinds, constants, options = draw_product(rng)
    for unused in ("LBAR", "COPIES", "BARS"):
        constants.pop(unused)
    constants |= {"RA": registers(constants["LA"].cga_layout), "RB": registers(constants["LB"].cga_layout),
                  "RD": registers(constants["LD"].cga_layout)}
    return product, [*kinds[:2], "*fp16" if constants["ACC"] == gl.float16 else "*fp32"], constants, options


def launch(kinds):
    """One cluster does all of the product; scales are positive and near one, and sums in f16 are rounded at each step."""
    fills = {"ps": (0.25, 4) if kinds.get("ps") == "*fp8e4nv" else (124, 131), "pa": (0, 256), "pb": (0, 256)}
    fills["pt"] = fills["ps"]
    return {"grid": [1, 1, 1], "tolerance": {"f16": {"absolute": 0.02, "relative": 0.01}},
            "arguments": {name: {"fill": {"kind": "uniform", "low": low, "high": high}} for name, (low, high) in fills.items()
                          if kinds.get(name) == "*u8" or (name in ("ps", "pt") and name in kinds)}}


def compile_one(seed, folder):
    """The first from this seed on that Triton compiles."""
    rng = random.Random(f"numbers {seed}")
    for _ in range(50):
        kernel, kinds, constants, options = draw(rng)
        names = [name for name in kernel.arg_names if name not in constants]
        signature = {name: "constexpr" for name in kernel.arg_names} | dict(zip(names, kinds))
        try:
            compiled = compile_kernel(GluonASTSource(kernel, signature, constants), target=TARGET, options=options)
        except Exception:  # pylint: disable=broad-except
            continue
        if compiled.metadata.shared > 227 * 1024:
            continue
        dump = folder / f"numbers-{seed:03}.ttgir"
        dump.write_text(compiled.asm["ttgir"])
        dump.with_suffix(".llir").write_text(compiled.asm["llir"])
        pathlib.Path(f"{dump}.launch.json").write_text(json.dumps(launch(dict(zip(names, kinds)))) + "\n")
        return dump
    return None


def judge(kernelscope, dump, theirs):
    command = [kernelscope, "run", dump, "--device", "sim", "--arch", "sm_100a", "--compare"]
    command += ["--code", dump.with_suffix(".llir")] if theirs else []
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if "differs from the CPU executor" not in done.stdout:
        return "not run", (done.stderr.splitlines() or ["no error"])[0]
    if done.returncode:
        return "wrong", next(line.strip() for line in done.stdout.splitlines() if "outside the tolerance" in line)
    return "right", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernelscope")
    parser.add_argument("--random", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True, parents=True)
        for seed in range(options.seed, options.seed + options.random):
            dump = compile_one(seed, folder)
            for theirs in (False, True) if dump else ():
                outcome, why = judge(options.kernelscope, dump, theirs)
                who = "Triton's" if theirs else "ours"
                counts[who, outcome] = counts.get((who, outcome), 0) + 1
                if why:
                    print(f"{outcome}: {dump.name}, {who}: {why}", flush=True)
    for (who, outcome), count in sorted(counts.items()):
        print(f"{who}: {count} {outcome}")


if __name__ == "__main__":
    main()
