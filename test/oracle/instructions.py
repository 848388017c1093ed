#!/usr/bin/env python3
"""Compares our assembly with real Triton's by classes of instructions: one table over all dumps, and each dump that differs.

Usage: instructions.py [--details] [--wheel PYTHON] KERNELSCOPE FOLDER...; a folder has NAME.ttgir beside NAME.ptx or NAME.amdgcn, as those
of the corpora do. Counts are those of the text: where LLVM unrolls a loop another number of times, all classes in it
differ. What does not compile yet is counted. --details lists each difference of each dump. On AMD accesses are counted by
width, too, and registers, spills and occupancy are those that the back end states; their ratio is the geometric mean. A
kernel's LDS is given to it at the launch and stands in neither text: --wheel asks the Triton of that Python, which compiles
each dump once more.
"""
import argparse
import collections
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess

# The first that matches has it.
PTX = [("proxy fence", r"fence\.proxy\.async"), ("cluster barrier", r"barrier\.cluster\.arrive"),
       ("barrier", r"bar(rier)?\.(sync|cta\.sync)"), ("product", r"(mma\.sync|wgmma\.mma_async|tcgen05\.mma)"),
       ("ldmatrix", r"ldmatrix"), ("stmatrix", r"stmatrix"), ("cp.async.bulk", r"cp\.(reduce\.)?async\.bulk\.tensor"),
       ("cp.async", r"cp\.async\.c[ag]"), ("mbarrier", r"mbarrier\.\w+"), ("atomic", r"(atom|red)\."),
       ("shuffle", r"shfl"), ("global load", r"ld\.global"), ("global store", r"st\.global"), ("shared load", r"ld\.shared"),
       ("shared store", r"st\.shared"), ("tensor memory", r"tcgen05\.(ld|st|cp)\.")]
AMDGCN = [("barrier", r"s_barrier(_signal)?"), ("MFMA", r"v_mfma"), ("WMMA", r"v_wmma"), ("permute in a row", r"v_(\w+_dpp\b|.* (quad_perm|row_\w+):)"),
          ("permlane", r"v_permlane"), ("bpermute", r"ds_bpermute"), ("atomic", r"(global|buffer|flat)_atomic"),
          ("tensor mover", r"tensor_(load|store)"),
          ("load to LDS", r"(buffer|global)_load\S* .*\blds\b|global_load_(async_to_)?lds"),
          ("{} load {}", r"(global|buffer|flat|scratch)_load_(\w+)"), ("{} store {}", r"(global|buffer|flat|scratch)_store_(\w+)"),
          ("LDS transposing load", r"ds_(read|load)\w*_tr"), ("LDS load {1}", r"ds_(read|load)2?(?:st64)?_(\w+)"),
          ("LDS store {1}", r"ds_(write|store)2?(?:st64)?_(\w+)"), ("wait for LDS", r"s_wait_dscnt|s_waitcnt lgkmcnt"),
          ("wait for memory", r"s_wait_(load|store|async|tensor)cnt|s_waitcnt vmcnt"), ("wait", r"s_wait")]
# What the back end says of a kernel, as it stands in the text.
RESOURCES = [("instructions", None), ("VGPRs", r"; (?:Total)?NumVgprs: (\d+)\b(?!(?:\n.*){1,3}TotalNumVgprs)"), ("SGPRs", r"; (?:TotalNumSgprs|NumSgprs): (\d+)"),
             ("occupancy", r"; Occupancy: (\d+)"),
             ("spilled VGPRs", r"\.vgpr_spill_count: +(\d+)"), ("bytes of code", r"; codeLenInByte = (\d+)")]
# One instruction by two names, or with a suffix that says no more.
WIDTHS = {"dword": "b32", "dwordx2": "b64", "dwordx3": "b96", "dwordx4": "b128", "ushort": "u16", "ubyte": "u8", "short": "b16",
          "byte": "b8", "short_d16": "d16_b16", "short_d16_hi": "d16_hi_b16"}


def count(text, classes):
    patterns = [(name, re.compile(r"(@!?%\w+\s+)?" + pattern)) for name, pattern in classes]
    counts = collections.Counter()
    for line in map(str.strip, text.splitlines()):
        for name, pattern in patterns:
            if found := pattern.match(line):
                kinds = [WIDTHS.get(kind, kind) for kind in found.groups()[1:] if kind]
                counts[name.format(*kinds) if "{" in name else name] += 1
                break
    if classes is AMDGCN:
        counts["instructions"] = len(re.findall(r"^\t[a-z]+_\w+", text, re.MULTILINE))
        for name, pattern in RESOURCES[1:]:
            counts[name] = sum(map(int, re.findall(pattern, text)))
    return counts


# Run by the Python that has Triton: LDS bytes of each dump that it compiles.
WHEEL = """
import pathlib, sys, triton
from triton.backends.compiler import GPUTarget
for path in sys.argv[1:]:
    arch = pathlib.Path(path).parent.name.removeprefix("hip-")
    try:
        kernel = triton.compile(path, target=GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32))
        print(path, kernel.metadata.shared)
    except Exception:
        pass
"""


def shared_bytes(program, wheel, dumps):
    """Of each dump that both compile: the wheel's bytes of LDS and ours."""
    done = subprocess.run([wheel, "-c", WHEEL, *dumps], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    result = {}
    for path, theirs in (line.rsplit(" ", 1) for line in done.stdout.splitlines()):
        ours = subprocess.run([program, "opt", "--ttgir-to-llvm", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found := re.search(r"ttg\.shared = (\d+)", ours.stdout):
            result[pathlib.Path(path)] = int(theirs), int(found[1])
    return result


def compare(program, ttgir):
    """Real Triton's counts and ours; ours is None where it does not compile, and nothing is said without theirs."""
    for suffix, classes in [("ptx", PTX), ("amdgcn", AMDGCN)]:
        theirs = ttgir.with_suffix("." + suffix)
        if theirs.exists():
            ours = subprocess.run([program, "preview", "--emit", suffix, ttgir], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
            return count(theirs.read_text(), classes), None if ours.returncode else count(ours.stdout, classes)
    return None


def ratio(both, name):
    """Ours by Triton's, for what each kernel has some of; nothing of a class of instructions."""
    logs = [math.log(row[2][name] / row[1][name]) for row in both if row[1][name] and row[2][name]]
    named = {name for name, _ in RESOURCES} | {"bytes of LDS"}
    return f"{math.exp(sum(logs) / len(logs)):9.3f}" if name in named and logs else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--wheel", help="a Python with Triton, for bytes of LDS")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        dumps = sorted(folder.glob("*.ttgir"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda dump: compare(arguments.program.resolve(), dump), dumps))
        if arguments.wheel:
            for dump, sizes in shared_bytes(arguments.program.resolve(), arguments.wheel, dumps).items():
                if (result := results[dumps.index(dump)]) and result[1] is not None:
                    for side, size in zip(result, sizes):
                        side["bytes of LDS"] = size
        both = [(dump.stem, *result) for dump, result in zip(dumps, results) if result and result[1] is not None]
        print(f"{folder.name}: {len(both)} of {sum(map(bool, results))} dumps compile")
        print(f"  {'':22}{'Triton':>8}{'ours':>8}{'more in':>9}{'fewer in':>9}")
        for name in dict.fromkeys(key for _, theirs, ours in both for key in (*theirs, *ours)):
            theirs, ours = (sum(row[side][name] for row in both) for side in (1, 2))
            more = [row for row in both if row[2][name] > row[1][name]]
            fewer = [row for row in both if row[2][name] < row[1][name]]
            print(f"  {name:22}{theirs:8}{ours:8}{len(more):9}{len(fewer):9}{ratio(both, name)}")
            for row in more + fewer if arguments.details else []:
                print(f"    {row[0]}: {row[1][name]} and {row[2][name]}")


if __name__ == "__main__":
    main()
