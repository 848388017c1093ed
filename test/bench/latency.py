#!/usr/bin/env python3
"""The latencies that a user feels, beside those of the peers on the same work; prints medians and 95th percentiles in a table.

  latency.py [--runs N] [--corpus FOLDER] [--stock PROGRAM] [--triton PYTHON]

PROGRAM is MLIR's stock language server over our dialects (build/bin/stock_lsp), the peer of everything but the previews, in
turns with ours. PYTHON is one that has Triton, the peer of the previews; without the option one on the PATH is taken. Peers
are measured in the same run; a figure without its peer stands alone. Each turn starts a server, whose first text takes longest.
"""

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from lspclient import Client, Error, large, position

KERNELS = """vec_add vec_add_f16x8 grid_stride_saxpy clamp_select math_zoo integer_ops mixed_precision_fma softmax_row
softmax_row_w8 rmsnorm_residual column_stats gemv transpose_tile collatz_steps embedding_lookup dropout_fwd gl_copy
gl_softmax gl_transpose""".split()
URI = "file:///bench/kernel.ttgir"
PATIENCE = 120


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def p95(times):
    return sorted(times)[math.ceil(0.95 * len(times)) - 1]


def row(name, times, peers=()):
    """The figures of ours, then of the peer; ratios are the peer's over ours."""
    median = statistics.median(times)
    text = f"{name:<44} {median:>8.1f} {p95(times):>8.1f} {max(times):>8.1f}"
    if peers:
        peer = statistics.median(peers)
        text += f" {peer:>8.1f} {p95(peers):>8.1f} {peer / median:>7.1f}x {p95(peers) / p95(times):>7.1f}x"
    print(text, flush=True)


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
    """A text in the editor, edited in its middle, inside an op. It stays valid: a broken one would stop the peer early."""

    def __init__(self, client, text, incremental):
        self.client, self.text, self.incremental, self.version = client, text, incremental, 1
        self.index = text.index(" = ", len(text) // 2)
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


def compare(name, text, runs, stock):
    """In turns, since a machine is not as fast all the time."""
    ours, peers = {}, {}
    servers = [(None, True, ours)] + ([(stock, False, peers)] if stock else [])
    rounds = max(1, runs // 5)
    for _ in range(rounds):
        for program, incremental, found in servers:
            for work, times in edits(program, text, runs // rounds, incremental).items():
                found.setdefault(work, []).extend(times)
    for work, what in (("open", "open to diagnostics"), ("edit", "edit to diagnostics"), ("hover", "hover"),
                       ("burst", "20 edits and a hover behind")):
        row(f"{name}: {what}", ours[work], peers.get(work, ()))


def visible_tokens(lines, runs):
    """The colours of 60 lines in the middle of a large file."""
    text = large(lines)
    middle = text.count("\n") // 2
    shown = {"textDocument": {"uri": URI}, "range": {"start": {"line": middle, "character": 0},
                                                     "end": {"line": middle + 60, "character": 0}}}
    with Client() as client:
        client.open(URI, text)
        client.wait_diagnostics(URI, 1, PATIENCE)
        row(f"{lines:,} lines: tokens of what is visible",
            [milliseconds(lambda: client.request("textDocument/semanticTokens/range", shown, PATIENCE)) for _ in range(runs)])


def find_triton():
    """A Python on the PATH that has Triton, or nothing."""
    for name in "python3", "python":
        python = shutil.which(name)
        if python and subprocess.run([python, "-c", "import triton"], capture_output=True).returncode == 0:
            return python
    return None


def triton_previews(python, backend, arch, files, runs):
    """Triton's median for each file that it can compile."""
    command = [python, root / "test/bench/triton_preview.py", backend, arch, str(runs), *files]
    result = subprocess.run(command, stdout=subprocess.PIPE)
    if result.returncode:
        print(f"{python} cannot measure Triton for {backend}: its figures are missing", file=sys.stderr)
        return {}
    return {Path(file): statistics.median(times) for file, times in json.loads(result.stdout).items()}


def our_previews(client, file, argument, runs):
    uri = file.as_uri()
    client.open(uri, file.read_text())
    command = {"command": "kernelscope.preview", "arguments": [{"uri": uri, **argument}]}
    times = [milliseconds(lambda: client.request("workspace/executeCommand", command, PATIENCE)) for _ in range(runs)]
    client.close_document(uri)
    return times


def previews(corpus, runs, triton):
    for arch, emit, target, backend in (("sm_90a", "ptx", "cuda-90", ("cuda", "90")),
                                        ("gfx950", "amdgcn", "hip-gfx950", ("hip", "gfx950"))):
        files = [file for kernel in KERNELS if (file := corpus / target / f"{kernel}.ttgir").exists()]
        peers = triton_previews(triton, *backend, files, runs) if triton and files else {}
        ours = {}
        with Client() as client:
            for file in files:
                try:
                    times = our_previews(client, file, {"arch": arch, "emit": emit}, runs)
                except Error as error:
                    print(f"preview {target}/{file.stem}: {error}")
                    continue
                ours[file] = statistics.median(times)
                row(f"preview {target}/{file.stem}", times, [peers[file]] if file in peers else ())
        if ours:
            # Beside each other only what both could compile.
            both = [file for file in ours if file in peers]
            row(f"preview to {emit}: the median of {len(both) or len(ours)} kernels",
                [ours[file] for file in both or ours], [peers[file] for file in both])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--corpus", type=lambda name: Path(name).resolve(),
                        default=root / "build/corpus/triton-3.6.0")
    parser.add_argument("--stock", help="a stock language server to measure beside ours")
    parser.add_argument("--triton", metavar="PYTHON", default=find_triton(), help="a Python that has Triton")
    arguments = parser.parse_args()
    if not arguments.triton:
        print("no Python here has Triton (--triton PYTHON): the figures of its previews are missing", file=sys.stderr)
    if not arguments.stock:
        print("no stock server (--stock PROGRAM): its figures are missing", file=sys.stderr)
    print(f"{'milliseconds':<44} {'median':>8} {'p95':>8} {'most':>8} {'peer':>8} {'p95':>8} {'ratio':>8} {'of p95':>8}")
    peers = initialize(arguments.stock, arguments.runs) if arguments.stock else ()
    row("start to the answer to initialize", initialize(None, arguments.runs), peers)
    flash = arguments.corpus / "cuda-100/flash_fwd_causal.ttgir"
    if flash.exists():
        compare("flash_fwd_causal", flash.read_text(), arguments.runs, arguments.stock)
    else:
        print(f"no corpus at {arguments.corpus}: its kernels are left out", file=sys.stderr)
    compare("15,000 lines", large(15000), arguments.runs, arguments.stock)
    visible_tokens(140000, arguments.runs)
    previews(arguments.corpus, arguments.runs, arguments.triton)


if __name__ == "__main__":
    main()
