#!/usr/bin/env python3
"""The latencies that a user feels, beside those of the peers on the same work; prints medians in a table.

  latency.py [--runs N] [--corpus FOLDER]

Peers, measured on the same corpus: MLIR's stock server with Triton's dialects takes 7 ms from the start to the answer
to `initialize`, 129 ms from an edit of flash_fwd_causal to its diagnostics, and 2.5 s for a hover behind a burst of 20
edits of it; Triton 3.6.0 takes a median 37 ms from a TTGIR to its PTX.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from lspclient import KERNEL, Client, Error, find, large, position

PEER_INITIALIZE, PEER_EDIT, PEER_BURST, PEER_PREVIEW = 7, 129, 2500, 37
KERNELS = """vec_add vec_add_f16x8 grid_stride_saxpy clamp_select math_zoo integer_ops mixed_precision_fma softmax_row
softmax_row_w8 rmsnorm_residual column_stats gemv transpose_tile collatz_steps embedding_lookup dropout_fwd gl_copy
gl_softmax gl_transpose""".split()
URI = "file:///bench/kernel.ttgir"


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def row(name, times, peer=None):
    median = statistics.median(times)
    beside = f"{peer:>9.0f} {peer / median:>8.1f}x" if peer else ""
    print(f"{name:<44} {median:>9.1f} {min(times):>9.1f} {max(times):>9.1f} {beside}".rstrip(), flush=True)


def initialize(runs):
    def once():
        client = Client(initialize=False)
        clients.append(client)
        client.initialize()
    clients = []
    times = []
    for _ in range(runs):
        times.append(milliseconds(once))
        clients.pop().close()
    row("start to the answer to initialize", times, PEER_INITIALIZE)


def edits(name, text, runs, peers):
    opened, edited, hovered, bursts = [], [], [], []
    with Client() as client:
        for run in range(runs):
            uri = f"file:///bench/open{run}.ttgir"
            opened.append(milliseconds(lambda: (client.open(uri, text), client.wait_diagnostics(uri, 1, 60))))
            client.close_document(uri)
        client.open(URI, text)
        client.wait_diagnostics(URI, 1, 60)
        # In the middle of the file, a value's name in an op of a function.
        middle = text.index("\n", text.index(" = ", len(text) // 2))
        at = position(text, text.index(" = ", middle))
        hover_at = position(text, text.index(" = ", middle) + 4)
        version = 1
        for _ in range(runs):
            def edit():
                nonlocal version
                version += 1
                # Back and forth: a broken name, and the name mended.
                client.change(URI, version, (at, at, "x") if version % 2 == 0 else ((at[0], at[1]), (at[0], at[1] + 1), ""))
                client.wait_diagnostics(URI, version, 60)
            edited.append(milliseconds(edit))
        for _ in range(runs):
            hovered.append(milliseconds(lambda: client.hover(URI, *hover_at)))
        for _ in range(runs):
            def burst():
                nonlocal version
                for _ in range(20):
                    version += 1
                    client.change(URI, version, (at, at, "x"))
                client.hover(URI, *hover_at, timeout=60)
            bursts.append(milliseconds(burst))
            client.wait_diagnostics(URI, version, 60)
    row(f"{name}: open to diagnostics", opened)
    row(f"{name}: edit to diagnostics", edited, PEER_EDIT if peers else None)
    row(f"{name}: hover", hovered)
    row(f"{name}: 20 edits and a hover behind", bursts, PEER_BURST if peers else None)


def previews(corpus, runs):
    medians = []
    with Client() as client:
        for arch, emit in ("sm_90a", "ptx"), ("gfx950", "amdgcn"):
            target = "cuda-90" if emit == "ptx" else "hip-gfx950"
            for kernel in KERNELS:
                file = corpus / target / f"{kernel}.ttgir"
                if not file.exists():
                    continue
                uri = file.as_uri()
                client.open(uri, file.read_text())
                def once():
                    client.request("workspace/executeCommand", {"command": "kernelscope.preview", "arguments": [
                        {"uri": uri, "arch": arch, "emit": emit}]}, timeout=60)
                try:
                    times = [milliseconds(once) for _ in range(runs)]
                except Error as error:
                    print(f"preview {target}/{kernel}: {error}")
                    continue
                medians.append(statistics.median(times))
                row(f"preview {target}/{kernel}", times, PEER_PREVIEW if emit == "ptx" else None)
                client.close_document(uri)
    if medians:
        row("preview: median of the kernels", medians, PEER_PREVIEW)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--corpus", type=lambda name: Path(name).resolve(), default=root / "build/corpus/triton-3.6.0")
    arguments = parser.parse_args()
    print(f"{'milliseconds':<44} {'median':>9} {'least':>9} {'most':>9} {'peer':>9} {'ratio':>9}")
    initialize(arguments.runs)
    flash = arguments.corpus / "cuda-100/flash_fwd_causal.ttgir"
    if flash.exists():
        edits("flash_fwd_causal", flash.read_text(), arguments.runs, peers=True)
    else:
        print(f"no corpus at {arguments.corpus}: its kernels are left out", file=sys.stderr)
    edits("15,000 lines", large(15000), arguments.runs, peers=False)
    previews(arguments.corpus, arguments.runs)


if __name__ == "__main__":
    main()
