#!/usr/bin/env python3
"""Times our code against real Triton's for the same dumps, on this machine's GPU.

  PYTHON times.py --kernelscope PROGRAM [--specs FOLDER] FILE.ttgir|FILE.ttir...

PYTHON has Triton. Each dump is compiled by both and assembled by Triton's ptxas, all at once; then our launcher runs them one
by one on the same inputs: the median of each, in turn, as often as --rounds says, of which the least counts. A .ttir goes through the passes of each
compiler, with the warps of the .ttgir beside it. Prints a row for each dump, registers and spilled bytes among it, and the
geometric mean of the ratios; a dump that either cannot compile or run is left out, with the reason.
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import sys
import tempfile

from launches import Left, assemble, call, compile_theirs, recorded, report, warps_of

try:
    import triton  # pylint: disable=unused-import
except ImportError:
    print(f"SKIPPED: {sys.executable} has no Triton")
    sys.exit(0)


def microseconds(program, dump, code, options):
    made = report(program, dump, "--device", "cuda", "--no-compare", "--code", code, *options)
    size = [note for note in made.get("notes", []) if note.startswith("timed at")]
    return made["microseconds"], made.get("sharedBytes", 0), size


def target_of(args, dump):
    return ["--arch", args.arch, "--num-warps", warps_of(dump)] if dump.suffix == ".ttir" else []


def compile_both(args, dump, folder):
    """Registers and spilled bytes of our code in FOLDER/ours.cubin and of Triton's in FOLDER/theirs.cubin, and Triton's shared bytes."""
    folder.mkdir()
    ours = folder / "ours"
    if args.recorded:
        theirs_used, theirs_shared = recorded(dump, folder / "theirs")
    else:
        theirs_used, theirs_shared = compile_theirs(dump, folder / "theirs", int(re.sub(r"\D", "", args.arch)))
    call(args.kernelscope, "preview", dump, *target_of(args, dump), "--emit", "ptx", "-o", ours.with_suffix(".ptx"))
    return assemble(ours.with_suffix(".ptx"), ours.with_suffix(".cubin")), theirs_used, theirs_shared


def measure(args, dump, folder):
    """Microseconds of our code and of Triton's, and the shared bytes of ours."""
    spec = args.specs / f"{dump.stem}.launch.json" if args.specs else None
    options = target_of(args, dump) + (["--spec", spec] if spec and spec.exists() else [])
    times, sizes = {"ours": [], "theirs": []}, []
    for _ in range(args.rounds):
        for side in times:
            took, shared, size = microseconds(args.kernelscope, dump, folder / f"{side}.cubin", options)
            times[side].append(took)
            sizes.append(size)
            if side == "ours":
                ours_shared = shared
    if sizes.count(sizes[0]) != len(sizes):
        raise Left(f"timed at several sizes: {sizes}")
    return min(times["ours"]), min(times["theirs"]), ours_shared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dumps", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--kernelscope", required=True, type=pathlib.Path)
    parser.add_argument("--arch", default="sm_90a", help="the chip of this machine, for a .ttir")
    parser.add_argument("--specs", type=pathlib.Path, help="has KERNEL.launch.json for other sizes than the defaults")
    parser.add_argument("--recorded", action="store_true", help="Triton's code is the .ptx beside each dump of a corpus, of any release")
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    row = "{:<34} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>13}"
    print(row.format("kernel", "ours us", "Triton's", "ratio", "registers", "spills", "shared bytes"), flush=True)
    ratios, left = [], []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ProcessPoolExecutor() as compilers:
        os.environ["TRITON_CACHE_DIR"] = f"{name}/cache"
        compiled = {dump: compilers.submit(compile_both, args, dump, pathlib.Path(name, str(index))) for index, dump in enumerate(args.dumps)}
        concurrent.futures.wait(compiled.values())  # a busy processor would delay the launches
        for index, dump in enumerate(args.dumps):
            try:
                *used, theirs_shared = compiled[dump].result()
                ours, theirs, ours_shared = measure(args, dump, pathlib.Path(name, str(index)))
            except Left as reason:
                left.append(f"{dump.stem}: {reason}")
                continue
            ratios.append(ours / theirs)
            pairs = [f"{a}/{b}" for a, b in zip(*used)]
            print(row.format(dump.stem, f"{ours:.2f}", f"{theirs:.2f}", f"{ratios[-1]:.3f}", *pairs, f"{ours_shared}/{theirs_shared}"), flush=True)
    for line in left:
        print("left out:", line)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{len(ratios)} dumps, geometric mean {mean:.3f}, {sum(ratio <= 1.05 for ratio in ratios)} of them at most 1.05")
    return 0 if ratios else 1


if __name__ == "__main__":
    sys.exit(main())
