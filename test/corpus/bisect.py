#!/usr/bin/env python3
"""Bisects the dumps of all passes of a corpus: bisect.py KERNELSCOPE FOLDER... [--only KERNEL]...

Triton's passes are right, so that none may be found at fault. Prints a line for each dump: seconds, and how many sections ran. Exits 1 when
a pass is found or a dump does not run, and 77, to be skipped, without the corpus.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time


def bisect(program, dump):
    """What there is to say of a dump, and whether it is as it should be."""
    start = time.monotonic()
    done = subprocess.run([program, "bisect", "--format", "json", dump], capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1) or not done.stdout:
        return f"{seconds:5.1f} s  {done.stderr.strip()}", False
    answer = json.loads(done.stdout)
    if answer["passes"]:
        return f"{seconds:5.1f} s  {answer['report']}", False
    outcomes = [section["outcome"] for section in answer["sections"]]
    ran = [outcome for outcome in outcomes if outcome not in ("not run", "unchanged")]
    return f"{seconds:5.1f} s  {len(ran)} of {len(outcomes)} sections ran, {outcomes.count('unchanged')} are as before them", True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--only", metavar="KERNEL", action="append")
    options = parser.parse_args()
    dumps = sorted(path for folder in options.folders for path in folder.rglob("*.passes.mlir"))
    if not dumps:
        print("SKIPPED: no dumps of passes in", *options.folders)
        return 77
    failed = 0
    for dump in dumps:
        if options.only and dump.name.split(".")[0] not in options.only:
            continue
        says, is_right = bisect(options.program, dump)
        print(f"{'/'.join(dump.parts[-3:])}: {says}", flush=True)
        failed += not is_right
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
