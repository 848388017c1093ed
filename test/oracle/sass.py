#!/usr/bin/env python3
"""Compares the SASS of our PTX with that of real Triton's: instructions by class, registers, spills, shared memory, columns.

Usage: sass.py [--details] KERNELSCOPE TOOLS FOLDER...; a folder has NAME.ttgir beside real Triton's NAME.ptx, and the bytes of
shared memory in the manifest.json beside it. TOOLS is the folder of ptxas and nvdisasm, such as that of Triton's wheel,
triton/backends/nvidia/bin. --details lists each kernel that differs. Ratios are geometric means.
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
import tempfile

# The first that matches has it. Behind them what ptxas and the IR say of a kernel.
CLASSES = [("UTC*MMA", r"UTC\w*MMA"), ("UTCCP", r"UTCCP"), ("UTCBAR", r"UTCBAR"), ("UTMALDG", r"UTMALDG"), ("UTMASTG", r"UTM(ST|RED)G|UTMASTG"),
           ("LDTM", r"LDTM"), ("STTM", r"STTM"), ("SYNCS", r"SYNCS"), ("*MMA", r"\w*MMA"), ("LDSM", r"LDSM"), ("STSM", r"STSM"),
           ("LDGSTS", r"LDGSTS"), ("LDG", r"LDG"), ("STG", r"STG"), ("LDS", r"LDS"), ("STS", r"STS"), ("BAR", r"BAR"),
           ("SHFL", r"SHFL"), ("MUFU", r"MUFU"), ("other", r"\w+")]
RESOURCES = ["instructions", "registers", "spilled bytes", "shared bytes", "columns"]


def arch_of(ptx):
    return re.search(r"^\.target (sm_\w+)", ptx, re.M)[1]


def assemble(ptx, shared, tools):
    """Counts of PTX, assembled; None if ptxas refuses it."""
    arch = arch_of(ptx)
    newest = tools / "ptxas-blackwell"
    assembler = newest if newest.exists() and int(re.sub(r"\D", "", arch)) >= 100 else tools / "ptxas"
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as text, tempfile.NamedTemporaryFile(suffix=".cubin") as cubin:
        text.write(ptx)
        text.flush()
        done = subprocess.run([assembler, "-v", f"-arch={arch}", text.name, "-o", cubin.name], capture_output=True, text=True)
        if done.returncode:
            return None
        sass = subprocess.run([tools / "nvdisasm", "-c", cubin.name], capture_output=True, text=True, check=True).stdout
    counts = collections.Counter()
    for opcode in re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P[0-9T]+\s+)?([A-Z0-9_]+)", sass, re.M):
        counts[next(name for name, pattern in CLASSES if re.fullmatch(pattern, opcode))] += 1
        counts["instructions"] += 1
    counts["registers"] = max(map(int, re.findall(r"Used (\d+) registers", done.stderr)), default=0)
    counts["spilled bytes"] = sum(map(int, re.findall(r"(\d+) bytes spill stores", done.stderr)))
    counts["shared bytes"] = shared
    counts["columns"] = max(map(int, re.findall(r"tcgen05\.alloc\.[^;]*, *(\d+);", ptx)), default=0)
    return counts


def compare(program, dump, tools, shared):
    """Real Triton's counts and ours; None for what is not compiled."""
    theirs = dump.with_suffix(".ptx").read_text()
    ask = lambda *command: subprocess.run([program, *command, dump], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    ours = ask("preview", "--arch", arch_of(theirs), "--emit", "ptx")
    lowered = ask("opt", f"--ttgir-to-llvm=arch={arch_of(theirs)}")
    own = re.search(r"ttg\.shared = (\d+)", lowered.stdout)
    return (assemble(theirs, shared.get(f"{dump.parent.name}/{dump.name}", 0), tools),
            None if ours.returncode else assemble(ours.stdout, int(own[1]) if own else 0, tools))


def ratio(both, name):
    """Ours by Triton's, over the kernels in which both have some."""
    logs = [math.log(ours[name] / theirs[name]) for _, theirs, ours in both if theirs[name] and ours[name]]
    return f"{math.exp(sum(logs) / len(logs)):9.3f}" if name in RESOURCES and logs else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--details", action="store_true")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    for folder in options.folders:
        dumps = [dump for dump in sorted(folder.glob("*.ttgir")) if dump.with_suffix(".ptx").exists()]
        manifest = folder.resolve().parent / "manifest.json"
        shared = {row["file"]: row["shared"] for row in json.loads(manifest.read_text())["files"]} if manifest.exists() else {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda dump: compare(options.program.resolve(), dump, options.tools, shared), dumps))
        both = [(dump.stem, *result) for dump, result in zip(dumps, results) if None not in result]
        print(f"{folder.name}: {len(both)} of {len(dumps)} dumps assemble")
        print(f"  {'':16}{'Triton':>9}{'ours':>9}{'more in':>9}{'fewer in':>9}{'ratio':>9}")
        for name in [*dict(CLASSES), *RESOURCES]:
            theirs, ours = (sum(row[side][name] for row in both) for side in (1, 2))
            more = [row for row in both if row[2][name] > row[1][name]]
            fewer = [row for row in both if row[2][name] < row[1][name]]
            if theirs or ours:
                print(f"  {name:16}{theirs:9}{ours:9}{len(more):9}{len(fewer):9}{ratio(both, name)}")
            for row in more + fewer if options.details else []:
                print(f"    {row[0]}: {row[1][name]} and {row[2][name]}")


if __name__ == "__main__":
    main()
