#!/usr/bin/env python3
"""Processor time of a preview from TTGIR to PTX or AMDGCN, beside Triton's own stages, interleaved: for a machine that is not quiet.

  compile_time.py PYTHON FOLDER... [--rounds N] [--every N]      PYTHON has Triton

A FOLDER is one of a corpus, such as cuda-90 or hip-gfx950, and holds *.ttgir. Both are warm: the previews are those of the
language server ($KERNELSCOPE, or build/bin/kernelscope), with all processes that it starts. Prints a row for each dump when it is
measured, ours, Triton's and the ratio, and the median at the end. Milliseconds, of several rounds the least.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from lspclient import Client, Error

PATIENCE = 120
# Times of processes that have ended are known to a tick.
PREVIEWS = 8
EMIT = {"cuda": "ptx", "hip": "amdgcn"}


def processor_time(pid):
    """Milliseconds of a process and all below it, also of those that have ended."""
    children, times = {}, {}
    tick = 1000 / os.sysconf("SC_CLK_TCK")
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            own = sum(int((task / "schedstat").read_text().split()[0]) for task in entry.glob("task/*")) / 1e6
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.name))
        times[int(entry.name)] = own + (int(fields[13]) + int(fields[14])) * tick
    reached = [pid]
    for parent in reached:
        reached += children.get(parent, [])
    return sum(times.get(process, 0) for process in reached)


def preview(client, path, emit):
    """Milliseconds of one preview; None where it fails."""
    uri = path.as_uri()
    command = {"command": "kernelscope.preview", "arguments": [{"uri": uri, "emit": emit}]}
    before = processor_time(client.process.pid)
    try:
        for _ in range(PREVIEWS):
            client.request("workspace/executeCommand", command, PATIENCE)
    except Error:
        return None
    return (processor_time(client.process.pid) - before) / PREVIEWS


class Triton:
    """One warm process that compiles the files whose names it reads."""

    def __init__(self, python, backend, arch):
        peer = pathlib.Path(__file__).with_name("triton_preview.py")
        self.process = subprocess.Popen([python, str(peer), backend, arch, "serve"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def preview(self, path):
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"{self.process.args[0]} has no Triton, or Triton died of {path}")
        return float(answer) if answer != "failed\n" else None

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(client, triton, path, emit, rounds):
    """Ours and Triton's; nothing if either fails."""
    client.open(path.as_uri(), path.read_text())
    client.wait_diagnostics(path.as_uri(), 1, PATIENCE)
    triton.preview(path)
    pairs = []
    for _ in range(rounds):
        pairs.append((preview(client, path, emit), triton.preview(path)))
        if None in pairs[-1]:
            break
    client.close_document(path.as_uri())
    return None if None in pairs[-1] else tuple(min(times) for times in zip(*pairs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th dump of a folder")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        backend, arch = folder.name.split("-")
        triton = Triton(arguments.python, backend, arch)
        pairs = []
        with Client() as client:
            for path in sorted(folder.glob("*.ttgir"))[::arguments.every]:
                times = measure(client, triton, path.resolve(), EMIT[backend], arguments.rounds)
                if not times:
                    print(f"  {path.stem:36} not compiled by both", flush=True)
                    continue
                pairs.append(times)
                print(f"  {path.stem:36} {times[0]:8.1f} {times[1]:8.1f} {times[0] / times[1]:6.2f}", flush=True)
        triton.close()
        if pairs:
            own, theirs = (sum(times) for times in zip(*pairs))
            median = statistics.median(ours / other for ours, other in pairs)
            print(f"{folder.name}: {len(pairs)} dumps, median {median:.2f}, sum {own:.0f} ms of {theirs:.0f}", flush=True)


main()
