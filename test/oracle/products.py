#!/usr/bin/env python3
"""Compiles random matrix products with real Triton, lowers their TTGIR with our program, and runs them where there is a GPU.

Usage: products.py KERNELSCOPE [--count 300] [--seed 0] [--target cuda-90|hip-gfx950]... [--on cuda|sim|cpu] [--jobs N] [--keep FOLDER]

A product is random in its types, precision, shape, warps, stages, CTAs, in how its operands lie in memory and arrive (by
pointers, descriptors, through registers, from another product, scaled in blocks), and in what becomes of the result. A
kernel that Triton refuses is drawn again. Our code must be taken by ptxas, or for AMD become a code object from the TTGIR
and from the TTIR, and give what the executor gives: on this
machine's GPU with --on cuda, on the wave simulator with --on sim; with --on cpu, the default, only the executor runs it.
Sums in f16 and roundings to tf32 in between may differ from the executor's: on the GPU and the simulator it is enough that
Triton's own code differs from it in the same way, and such products are counted apart, as are those whose TTGIR has a
race already.
Prints what fails, with its parameters, and the counts. Exits 1 where something fails, and 77, to be skipped, where Triton
cannot be imported.
"""
import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import triton
    import triton.language as tl
    from triton.backends.compiler import GPUTarget
except ImportError as error:
    print(f"skipped: no Triton in {sys.executable}: {error}")
    sys.exit(77)

PTXAS = pathlib.Path(triton.__file__).parent / "backends/nvidia/bin/ptxas"
LIMIT = 600  # seconds for each step
# KiB of a block
SHARED = {"cuda-80": 163, "cuda-90": 227, "cuda-100": 227, "cuda-120": 99, "hip-gfx942": 64, "hip-gfx950": 160, "hip-gfx1100": 64,
          "hip-gfx1201": 64, "hip-gfx1250": 320}
BITS = {"fp64": 64, "fp32": 32, "fp16": 16, "bf16": 16, "fp8e4nv": 8, "fp8e5": 8, "fp8e4b8": 8, "fp8e5b16": 8, "i8": 8}
# Kinds of 8 bits that a chip multiplies, where they are not NVIDIA's.
BYTES = {"hip-gfx942": ["fp8e4b8", "fp8e5b16", "i8"], "hip-gfx1100": ["i8"]}


@triton.jit
def operand(p, rows, columns, first_row, first_column, stride, R: tl.constexpr, C: tl.constexpr, TRANSPOSED: tl.constexpr):
    """Rows and columns of a matrix that may lie transposed in memory; zeros outside."""
    r = first_row + tl.arange(0, R)
    c = first_column + tl.arange(0, C)
    if TRANSPOSED:
        block = tl.load(p + c[:, None] * stride + r[None, :], mask=(c[:, None] < columns) & (r[None, :] < rows), other=0)
        block = tl.trans(block)
    else:
        block = tl.load(p + r[:, None] * stride + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < columns), other=0)
    return block


@triton.jit
def store(c, d, m, n, i, j, BM: tl.constexpr, BN: tl.constexpr, FINISH: tl.constexpr):
    if FINISH == "relu":
        d = tl.maximum(d, 0)
    elif FINISH == "rows":
        d = d - tl.max(d, 1)[:, None]
    elif FINISH == "transposed":
        d = tl.trans(tl.trans(d) * 2)
    r = i * BM + tl.arange(0, BM)
    s = j * BN + tl.arange(0, BN)
    tl.store(c + r[:, None] * n + s[None, :], d.to(c.dtype.element_ty), mask=(r[:, None] < m) & (s[None, :] < n))


@triton.jit
def pointers(a, b, c, m, n, k, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TA: tl.constexpr,
             TB: tl.constexpr, FORM: tl.constexpr, PRECISION: tl.constexpr, ACC: tl.constexpr, FINISH: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    d = tl.zeros((BM, BN), ACC)
    for step in range(0, tl.cdiv(k, BK)):
        x = operand(a, m, k, i * BM, step * BK, sa, BM, BK, TA)
        y = operand(b, k, n, step * BK, j * BN, sb, BK, BN, TB)
        if FORM == "registers":
            x = (x + x).to(a.dtype.element_ty)
        if FORM == "added":
            d += tl.dot(x, y, input_precision=PRECISION, out_dtype=ACC)
        else:
            d = tl.dot(x, y, d, input_precision=PRECISION, out_dtype=ACC)
    store(c, d, m, n, i, j, BM, BN, FINISH)


@triton.jit
def descriptors(a, b, c, m, n, k, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TA: tl.constexpr,
                TB: tl.constexpr, PRECISION: tl.constexpr, ACC: tl.constexpr, FINISH: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    if TA:
        da = tl.make_tensor_descriptor(a, [k, m], [sa, 1], [BK, BM])
    else:
        da = tl.make_tensor_descriptor(a, [m, k], [sa, 1], [BM, BK])
    if TB:
        db = tl.make_tensor_descriptor(b, [n, k], [sb, 1], [BN, BK])
    else:
        db = tl.make_tensor_descriptor(b, [k, n], [sb, 1], [BK, BN])
    d = tl.zeros((BM, BN), ACC)
    for step in range(0, tl.cdiv(k, BK)):
        if TA:
            x = tl.trans(da.load([step * BK, i * BM]))
        else:
            x = da.load([i * BM, step * BK])
        if TB:
            y = tl.trans(db.load([j * BN, step * BK]))
        else:
            y = db.load([step * BK, j * BN])
        d = tl.dot(x, y, d, input_precision=PRECISION, out_dtype=ACC)
    store(c, d, m, n, i, j, BM, BN, FINISH)


@triton.jit
def chained(a, b, c, m, n, k, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, TA: tl.constexpr,
            TB: tl.constexpr, PRECISION: tl.constexpr, ACC: tl.constexpr, FINISH: tl.constexpr):
    """The product of a product, as attention has it: (a b) b^T."""
    i = tl.program_id(0)
    d = tl.zeros((BM, BK), ACC)
    x = operand(a, m, k, i * BM, 0, sa, BM, BK, TA)
    for step in range(0, tl.cdiv(n, BN)):
        y = operand(b, k, n, 0, step * BN, sb, BK, BN, TB)
        p = tl.dot(x, y, input_precision=PRECISION, out_dtype=ACC)
        d = tl.dot((p * 0.0625).to(a.dtype.element_ty), tl.trans(y), d, input_precision=PRECISION, out_dtype=ACC)
    store(c, d, m, k, i, 0, BM, BK, FINISH)


@triton.jit
def batched(a, b, c, k, B: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr,
            ACC: tl.constexpr):
    z = tl.arange(0, B)[:, None, None]
    r = tl.arange(0, BM)[None, :, None]
    s = tl.arange(0, BN)[None, None, :]
    d = tl.zeros((B, BM, BN), ACC)
    for step in range(0, tl.cdiv(k, BK)):
        t = step * BK + tl.arange(0, BK)
        x = tl.load(a + z * BM * k + r * k + t[None, None, :], mask=t[None, None, :] < k, other=0)
        y = tl.load(b + z * BN * k + t[None, :, None] * BN + s, mask=t[None, :, None] < k, other=0)
        d = tl.dot(x, y, d, input_precision=PRECISION, out_dtype=ACC)
    tl.store(c + z * BM * BN + r * BN + s, d.to(c.dtype.element_ty))


@triton.jit
def scaled(a, b, p, q, c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FA: tl.constexpr, FB: tl.constexpr,
           PA: tl.constexpr, PB: tl.constexpr, STEPS: tl.constexpr):
    """A product of blocks of 32 that have a scale each; PA and PB elements are in a byte."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.zeros((BM, BN), tl.float32)
    for step in range(0, STEPS):
        ka = step * (BK // PA) + tl.arange(0, BK // PA)
        kb = step * (BK // PB) + tl.arange(0, BK // PB)
        ks = step * (BK // 32) + tl.arange(0, BK // 32)
        x = tl.load(a + i[:, None] * (BK * STEPS // PA) + ka[None, :])
        y = tl.load(b + j[None, :] * (BK * STEPS // PB) + kb[:, None])
        s = tl.load(p + i[:, None] * (BK * STEPS // 32) + ks[None, :])
        t = tl.load(q + j[:, None] * (BK * STEPS // 32) + ks[None, :])
        d = tl.dot_scaled(x, s, FA, y, t, FB, d)
    tl.store(c + i[:, None] * (BN * tl.num_programs(1)) + j[None, :], d)


def draw(rng, target):
    """(kernel, pointees, constants, options, launch spec) of a random product."""
    vendor, chip = target.split("-")
    capability = int(chip) if vendor == "cuda" else 0
    narrow = BYTES.get(target, ["fp8e4nv", "fp8e5", "i8"])
    has_descriptors = capability >= 90 or chip == "gfx1250"
    form = rng.choice(["pointers"] * 4 + ["descriptors"] * (2 if has_descriptors else 0) + ["chained", "batched", "scaled"])
    options = {"num_warps": rng.choice([1, 2, 4, 4, 4, 8, 8]), "num_stages": rng.choice([1, 2, 3, 4])}
    if chip in ("gfx942", "gfx950"):
        options["matrix_instr_nonkdim"] = rng.choice([0, 0, 16, 32])
    if chip == "gfx942":
        options["kpack"] = rng.choice([1, 2])
    if capability == 90 and form == "pointers" and rng.random() < 0.2:
        options["num_ctas"] = 2
    if capability == 100 and rng.random() < 0.2:
        options["num_ctas"] = rng.choice([2, 4])
    block = {key: rng.choice(sizes) for key, sizes in
             {"BM": [16, 32, 64, 64, 128, 128, 256], "BN": [8, 16, 32, 64, 128, 128, 256], "BK": [16, 32, 32, 64, 128]}.items()}
    if vendor == "hip":  # all of them run on the simulator
        block = {key: min(value, 64) for key, value in block.items()}
    if form == "scaled":
        formats = [rng.choice(["e2m1", "e4m3", "e5m2"]) for _ in range(2)]
        packs = [2 if name == "e2m1" else 1 for name in formats]
        block["BN"], block["BK"] = max(block["BN"], 16), max(block["BK"], 64)
        constants = {**block, "FA": formats[0], "FB": formats[1], "PA": packs[0], "PB": packs[1], "STEPS": rng.choice([1, 2, 3])}
        size = [(block["BM"], packs[0]), (block["BN"], packs[1])]
        depth = block["BK"] * constants["STEPS"]
        pointees = [{"e2m1": "u8", "e4m3": "fp8e4nv", "e5m2": "fp8e5"}[name] for name in formats] + ["u8", "u8", "fp32"]
        code = {"kind": "uniform", "low": 0, "high": 255}  # any fp4
        fills = [code if name == "e2m1" else "normal" for name in formats] + [{"kind": "uniform", "low": 122, "high": 132}] * 2
        shapes = [[2 * rows, depth // pack] for rows, pack in size] + [[2 * rows, depth // 32] for rows, _ in size]
        arguments = {name: {"shape": shape, "fill": fill} for name, shape, fill in zip("abpq", shapes, fills)}
        arguments["c"] = {"shape": [2 * block["BM"], 2 * block["BN"]]}
        return scaled, pointees, constants, options, {"grid": [2, 2], "arguments": arguments}

    kind = rng.choice(["fp16"] * 4 + ["bf16"] * 3 + ["fp32"] * 3 + narrow + ["i8", "fp64"])
    precisions = ["tf32", "tf32", "tf32x3", "ieee"] if vendor == "cuda" else ["ieee", "bf16x3"] + ["tf32"] * (chip == "gfx942")
    constants = {"PRECISION": rng.choice(precisions) if kind == "fp32" else "tf32" if vendor == "cuda" else "ieee",
                 "ACC": {"i8": tl.int32, "fp64": tl.float64}.get(kind, tl.float32)}
    if kind == "fp16" and rng.random() < 0.2:
        constants["ACC"] = tl.float16
    result = "i32" if kind == "i8" else "fp64" if kind == "fp64" else rng.choice(["fp32", "fp16", "bf16"])
    if kind in ("fp64", "fp32"):
        block = {key: min(value, 64 if vendor == "cuda" else 32) for key, value in block.items()}
    if BITS[kind] == 8:
        block["BK"] = max(block["BK"], 32)
    constants.update(block)
    if form == "batched":
        constants["B"] = rng.choice([2, 4])
        constants.update({key: min(value, 64) for key, value in block.items()})
        k = rng.choice([16, 33, 70])
        sizes = [[constants["B"], constants["BM"], k], [constants["B"], k, constants["BN"]],
                 [constants["B"], constants["BM"], constants["BN"]]]
        arguments = {"k": k, **{name: {"shape": size} for name, size in zip("abc", sizes)}}
        return batched, [kind, kind, result, "i32"], constants, options, {"grid": [1], "arguments": arguments}

    step = 128 // BITS[kind]  # sixteen bytes, which TMA and wide copies need of strides
    m, n, k = (max(step, rng.choice([size, 2 * size, size + step, 2 * size - step])) for size in block.values())
    if form == "chained":
        k = min(k, block["BK"])
        if BITS[kind] == 8:
            return draw(rng, target)
    constants["TA"], constants["TB"] = rng.random() < 0.3, rng.random() < 0.4
    constants["FINISH"] = rng.choice(["none", "none", "relu", "rows", "transposed"])
    if form == "pointers":
        constants["FORM"] = rng.choice(["accumulated", "accumulated", "added", "registers"])
    # Strides of whole vectors, sometimes less.
    pad = rng.choice([0, 0, step]) if form == "descriptors" or rng.random() < 0.7 else 1
    lines = [(k, m) if constants["TA"] else (m, k), (n, k) if constants["TB"] else (k, n)]
    strides = [-(-width // step) * step + pad for _, width in lines]
    arguments = {"m": m, "n": n, "k": k, "sa": strides[0], "sb": strides[1]}
    for name, (rows, _), stride in zip("ab", lines, strides):
        arguments[name] = {"shape": [rows, stride]}
    columns, blocks = (k, 1) if form == "chained" else (n, -(-n // block["BN"]))
    arguments["c"] = {"shape": [m, columns]}
    kernel = {"pointers": pointers, "descriptors": descriptors, "chained": chained}[form]
    grid = [-(-m // block["BM"]), blocks]
    return kernel, [kind, kind, result] + ["i32"] * 5, constants, options, {"grid": grid, "arguments": arguments}


def compile_product(seed, target, folder):
    """Writes the first kernel from this seed on that Triton compiles, its LLVM IR and its launch spec. Its name, its
    parameters and how many were refused."""
    rng = random.Random(f"{target} {seed}")
    vendor, chip = target.split("-")
    gpu = GPUTarget(vendor, int(chip) if vendor == "cuda" else chip, 64 if chip in ("gfx942", "gfx950") else 32)
    for refused in range(50):
        kernel, pointees, constants, options, spec = draw(rng, target)
        names = [name for name in kernel.arg_names if name not in constants]
        kinds = [kind if name in ("m", "n", "k", "sa", "sb") else "*" + kind for name, kind in zip(names, pointees)]
        signature = {name: "constexpr" for name in kernel.arg_names} | dict(zip(names, kinds))
        whole = [name for name, kind in zip(names, kinds)
                 if kind[0] == "*" or spec["arguments"][name] % 16 == 0]
        attributes = {(kernel.arg_names.index(name),): [["tt.divisibility", 16]] for name in whole}
        said = f"{kernel.fn.__name__} {' '.join(pointees)} " + " ".join(
            f"{key}={value}" for key, value in {**constants, **options}.items())
        try:
            compiled = triton.compile(triton.compiler.ASTSource(kernel, signature, constants, attributes),
                                      target=gpu, options=options)
        except Exception:  # pylint: disable=broad-except
            continue
        columns = getattr(compiled.metadata, "tmem_size", None) or 0
        if compiled.metadata.shared > SHARED[target] * 1024 or columns > 512:  # of which its launcher complains
            continue
        dump = folder / f"{target}-{seed:03}.ttgir"
        dump.write_text(compiled.asm["ttgir"])
        dump.with_suffix(".ttir").write_text(compiled.asm["ttir"])
        dump.with_suffix(".llir").write_text(compiled.asm["llir"])
        if vendor == "cuda":
            dump.with_suffix(".ptx").write_text(compiled.asm["ptx"])
            dump.with_suffix(".cubin").write_bytes(compiled.asm["cubin"])
            metadata = compiled.metadata._asdict()
            needs = {key: metadata[key] for key in ("num_warps", "shared", "global_scratch_size") if metadata.get(key) is not None}
            dump.with_suffix(".json").write_text(json.dumps(needs))
        dump.with_suffix(".launch.json").write_text(json.dumps({**spec, "warmup": 0, "repeat": 0}))
        return dump, said, refused
    return None, "Triton refused fifty in a row", 50


def quiet():
    """Triton prints what it was doing when it fails."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def has_race(program, dump):
    """Whether the sanitizer finds a race in what Triton made of the product, so that its result is not defined."""
    said = subprocess.run([str(program), "run", str(dump), "--device", "cpu", "--sanitize", "all"], capture_output=True, text=True, timeout=LIMIT)
    return bool(re.search("no barrier orders the two|may be in flight", said.stderr))


def differs_alike(done, command, dump, device):
    """Whether the device finds the same difference from the executor in Triton's code as in ours."""
    code = dump.with_suffix(".cubin" if device == "cuda" else ".llir")
    theirs = subprocess.run([*map(str, command), "--code", code], capture_output=True, text=True, timeout=LIMIT)
    ours, theirs = (re.findall(r"differs from .*", each.stdout + each.stderr) for each in (done, theirs))
    return bool(ours) and ours == theirs


def steps_for(program, dump, device):
    """What must succeed, by name."""
    compare = ["--compare"] * (device != "cpu")
    if not dump.stem.startswith("hip-"):
        ptx = dump.with_suffix(".ours.ptx")
        return [("preview", [program, "preview", dump, "--emit", "ptx", "-o", ptx]), ("ptxas", [PTXAS, None, ptx, "-o", "/dev/null"]),
                ("run", [program, "run", dump, "--device", device, *compare])]
    arch, ttir = dump.stem.split("-")[1], dump.with_suffix(".ttir")
    spec = ["--spec", dump.with_suffix(".launch.json")]
    return [("code object", [program, "preview", dump, "--emit", "hsaco", "--arch", arch, "-o", "/dev/null"]),
            ("run", [program, "run", dump, "--device", device, "--arch", arch, *spec, *compare]),
            ("run of TTIR", [program, "run", ttir, "--device", device, "--arch", arch, *spec, *compare])]


ALIKE = "different from the executor as Triton's own code is"
RACE = "with a race in Triton's TTGIR"
KNOWN = (ALIKE, RACE)


def fault(program, dump, device):
    """What is wrong with our code for the dump, or one of KNOWN; empty if nothing."""
    for name, command in steps_for(program, dump, device):
        if name == "ptxas":
            command[1] = "-arch=" + re.search(r"^\.target (sm_\w+)", pathlib.Path(command[2]).read_text(), re.M)[1]
        try:
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LIMIT)
            if name == "run" and device != "cpu" and done.returncode and differs_alike(done, command, dump, device):
                return ALIKE
            if name == "run" and device == "sim" and done.returncode and has_race(program, dump):
                return RACE
        except subprocess.TimeoutExpired:
            return f"{name}: no answer in {LIMIT} s"
        if done.returncode:
            lines = [line for line in (done.stderr + done.stdout).splitlines() if re.search(r"error|differ|warning|wrong", line)]
            return f"{name}: exit code {done.returncode}: {' / '.join(lines[:2])[:300]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", action="append", choices=sorted(SHARED))
    parser.add_argument("--on", choices=["cuda", "sim", "cpu"], default="cpu")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count(), 16))
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    targets = arguments.target or ["cuda-80", "cuda-90", "cuda-120"]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or pathlib.Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        drawn = [(seed, targets[seed % len(targets)], folder) for seed in seeds]
        spawn = multiprocessing.get_context("spawn")  # a fork of what GPU libraries have threads in can hang
        with (concurrent.futures.ProcessPoolExecutor(arguments.jobs, spawn, quiet) as compilers,
              concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool):
            compiled = list(compilers.map(compile_product, *zip(*drawn)))
            faults = pool.map(lambda made: fault(arguments.program, made[0], arguments.on) if made[0] else "", compiled)
            for (dump, said, refused), wrong in zip(compiled, faults):
                counts["refused by Triton"] += refused
                counts[wrong if wrong in KNOWN else "wrong" if wrong else "right" if dump else "not drawn"] += 1
                if wrong and wrong not in KNOWN:
                    print(f"{dump.stem}: {wrong}\n    {said}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
