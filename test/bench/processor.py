#!/usr/bin/env python3
"""The processor time that a server takes for opening and editing, beside its peer's, interleaved: for a machine that is not quiet.

  processor.py STOCK [--rounds N] [--corpus FOLDER]

STOCK is MLIR's stock language server over our dialects (build/bin/stock_lsp). Milliseconds of all processes of the server,
user and system, per opened text and per edit; of several rounds the least, since a busy machine only adds.
"""

import argparse
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from latency import PATIENCE, Document, connect
from lspclient import large


def processor_time(pid):
    """Milliseconds of a process and its children, to the nanosecond where the kernel tells."""
    total = 0.0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(entry.name) == pid or int(fields[1]) == pid:
                total += sum(int((task / "schedstat").read_text().split()[0]) for task in entry.glob("task/*")) / 1e6
        except OSError:
            pass
    return total


def measure(program, text, opens, edits):
    """Milliseconds per opened text, and per edit."""
    with connect(program) as client:
        pid = client.process.pid
        # What a server does once, such as warming up the process that compiles, is no text's.
        Document(client, text, incremental=program is None)
        before = processor_time(pid)
        for run in range(opens):
            uri = f"file:///bench/open{run}.ttgir"
            client.open(uri, text)
            client.wait_diagnostics(uri, 1, PATIENCE)
        opened = processor_time(pid)
        document = Document(client, text, incremental=program is None)
        middle = processor_time(pid)
        for _ in range(edits):
            document.type()
            document.wait()
        return (opened - before) / opens, (processor_time(pid) - middle) / edits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stock")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--corpus", type=Path, default=root / "build/corpus/triton-3.6.0")
    arguments = parser.parse_args()
    texts = {"15,000 lines": (large(15000), 4, 10)}
    flash = arguments.corpus / "cuda-100/flash_fwd_causal.ttgir"
    if flash.exists():
        texts = {"flash_fwd_causal": (flash.read_text(), 20, 40), **texts}
    print(f"{'milliseconds of the processor':<32} {'ours':>8} {'peer':>8} {'ours/peer':>10}")
    for name, (text, opens, edits) in texts.items():
        ours, peers = [], []
        for _ in range(arguments.rounds):
            ours.append(measure(None, text, opens, edits))
            peers.append(measure(arguments.stock, text, opens, edits))
        for index, what in enumerate(("open", "edit")):
            our, peer = min(one[index] for one in ours), min(one[index] for one in peers)
            print(f"{name + ': ' + what:<32} {our:>8.1f} {peer:>8.1f} {our / peer:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
