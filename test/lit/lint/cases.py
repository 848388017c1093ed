#!/usr/bin/env python3
"""Counts the cases of each rule: cases.py KERNELSCOPE FOLDER. Exits 1 where a rule has fewer than ten of a kind.

A case is a function in the folder's files. It is one of breaking a rule where the rule is reported in it, and one of keeping
the rule where nothing is reported and it has what the rule is about.
"""
import json
import pathlib
import re
import subprocess
import sys

LEAST = 10
COPY = r"async_copy_global_to_local|buffer_load_to_local|async_tdm_copy_global|async_tma_(?:copy_global|gather)"
READ = r"local_load|tc_gen5_mma|warp_group_dot|tmem_load"
ARRIVAL = r"arrive_barrier|tc_gen5_commit|barrier_expect|%\w+\[%\w+\] \{is_async"
# What a function has that a rule is about: all of these.
ABOUT = {
    "aref-pairing": [r"nvws\.aref\.(?:put|get)\.enter"],
    "async-wait-missing": [COPY, READ],
    "barrier-arrivals": [r"init_barrier", ARRIVAL],
    "barrier-bytes": [r"barrier_expect|nvws\.descriptor_load", r"async_tma_(?:copy_global|gather)|async_shared_store|descriptor_load|clc_try"],
    "barrier-wait-missing": [r"init_barrier", r"async_tma_(?:copy_global|gather)|tc_gen5_mma", READ],
    "lds-width": [r"async_copy_global_to_local|buffer_load_to_local"],
    "phase-parity": [r"wait_barrier", ARRIVAL, r"scf\.(?:for|while)|warp_specialize"],
    "product-wait-missing": [r"isAsync = true"],
    "shared-memory-bytes": [r"local_alloc"],
    "tensor-memory-columns": [r"tmem_alloc"],
    "wait-count": [r"async_(?:tdm_)?wait"],
}


def functions(text):
    """(first line, last line, text) of each function; lines from 1."""
    lines = text.split("\n")
    first = None
    for number, line in enumerate(lines, 1):
        if line.startswith("  tt.func"):
            first = number
        elif first and line.startswith("  }"):
            yield first, number, "\n".join(lines[first - 1:number])
            first = None


def report(breaking, keeping):
    """Prints how many cases break and keep each rule; gives the rules that have fewer than LEAST of a kind."""
    print(f"{'rule':22} {'broken':>6} {'kept':>6}")
    for code in ABOUT:
        print(f"{code:22} {breaking[code]:6} {keeping[code]:6}")
    few = [code for code in ABOUT if min(breaking[code], keeping[code]) < LEAST]
    if few:
        print(f"fewer than {LEAST} of a kind: {', '.join(few)}")
    return few


def main():
    program, folder = sys.argv[1:]
    paths = sorted(pathlib.Path(folder).glob("*.mlir"))
    result = subprocess.run([program, "check", "--format=json", *map(str, paths)], capture_output=True, check=False)
    found = {file["path"]: file["diagnostics"] for file in json.loads(result.stdout)["files"]}
    breaking, keeping = dict.fromkeys(ABOUT, 0), dict.fromkeys(ABOUT, 0)
    for path in paths:
        is_amd = "hip:" in path.read_text()
        for first, last, text in functions(path.read_text()):
            codes = {one["code"] for one in found[str(path)] if first <= one["line"] <= last}
            for code, needed in ABOUT.items():
                if code in codes:
                    breaking[code] += 1
                elif not codes and all(re.search(part, text) for part in needed) and (code != "lds-width" or is_amd):
                    keeping[code] += 1
    sys.exit(1 if report(breaking, keeping) else 0)


if __name__ == "__main__":
    main()
