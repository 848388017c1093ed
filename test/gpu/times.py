#!/usr/bin/env python3
"""Times our code against real Triton's for the same dumps, on this machine's GPU.

  PYTHON times.py --kernelscope PROGRAM [--specs FOLDER] FILE.ttgir|FILE.ttir...

PYTHON has Triton. Each dump is compiled by both and assembled by Triton's ptxas, all at once; then our launcher runs them
one by one on the same inputs: the median of each, in turn, as often as --rounds says, of which the least counts. A launch of
less than 50 microseconds says little, so it is repeated with more programs along an axis of the grid that the kernel does not
look at. A .ttir goes through the passes of each compiler, with the warps of the .ttgir beside it. Prints a row for each dump,
registers and spilled bytes among it, and the geometric mean of the ratios; a dump that either cannot compile or run is left
out, with the reason.
"""
import argparse
import concurrent.futures
import json
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


ENOUGH = 50  # microseconds
FILLING = 132 * 8  # programs


def size_of(made):
    """At which size the launch of report `made` was timed, if not at that of its results."""
    return [note for note in made.get("notes", []) if note.startswith("timed at")]


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


def least(args, dump, folder, options):
    """The least microseconds of our code and of Triton's, and the last report of ours."""
    times, sizes, last = {"ours": [], "theirs": []}, [], {}
    for _ in range(args.rounds):
        for side in times:
            made = report(args.kernelscope, dump, "--device", "cuda", "--no-compare", "--code", folder / f"{side}.cubin", *options)
            times[side].append(made["microseconds"])
            sizes.append(size_of(made))
            last[side] = made
    if sizes.count(sizes[0]) != len(sizes):
        raise Left(f"timed at several sizes: {sizes}")
    return min(times["ours"]), min(times["theirs"]), last["ours"]


def more_programs(dump, made, theirs, folder):
    """A spec that repeats the launch of report `made` along an axis that the kernel does not look at, until Triton's code takes
    long enough; nothing if there is no such axis, or clusters lie along the grid."""
    text = dump.read_text()
    free = [axis for axis, name in enumerate("xyz") if not re.search(rf"(get_program_id|get_num_programs) {name}\b", text)]
    if not free or re.search(r"cluster|num-ctas\" = (?!1 )", text):
        return None
    size = " ".join(size_of(made))
    filling = re.search(r"grid (\d+) x (\d+) x (\d+)", size)
    grid = [int(programs) for programs in filling.groups()] if filling else list(made["grid"])
    programs = math.prod(grid)
    # A launch of few programs takes no longer with as many as fill the GPU, and some of its time passes before they start.
    grid[free[-1]] *= math.ceil(max(1, FILLING / programs) * 4 * ENOUGH / theirs)
    values = {argument["name"]: argument["value"] for argument in made["arguments"] if "shape" not in argument}
    values.update(re.findall(r", (\w+) (\S+?)(?=,|$)", size))
    scalars = {name: json.loads(value) for name, value in values.items()}
    path = folder / "more.launch.json"
    path.write_text(json.dumps({"grid": grid, "arguments": scalars}))
    return path


def measure(args, dump, folder):
    """Microseconds of our code and of Triton's, the shared bytes of ours, and the grid if it is not the default."""
    spec = args.specs / f"{dump.stem}.launch.json" if args.specs else None
    options, given = target_of(args, dump), bool(spec and spec.exists())
    ours, theirs, made = least(args, dump, folder, options + (["--spec", spec] if given else []))
    grid = ""
    if theirs < ENOUGH and not given and (spec := more_programs(dump, made, theirs, folder)):
        try:
            ours, theirs, made = least(args, dump, folder, [*options, "--spec", spec])
            grid = "x".join(map(str, made["grid"]))
        except Left:
            pass  # the short launch is what can be timed
    return ours, theirs, made.get("sharedBytes", 0), grid


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dumps", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--kernelscope", required=True, type=pathlib.Path)
    parser.add_argument("--arch", default="sm_90a", help="the chip of this machine, for a .ttir")
    parser.add_argument("--specs", type=pathlib.Path, help="has KERNEL.launch.json for other sizes than the defaults")
    parser.add_argument("--recorded", action="store_true", help="Triton's code is the .ptx beside each dump of a corpus, of any release")
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    row = "{:<34} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>13}  {}"
    print(row.format("kernel", "ours us", "Triton's", "ratio", "registers", "spills", "shared bytes", "grid").rstrip(), flush=True)
    ratios, left = [], []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ProcessPoolExecutor() as compilers:
        os.environ["TRITON_CACHE_DIR"] = f"{name}/cache"
        compiled = {dump: compilers.submit(compile_both, args, dump, pathlib.Path(name, str(index))) for index, dump in enumerate(args.dumps)}
        concurrent.futures.wait(compiled.values())  # a busy processor would delay the launches
        for index, dump in enumerate(args.dumps):
            try:
                *used, theirs_shared = compiled[dump].result()
                ours, theirs, ours_shared, grid = measure(args, dump, pathlib.Path(name, str(index)))
            except Left as reason:
                left.append(f"{dump.stem}: {reason}")
                continue
            ratios.append(ours / theirs)
            pairs = [f"{a}/{b}" for a, b in zip(*used)]
            print(row.format(dump.stem, f"{ours:.2f}", f"{theirs:.2f}", f"{ratios[-1]:.3f}", *pairs, f"{ours_shared}/{theirs_shared}", grid).rstrip(), flush=True)
    for line in left:
        print("left out:", line)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{len(ratios)} dumps, geometric mean {mean:.3f}, {sum(ratio <= 1.05 for ratio in ratios)} of them at most 1.05")
    return 0 if ratios else 1


if __name__ == "__main__":
    sys.exit(main())
