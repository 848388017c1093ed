#!/usr/bin/env python3
"""Edits, requests and previews without a pause, while the engine, the zygote and jobs are killed at random.

  killed.py [--seconds N] [--seed N] [--corpus FOLDER]

Each request must have exactly one answer, the diagnostics of the last texts must come, and in the end no process may be
left and the front's memory must be back. Prints what was done; the exit code is 1 if something of this fails.
"""

import argparse
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path

root = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "test/server"))
from lspclient import KERNEL, Client, at, large, position, whole
from processes import has_ended, resident

METHODS = ["hover", "definition", "references", "completion", "signatureHelp", "documentHighlight", "documentSymbol", "codeLens",
           "foldingRange", "semanticTokens/full", "formatting", "diagnostic"]
# Requests in flight at once, in all documents.
BUSY = 200


def descendants(pid):
    """The pids of a process's children, and of theirs, that have not ended."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            parents.setdefault(int(parent), []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        children = parents.get(todo.pop(), [])
        found += children
        todo += children
    return found


class Load:
    """Documents that are edited all the time, and what was asked about them."""

    def __init__(self, client, texts, source):
        self.client, self.source = client, source
        self.documents = {f"file:///killed/{i}.ttgir": text for i, text in enumerate(texts)}
        self.versions = {}
        self.asked = {}
        self.answered = Counter()
        self.slowest = 0.0
        self.problems = []
        for uri, text in self.documents.items():
            client.open(uri, text)
            self.versions[uri] = 1

    def edit(self):
        uri = self.source.choice(list(self.documents))
        text = self.documents[uri]
        # Each second edit takes the one before back.
        if index := text.find("~") + 1:
            change, text = (position(text, index - 1), position(text, index), ""), text[:index - 1] + text[index:]
        else:
            index = self.source.randrange(len(text) + 1)
            change, text = (position(text, index), position(text, index), "~"), text[:index] + "~" + text[index:]
        self.documents[uri] = text
        self.versions[uri] += 1
        self.client.change(uri, self.versions[uri], change)

    def ask(self):
        uri = self.source.choice(list(self.documents))
        text = self.documents[uri]
        if self.source.random() < 0.05:
            method, params = "workspace/executeCommand", {
                "command": "kernelscope.preview", "arguments": [{"uri": uri, "emit": "ptx", "arch": "sm_90a"}]}
        else:
            method = "textDocument/" + self.source.choice(METHODS)
            params = {**at(uri, *position(text, self.source.randrange(len(text) + 1))), **whole(uri),
                      "context": {"includeDeclaration": True}, "options": {"tabSize": 2, "insertSpaces": True}}
        self.asked[self.client.ask(method, params)] = (method, time.monotonic())

    def collect(self):
        with self.client.changed:
            done = [id for id in self.asked if self.client.answers.get(id)]
            for id in done:
                method, since = self.asked.pop(id)
                self.slowest = max(self.slowest, time.monotonic() - since)
                answers = self.client.answers.pop(id)
                if len(answers) != 1:
                    self.problems.append(f"{len(answers)} answers to {method}")
                error = answers[0].get("error")
                self.answered[f"error {error['code']}" if error else "answer"] += 1
            for entries in self.client.diagnostics.values():
                del entries[:-1]
            self.client.progress.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--corpus", type=Path, default=root / "build/corpus/triton-3.6.0")
    arguments = parser.parse_args()
    source = random.Random(arguments.seed)
    texts = [KERNEL, large(3000)]
    texts += [file.read_text() for name in ("softmax_row", "matmul_f16")
              if (file := arguments.corpus / "cuda-90" / f"{name}.ttgir").exists()]
    kills = Counter()
    print(f"seed {arguments.seed}, {len(texts)} documents, {arguments.seconds:.0f} s", flush=True)
    with Client("--watchdog", "5") as client:
        client.open("file:///killed/first.ttgir", KERNEL)
        client.wait_diagnostics("file:///killed/first.ttgir", 1)
        client.close_document("file:///killed/first.ttgir")
        before = resident(client.process.pid)
        load = Load(client, texts, source)
        over = threading.Event()

        def kill():
            chance = random.Random(arguments.seed + 1)
            while not over.wait(chance.choice([0.005, 0.05, 0.1, 0.3, 1, 2])):
                kind = chance.choice(["engine"] * 6 + ["zygote", "job"])
                signal_ = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGSTOP])
                # Who stands still is found by the watchdog, which looks at engines.
                signal_ = signal_ if kind == "engine" else signal.SIGKILL
                pids = client.children("zygote" if kind == "job" else kind)
                if kind == "job":
                    pids = [child for pid in pids for child in descendants(pid)]
                for pid in pids[:1]:
                    try:
                        os.kill(pid, signal_)
                        kills[f"{kind} {signal_.name}"] += 1
                    except ProcessLookupError:
                        pass

        killer = threading.Thread(target=kill)
        killer.start()
        deadline = time.monotonic() + arguments.seconds
        most = 0.0
        while time.monotonic() < deadline:
            for _ in range(source.choice([1, 1, 5, 20])):
                if source.random() < 0.03:
                    load.edit()
                elif len(load.asked) < BUSY:
                    load.ask()
            load.collect()
            time.sleep(source.choice([0, 0.001, 0.02]))
            if source.random() < 0.01:
                most = max(most, resident(client.process.pid))
        over.set()
        killer.join()
        patience = time.monotonic() + 300
        while load.asked and time.monotonic() < patience:
            load.collect()
            time.sleep(0.01)
        load.problems += [f"no answer to {method}" for method, _ in load.asked.values()]
        for uri, version in load.versions.items():
            try:
                client.wait_diagnostics(uri, version, 60)
            except TimeoutError as problem:
                load.problems.append(str(problem))
            client.close_document(uri)
        # The front returns memory after some seconds without a message.
        deadline = time.monotonic() + 10
        while (after := resident(client.process.pid)) > before + 16 and time.monotonic() < deadline:
            time.sleep(0.2)
        left = descendants(client.process.pid)
    time.sleep(1)
    load.problems += [f"process {pid} is left" for pid in left if not has_ended(pid)]
    if after > before + 16:
        load.problems.append(f"{after:.0f} MiB in the front in the end, {before:.0f} before")
    print(f"{sum(load.answered.values())} requests: {dict(load.answered)}; the slowest answer took {load.slowest:.2f} s")
    print(f"kills: {dict(kills)}")
    print(f"MiB in the front: {before:.0f} before, {most:.0f} at most, {after:.0f} in the end")
    for problem in load.problems:
        print(problem)
    return 1 if load.problems else 0


if __name__ == "__main__":
    sys.exit(main())
