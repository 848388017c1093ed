#!/usr/bin/env python3
"""The latencies that a user feels, beside those of the peers on the same work; prints medians in a table.

  latency.py [--runs N] [--corpus FOLDER] [--stock PROGRAM]

PROGRAM is MLIR's stock language server over our dialects (build/bin/stock_lsp), measured in the same run; without it the
figures are those that were measured once with Triton's dialects: 7 ms from the start to the answer to `initialize`, 129 ms
from an edit of flash_fwd_causal to its diagnostics, 2.5 s for a hover behind a burst of 20 edits of it. The peer of a
preview is Triton 3.6.0, which takes a median 37 ms from a TTGIR to its PTX.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from lspclient import Client, Error, large, position

STOCK = {"initialize": 7, "edit": 129, "burst": 2500}
TRITON_PREVIEW = 37
KERNELS = """vec_add vec_add_f16x8 grid_stride_saxpy clamp_select math_zoo integer_ops mixed_precision_fma softmax_row
softmax_row_w8 rmsnorm_residual column_stats gemv transpose_tile collatz_steps embedding_lookup dropout_fwd gl_copy
gl_softmax gl_transpose""".split()
URI = "file:///bench/kernel.ttgir"
PATIENCE = 120


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def row(name, times, peer=None):
    median = statistics.median(times)
    beside = f"{peer:>9.1f} {peer / median:>8.1f}x" if peer else ""
    print(f"{name:<44} {median:>9.1f} {min(times):>9.1f} {max(times):>9.1f} {beside}".rstrip(), flush=True)


def connect(program, **options):
    return Client("--log=error", program=program, **options) if program else Client(**options)


def initialize(program, runs):
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        client = connect(program, initialize=False)
        client.initialize()
        times.append((time.perf_counter() - begin) * 1000)
        client.close()
    return times


class Document:
    """A text in the editor, edited in its middle, before an op. It stays valid: a broken one would stop the peer early."""

    def __init__(self, client, text, incremental):
        self.client, self.text, self.incremental, self.version = client, text, incremental, 1
        self.index = text.index("%", text.index("\n", len(text) // 2))
        self.place = position(text, self.index)
        client.open(URI, text)
        client.wait_diagnostics(URI, 1, PATIENCE)

    def type(self):
        self.version += 1
        self.text = self.text[:self.index] + " " + self.text[self.index:]
        change = (self.place, self.place, " ") if self.incremental else self.text
        self.client.change(URI, self.version, change)

    def wait(self):
        self.client.wait_diagnostics(URI, self.version, PATIENCE)

    def hover(self):
        self.client.hover(URI, *position(self.text, self.text.index(" = ", self.index) + 4), timeout=PATIENCE)


def edits(program, text, runs, incremental=True):
    """The times of each kind of work on a text, with our server or another."""
    times = {"open": [], "edit": [], "hover": [], "burst": []}
    with connect(program) as client:
        for run in range(runs):
            uri = f"file:///bench/open{run}.ttgir"
            times["open"].append(milliseconds(lambda: (client.open(uri, text),
                                                       client.wait_diagnostics(uri, 1, PATIENCE))))
            client.close_document(uri)
        document = Document(client, text, incremental)
        for _ in range(runs):
            times["edit"].append(milliseconds(lambda: (document.type(), document.wait())))
            times["hover"].append(milliseconds(document.hover))

        def burst():
            for _ in range(20):
                document.type()
            document.hover()
        for _ in range(runs):
            times["burst"].append(milliseconds(burst))
            document.wait()
    return times


def compare(name, text, runs, stock, known=None):
    peer = {}
    if stock:
        peer = {work: statistics.median(times)
                for work, times in edits(stock, text, max(3, runs // 5), incremental=False).items()}
    elif known:
        peer = known
    ours = edits(None, text, runs)
    for work, what in (("open", "open to diagnostics"), ("edit", "edit to diagnostics"), ("hover", "hover"),
                       ("burst", "20 edits and a hover behind")):
        row(f"{name}: {what}", ours[work], peer.get(work))


def previews(corpus, runs):
    medians = {"ptx": [], "amdgcn": []}
    with Client() as client:
        for arch, emit, target in ("sm_90a", "ptx", "cuda-90"), ("gfx950", "amdgcn", "hip-gfx950"):
            for kernel in KERNELS:
                file = corpus / target / f"{kernel}.ttgir"
                if not file.exists():
                    continue
                uri = file.as_uri()
                client.open(uri, file.read_text())
                argument = {"uri": uri, "arch": arch, "emit": emit}
                command = {"command": "kernelscope.preview", "arguments": [argument]}
                try:
                    times = [milliseconds(lambda: client.request("workspace/executeCommand", command, PATIENCE))
                             for _ in range(runs)]
                except Error as error:
                    print(f"preview {target}/{kernel}: {error}")
                    continue
                medians[emit].append(statistics.median(times))
                row(f"preview {target}/{kernel}", times, TRITON_PREVIEW if emit == "ptx" else None)
                client.close_document(uri)
    if medians["ptx"]:
        row("preview to PTX: the median kernel", medians["ptx"], TRITON_PREVIEW)
    if medians["amdgcn"]:
        row("preview to AMDGCN: the median kernel", medians["amdgcn"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--corpus", type=lambda name: Path(name).resolve(),
                        default=root / "build/corpus/triton-3.6.0")
    parser.add_argument("--stock", help="a stock language server to measure beside ours")
    arguments = parser.parse_args()
    print(f"{'milliseconds':<44} {'median':>9} {'least':>9} {'most':>9} {'peer':>9} {'ratio':>9}")
    peer = STOCK["initialize"]
    if arguments.stock:
        peer = statistics.median(initialize(arguments.stock, arguments.runs))
    row("start to the answer to initialize", initialize(None, arguments.runs), peer)
    flash = arguments.corpus / "cuda-100/flash_fwd_causal.ttgir"
    if flash.exists():
        compare("flash_fwd_causal", flash.read_text(), arguments.runs, arguments.stock, STOCK)
    else:
        print(f"no corpus at {arguments.corpus}: its kernels are left out", file=sys.stderr)
    compare("15,000 lines", large(15000), arguments.runs, arguments.stock)
    previews(arguments.corpus, arguments.runs)


if __name__ == "__main__":
    main()
