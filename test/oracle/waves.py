#!/usr/bin/env python3
"""Runs kernels of a corpus on the wave simulator, and compares each with the executor.

  waves.py --kernelscope PROGRAM [--theirs] FOLDER|FILE.ttgir...

With --theirs the code is real Triton's own, the .llir beside each .ttgir, which judges the simulator; without it is
ours, which the simulator judges. Prints a line for each kernel that is not right, with the reason, and a row for each
folder. Not part of CI.
"""
import argparse
import collections
import pathlib
import subprocess


def judge(args, ttgir):
    """'right', 'wrong' or 'not run', and why."""
    command = [args.kernelscope, "run", ttgir, "--device", "sim", "--compare"]
    if args.theirs:
        command += ["--code", ttgir.with_suffix(".llir")]
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return "not run", f"longer than {args.timeout} s"
    if "differs from the CPU executor" not in done.stdout:
        said = [line for line in done.stderr.splitlines() if "error" in line] or ["not compared with the executor"]
        return "not run", said[0]
    if done.returncode:
        return "wrong", next(line.strip() for line in done.stdout.splitlines() if "outside the tolerance" in line)
    return "right", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernelscope", required=True)
    parser.add_argument("--theirs", action="store_true", help="run real Triton's own .llir")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for a kernel")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    rows = []
    for path in args.paths:
        files = sorted(path.glob("*.ttgir")) if path.is_dir() else [path]
        if args.theirs:
            files = [file for file in files if file.with_suffix(".llir").exists()]
        counts = collections.Counter()
        for file in files:
            outcome, why = judge(args, file)
            counts[outcome] += 1
            if why:
                print(f"{outcome}: {file}: {why}", flush=True)
        rows.append((path, len(files), counts))
    print("| kernels of | all | right | wrong | not run |\n|---|---|---|---|---|")
    for path, count, counts in rows:
        print(f"| {path} | {count} | {counts['right']} | {counts['wrong']} | {counts['not run']} |")


main()
