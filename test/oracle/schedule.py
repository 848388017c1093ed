#!/usr/bin/env python3
"""Compares what AMD's code says to the scheduler, in order, with real Triton's: priorities, barriers of the instruction scheduler, and
what stands between them.

Usage: schedule.py [--details] KERNELSCOPE FOLDER...; a folder has NAME.ttgir beside NAME.amdgcn. Of each kernel whose code has
s_setprio, sched_barrier, sched_group_barrier or iglp_opt, in Triton's or in ours: whether the hints follow each other in the same
order, and whether as many matrix instructions, barriers, reads and writes of LDS and global loads stand between each two of them.
--details prints both sequences of each kernel that differs.
"""
import argparse
import itertools
import pathlib
import re
import subprocess

HINT = re.compile(r"(?:; )?(s_setprio|sched_barrier|sched_group_barrier|iglp_opt)\b(.*)")
BETWEEN = [("product", r"v_(s?mfma|s?wmma|swmmac)"), ("barrier", r"s_barrier(_signal)?\b"), ("LDS read", r"ds_(read|load)"),
           ("LDS write", r"ds_(write|store)"), ("load", r"(global|buffer)_load")]


def schedule(assembly):
    """Pairs of what stands before a hint, as counts by kind, and the hint; the last hint is empty."""
    steps, counts = [], dict.fromkeys((kind for kind, _ in BETWEEN), 0)
    for line in map(str.strip, assembly.splitlines()):
        if hint := HINT.match(line):
            steps.append((counts, " ".join((hint[1], *re.findall(r"\w+", hint[2])))))
            counts = dict.fromkeys(counts, 0)
            continue
        for kind, pattern in BETWEEN:
            if re.match(pattern, line):
                counts[kind] += 1
                break
    return [*steps, (counts, "")]


def show(step):
    counts, hint = step
    return " ".join(f"{count} {kind}" for kind, count in counts.items() if count) + (f" | {hint}" if hint else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        kernels = same_order = same_between = 0
        for theirs in sorted(folder.glob("*.amdgcn")):
            dump = theirs.with_suffix(".ttgir")
            expected = schedule(theirs.read_text())
            # Other hints are in the IR in the form of ops.
            if not dump.exists() or (len(expected) == 1 and not re.search(r"setprio|sched|iglp|warp_pipeline", dump.read_text())):
                continue
            done = subprocess.run([arguments.program, "preview", "--emit", "amdgcn", dump], capture_output=True, text=True)
            if done.returncode:
                print(f"{folder.name}/{dump.stem}: does not compile")
                continue
            found = schedule(done.stdout)
            kernels += 1
            is_same = [hint for _, hint in expected] == [hint for _, hint in found]
            same_order += is_same
            # Before the first hint and after the last one it is not about the schedule.
            same_between += is_same and [counts for counts, _ in expected[1:-1]] == [counts for counts, _ in found[1:-1]]
            if arguments.details and expected[1:-1] != found[1:-1]:
                print(f"{folder.name}/{dump.stem}:")
                for left, right in itertools.zip_longest(map(show, expected), map(show, found), fillvalue=""):
                    print(f"  {left:70} {right}")
        print(f"{folder.name}: {kernels} kernels with hints; {same_order} with the same hints in the same order, "
              f"{same_between} with as much between them")


if __name__ == "__main__":
    main()
