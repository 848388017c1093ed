#!/usr/bin/env python3
"""Compares our assembly with real Triton's by classes of instructions: one table over all dumps, and each dump that differs.

Usage: instructions.py [--details] [--every N] KERNELSCOPE FOLDER...; a folder has NAME.ttgir beside NAME.ptx or NAME.amdgcn, as those
of the corpora do. Counts are those of the text: where LLVM unrolls a loop another number of times, all classes in it
differ. What does not compile yet is counted. --details lists each difference of each dump. On AMD accesses are counted by
width, too, and registers, spills and occupancy are those that the back end states; their ratio is the geometric mean. A
kernel's LDS is given to it at the launch and stands in neither text: it is what the corpus's manifest says, beside ours.
Each dump is reported on stderr when it is done.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time

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
# What the back end says of a kernel, of its registers with those of the functions that it calls.
RESOURCES = [("instructions", None), ("VGPRs", r"\.vgpr_count: +(\d+)"), ("SGPRs", r"\.sgpr_count: +(\d+)"), ("occupancy", r"; Occupancy: (\d+)"),
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


def shared_bytes(folder):
    """Of each dump whose compilation the corpus's manifest says to be complete: the bytes of LDS, or of shared memory."""
    manifest = folder.parent / "manifest.json"
    files = json.loads(manifest.read_text())["files"] if manifest.exists() else []
    return {file["kernel"]: file["shared"] for file in files
            if file["stage"] == "ttgir" and file["shared"] is not None and pathlib.Path(file["file"]).parent.name == folder.name}


def compare(program, ttgir, shared, limit):
    """Real Triton's counts and ours; ours is None where it does not compile in `limit` seconds, and nothing is said without theirs."""
    def run(*arguments):
        try:
            done = subprocess.run([program, *arguments, ttgir], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        return None if done.returncode else done.stdout

    for suffix, classes in [("ptx", PTX), ("amdgcn", AMDGCN)]:
        theirs = ttgir.with_suffix("." + suffix)
        if not theirs.exists():
            continue
        theirs, ours = count(theirs.read_text(), classes), run("preview", "--emit", suffix)
        if ours is None:
            return theirs, None
        ours = count(ours, classes)
        found = re.search(r"ttg\.shared = (\d+)", run("opt", "--ttgir-to-llvm") or "")
        if found and shared is not None:
            theirs["bytes of LDS"], ours["bytes of LDS"] = shared, int(found[1])
        return theirs, ours
    return None


def ratio(both, name):
    """Ours by Triton's, for what each kernel has some of; nothing of a class of instructions."""
    logs = [math.log(row[2][name] / row[1][name]) for row in both if row[1][name] and row[2][name]]
    named = {name for name, _ in RESOURCES} | {"bytes of LDS"}
    return f"{math.exp(sum(logs) / len(logs)):9.3f}" if name in named and logs else ""


def print_table(name, results, details):
    both = [(dump, *result) for dump, result in results if result and result[1] is not None]
    print(f"{name}: {len(both)} of {sum(bool(result) for _, result in results)} dumps compile")
    print(f"  {'':22}{'Triton':>8}{'ours':>8}{'more in':>9}{'fewer in':>9}")
    for kind in dict.fromkeys(key for _, theirs, ours in both for key in (*theirs, *ours)):
        theirs, ours = (sum(row[side][kind] for row in both) for side in (1, 2))
        more = [row for row in both if row[2][kind] > row[1][kind]]
        fewer = [row for row in both if row[2][kind] < row[1][kind]]
        print(f"  {kind:22}{theirs:8}{ours:8}{len(more):9}{len(fewer):9}{ratio(both, kind)}")
        for row in more + fewer if details else []:
            print(f"    {row[0]}: {row[1][kind]} and {row[2][kind]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth dump of a folder")
    parser.add_argument("--first", type=int, default=0, metavar="I", help="from this one on, to share a folder out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=120, help="seconds for a dump")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        dumps = sorted(folder.glob("*.ttgir"))[arguments.first::arguments.every]
        shared = shared_bytes(folder.resolve())

        def work(dump):
            start = time.monotonic()
            result = compare(arguments.program.resolve(), dump, shared.get(dump.stem), arguments.limit)
            outcome = "no code of Triton's" if not result else "does not compile" if result[1] is None else "done"
            print(f"{folder.name}/{dump.stem}: {outcome}, {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
            return dump.stem, result

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            print_table(folder.name, list(pool.map(work, dumps)), arguments.details)


if __name__ == "__main__":
    main()
