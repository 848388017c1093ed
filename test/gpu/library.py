#!/usr/bin/env python3
"""Compares matrix products and attention of Triton's dumps with cuBLAS and with PyTorch's attention, on this machine's GPU.

  PYTHON library.py --kernelscope PROGRAM [--size 4096] [--rounds 3] FOLDER [KERNEL...]
  library.py --kernelscope PROGRAM --compare [--size 8192] FOLDER [KERNEL...]
  library.py --kernelscope PROGRAM --dry FOLDER [KERNEL...]

FOLDER has the dumps of a target, KERNEL.ttgir. PYTHON has Triton and PyTorch. Of each kernel our PTX and Triton's are launched
by our launcher on the same inputs, and PyTorch computes the same at the same size: the median time of each, in turn, as often
as --rounds says, of which the least counts. Prints TFLOP/s of useful operations (of causal attention, half of them) and the
share of the library's. Exits 1 where a kernel cannot be measured. --compare runs our code at that size, on the GPU, and compares
its results with the CPU executor's instead; it needs neither Triton nor PyTorch. --dry needs no GPU: the launches are resolved and run at a
small size on the CPU executor.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import launches


def product(size, *, element, transposed=False, arguments, grid):
    """(launch spec, useful operations, the library's kind and shapes) of size^3; `transposed` if B is stored N by K."""
    return {"grid": grid, "arguments": arguments}, 2 * size**3, {"product": element, "size": size, "transposed": transposed}


def by_pointers(element):
    """128 x 128 tiles along one axis of the grid, any strides of rows."""

    def case(size, _):
        square = {"shape": [size, size]}
        arguments = {**dict.fromkeys(["M", "N", "K", "sam", "sbk", "scm"], size), **dict.fromkeys("abc", square)}
        return product(size, element=element, arguments=arguments, grid=[(-(-size // 128)) ** 2])

    return case


def by_descriptors(rows, columns, transposed):
    """A tile of `rows` x `columns` for each program of a plane; the sizes follow from the descriptors' tensors."""

    def case(size, _):
        arguments = {"K": size, **dict.fromkeys(["da", "db", "dc"], {"shape": [size, size]})}
        grid = [-(-size // rows), -(-size // columns)]
        return product(size, element="f16", transposed=transposed, arguments=arguments, grid=grid)

    return case


def persistent(size, processors):
    """A program for each multiprocessor."""
    square = {"shape": [size, size]}
    arguments = {**dict.fromkeys("MNK", size), "sms": processors, **dict.fromkeys("abc", square)}
    return product(size, element="f16", transposed=True, arguments=arguments, grid=[processors])


def attention(depth):
    """Causal, of 32 heads that lie one after another."""

    def case(size, _):
        heads = 32 if size > 256 else 2
        buffer = {"shape": [heads, size, depth]}
        arguments = {**dict.fromkeys(["q", "k", "v", "out"], buffer), "lse": {"shape": [heads, size]}, "scale": depth**-0.5,
                     "H": heads, "T": size, "stride_h": size * depth, "stride_t": depth}
        spec = {"grid": [-(-size // 128), heads], "arguments": arguments}
        return spec, 2 * heads * size**2 * depth, {"attention": [1, heads, size, depth]}

    return case


PROCESSORS = 132  # of an H100 or H200, where PyTorch is not asked

CASES = {
    "matmul_f16": by_pointers("f16"),
    "matmul_bf16": by_pointers("bf16"),
    "matmul_fp8": by_pointers("fp8"),
    "matmul_host_desc": by_descriptors(128, 128, True),
    "nv_wgmma_async": by_descriptors(64, 128, False),
    "nv_ws_wgmma": by_descriptors(128, 128, False),
    "matmul_persistent_plain": persistent,
    "matmul_persistent_ws_hopper": persistent,
    "flash_fwd_causal": attention(64),
    "flash_fwd_hd128": attention(128),
}


def library_call(torch, case):
    """A function that makes PyTorch compute the case once."""

    def random(*shape, kind=torch.float16):
        return torch.randn(*shape, device="cuda", dtype=torch.float32).to(kind)

    if "attention" in case:
        q, k, v = (random(*case["attention"]) for _ in range(3))
        return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    size = case["size"]
    kind = {"f16": torch.float16, "bf16": torch.bfloat16, "fp8": torch.float8_e4m3fn}[case["product"]]
    a, b = random(size, size, kind=kind), random(size, size, kind=kind)
    if case["product"] == "fp8":  # cuBLAS takes columns of B only
        one = torch.ones((), device="cuda")
        return lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.float16)
    right = b.t() if case["transposed"] else b
    return lambda: torch.matmul(a, right)


def library_microseconds(torch, call, warmup, repeat):
    """The median of launches that are each measured between two events, as our launcher does."""
    for _ in range(warmup):
        call()
    times = []
    for _ in range(repeat):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(1000 * begin.elapsed_time(end))
    return statistics.median(times)


def measure(args, torch, dump, spec, library, folder):
    """Microseconds of our code, Triton's and the library's, and the report of our last run."""
    ours, theirs, written = folder / "ours.ptx", folder / "theirs", folder / "spec.json"
    repeat, warmup = 20, 5
    written.write_text(json.dumps({**spec, "warmup": warmup, "repeat": repeat}))
    launches.compile_theirs(dump, theirs)
    launches.call(args.kernelscope, "preview", dump, "--emit", "ptx", "-o", ours)
    launches.assemble(ours, ours.with_suffix(".cubin"))
    call = library_call(torch, library)
    times = [], [], []
    for _ in range(args.rounds):
        for code, taken in zip((ours, theirs), times):
            report = launches.report(args.kernelscope, dump, "--device", "cuda", "--no-compare", "--spec", written, "--code",
                                     code.with_suffix(".cubin"))
            taken.append(report["microseconds"])
        times[2].append(library_microseconds(torch, call, warmup, repeat))
    return [min(taken) for taken in times]


def dry(args, chosen, folder):
    """Whether every launch is one that the program takes."""
    failed = 0
    for name in chosen:
        spec, operations, _ = CASES[name](256, 4)
        written = folder / "spec.json"
        written.write_text(json.dumps({**spec, "warmup": 0, "repeat": 0}))
        try:
            report = launches.report(args.kernelscope, args.folder / f"{name}.ttgir", "--device", "cpu", "--spec", written)
        except launches.Left as reason:
            failed += 1
            print(f"{name}: {reason}")
            continue
        print(f"{name}: grid {report['grid']}, {operations} operations")
    return failed


def compare(args, chosen, folder):
    """How many kernels differ from the CPU executor at the size."""
    failed = 0
    for name in chosen:
        spec, _, _ = CASES[name](args.size, PROCESSORS)
        written = folder / "spec.json"
        written.write_text(json.dumps({**spec, "warmup": 0, "repeat": 0, "maxSteps": 10**12}))
        command = [args.kernelscope, "run", args.folder / f"{name}.ttgir", "--device", "cuda", "--compare", "--spec", written]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        failed += done.returncode != 0
        said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if "the CPU executor" in line or "error" in line]
        print(f"{name} at {args.size}: {'agrees' if done.returncode == 0 else 'FAILED'}: {'; '.join(said)}", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--kernelscope", required=True, type=pathlib.Path)
    parser.add_argument("--size", type=int, default=4096, help="of a product's sides, or of a sequence")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--dry", action="store_true")
    args = parser.parse_args()
    if unknown := [name for name in args.kernels if name not in CASES]:
        parser.error(f"no case for {', '.join(unknown)}; known: {', '.join(CASES)}")
    chosen = [name for name in args.kernels or CASES if (args.folder / f"{name}.ttgir").exists()]
    if not chosen:
        print(f"SKIPPED: none of the kernels is in '{args.folder}'")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
        if args.dry:
            return 1 if dry(args, chosen, folder) else 0
        if args.compare:
            return 1 if compare(args, chosen, folder) else 0
        try:
            import torch
            import triton  # pylint: disable=unused-import
        except ImportError as error:
            print(f"SKIPPED: {sys.executable}: {error}")
            return 0
        if not torch.cuda.is_available():
            print("SKIPPED: PyTorch finds no GPU")
            return 0
        print(f"{torch.cuda.get_device_name()}, size {args.size}, PyTorch {torch.__version__}, Triton {triton.__version__}")
        processors = torch.cuda.get_device_properties(0).multi_processor_count
        row = "{:<30} {:>10} {:>10} {:>10}   {:>8} {:>9}"
        print(row.format("TFLOP/s", "ours", "Triton's", "library's", "share", "Triton's"), flush=True)
        shares, left = [], []
        for kernel in chosen:
            spec, operations, library = CASES[kernel](args.size, processors)
            try:
                times = measure(args, torch, args.folder / f"{kernel}.ttgir", spec, library, folder)
            except (launches.Left, RuntimeError) as reason:  # PyTorch's errors
                left.append(f"{kernel}: {str(reason).splitlines()[0]}")
                continue
            rates = [operations / taken / 1e6 for taken in times]
            shares.append([rate / rates[2] for rate in rates])
            print(row.format(kernel, *(f"{rate:.1f}" for rate in rates), *(f"{share:.2f}" for share in shares[-1][:2])),
                  flush=True)
    for line in left:
        print("not measured:", line)
    if shares:
        means = [math.exp(statistics.fmean(map(math.log, each))) for each in zip(*shares)]
        print(f"{len(shares)} kernels, geometric mean of the shares {means[0]:.3f}, Triton's {means[1]:.3f}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
