#!/usr/bin/env python3
"""Edits dumps at random through the language server and asks for everything at random places.

  edits.py [--texts N | --seconds N] [--seed N] [--corpus FOLDER]

Each request must be answered and each text's diagnostics must come. A text over which the engine dies is written to
crash-SEED-N.mlir in the working directory; the exit code is 1 if there is one.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from lspclient import KERNEL, Client, Error, at, position, whole

WHOLE = ["documentSymbol", "codeLens", "foldingRange", "semanticTokens/full", "inlayHint", "codeAction"]
PLACED = ["hover", "definition", "references", "documentHighlight", "completion"]
PIECES = list("()[]{}<>#%!@^:,=\"'.-?0x \n\t\\") + ["é", "𝛼", "->", "tt.", "tt.load", "loc(", "//", "// -----\n", "dense<",
                                                   "tensor<", "!tt.ptr<", "#ttg.", "^bb0", "-1", "4294967296", "0x", "affine_map<"]


def mutate(source, text):
    """(begin, end, replacement): small slips mostly, sometimes a line moved, doubled or gone."""
    begin = source.randrange(len(text) + 1)
    kind = source.random()
    if kind < 0.35:
        return begin, begin, source.choice(PIECES)
    if kind < 0.6:
        return begin, min(len(text), begin + source.choice([1, 1, 2, 5, 30])), ""
    if kind < 0.8:
        return begin, min(len(text), begin + source.choice([1, 2, 5])), source.choice(PIECES)
    lines = text.splitlines(keepends=True)
    first = source.randrange(len(lines))
    start = sum(map(len, lines[:first]))
    if kind < 0.9:
        return start, start + len(lines[first]), ""
    return start, start, source.choice(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--texts", type=int, default=0, help="so many texts, however long that takes")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--corpus", type=Path, default=root / "build/corpus/triton-3.6.0")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    files = sorted(arguments.corpus.glob("*/*.tt*ir"))
    log = tempfile.NamedTemporaryFile("r", suffix=".log")
    deadline = time.monotonic() + arguments.seconds
    texts, crashes, slowest = 0, 0, 0.0
    print(f"seed {arguments.seed}, {len(files)} files", flush=True)
    with Client("--log", log.name) as client:
        while texts < arguments.texts if arguments.texts else time.monotonic() < deadline:
            file = source.choice(files) if files else None
            text = file.read_text() if file else KERNEL
            uri = f"file:///fuzz/{texts}.mlir"
            client.open(uri, text)
            for version in range(2, 2 + source.choice([3, 10, 30])):
                for _ in range(source.choice([1, 1, 1, 4])):
                    begin, end, piece = mutate(source, text or " ")
                    client.change(uri, version, (position(text, begin), position(text, end), piece))
                    text = text[:begin] + piece + text[end:]
                start = time.monotonic()
                place = position(text, source.randrange(len(text) + 1))
                asked = [client.ask("textDocument/" + method, at(uri, *place)) for method in PLACED]
                asked += [client.ask("textDocument/" + method, {**whole(uri), "range": {
                    "start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}}) for method in WHOLE]
                found = client.wait_diagnostics(uri, version, 60)
                for id in asked:
                    try:
                        client.answer(id, 60)
                    except Error as error:
                        print(f"{error.code}: {error}")
                slowest = max(slowest, time.monotonic() - start)
                texts += 1
                news = log.read()
                if "stopped at byte" in news or "killed the engine" in news or any(d["code"] == "stopped" for d in found):
                    crashes += 1
                    name = f"crash-{arguments.seed}-{crashes}.mlir"
                    Path(name).write_text(text)
                    print(f"{name}, from {file}:\n{news}", flush=True)
                    break
            client.close_document(uri)
    print(f"{texts} texts, {crashes} deaths of the engine, the slowest answers took {slowest:.2f} s")
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
