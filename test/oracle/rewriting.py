#!/usr/bin/env python3
"""Real Tritons read what we write for their releases.

Usage: rewriting.py KERNELSCOPE FOLDER [--every N] PYTHON... Writes each N-th dump (`*.ttir`, `*.ttgir`) of FOLDER with
`kernelscope opt --release` for the release of each Python's Triton, and lets that Triton parse and verify it. Shows those that it
refuses although we gave no warning. Exits 77, to be skipped, where no Python is given or none has Triton.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Run by the Python with Triton: a Triton that does not take a file may die of it.
READER = """
import os, sys
from triton._C import libtriton
from triton._C.libtriton import ir
context = ir.context()
ir.load_dialects(context)
for backend in ("nvidia", "amd"):
    getattr(libtriton, backend).load_dialects(context)
for path in sys.argv[1:]:
    print("FILE", path, flush=True)
    child = os.fork()
    if child == 0:
        os.dup2(1, 2)
        try:
            ir.parse_mlir_module(path, context)
        except BaseException:
            os._exit(1)
        os._exit(0)
    print("OK" if os.waitpid(child, 0)[1] == 0 else "REFUSED", flush=True)
"""


def version_of(python):
    result = subprocess.run([python, "-c", "import triton; print(triton.__version__)"], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernelscope")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--keep", help="folder in which to leave what was written")
    parser.add_argument("pythons", nargs="*")
    args = parser.parse_intermixed_args()
    versions = [(python, version_of(python)) for python in args.pythons if python]
    versions = [(python, version) for python, version in versions if version]
    if not versions:
        print("skipped: no Python with Triton; name some in KS_TRITON_PYTHONS, separated by ';'")
        sys.exit(77)
    dumps = sorted(path for path in args.folder.rglob("*") if path.suffix in (".ttir", ".ttgir"))[::args.every]
    for python, version in versions:
        release = ".".join(version.split(".")[:2])
        with tempfile.TemporaryDirectory() as scratch:
            scratch = args.keep and os.path.join(args.keep, release) or scratch
            os.makedirs(scratch, exist_ok=True)

            def write(numbered):
                number, dump = numbered
                path = os.path.join(scratch, f"{number}-{dump.parent.name}-{dump.name}")
                done = subprocess.run([args.kernelscope, "opt", f"--release={release}", str(dump), "-o", path],
                                      capture_output=True, text=True)
                return (path, "warning:" in done.stderr) if done.returncode == 0 else None

            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                written = dict(done for done in pool.map(write, enumerate(dumps)) if done)
            output = subprocess.run([python, "-c", READER, *written], capture_output=True, text=True, cwd=scratch).stdout
            refused, foretold, reasons = 0, 0, collections.Counter()
            for part in output.split("FILE ")[1:]:
                if not part.rstrip().endswith("REFUSED"):
                    continue
                refused += 1
                if written[part.splitlines()[0]]:
                    foretold += 1
                    continue
                error = re.search(r"error: (.*)", part)
                reason = re.sub(r"#\w+|%\w+|\d+", "_", error.group(1) if error else "it died")[:150]
                if not reasons[reason]:
                    print(f"  {os.path.basename(part.splitlines()[0])}: {error.group(1)[:200] if error else 'it died'}")
                reasons[reason] += 1
            print(f"{version}: reads {len(written) - refused} of {len(written)} dumps written for it; we warned of {foretold} of "
                  f"the others; {len(dumps) - len(written)} of {len(dumps)} could not be printed")
            for reason, count in reasons.most_common(12):
                print(f"  {count:4} x {reason}")


if __name__ == "__main__":
    main()
