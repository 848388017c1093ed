#!/usr/bin/env python3
"""Compares layouts with those of real Triton: what each accepts, and where each element is.

Usage: layouts.py LAYOUT_DUMP [CASES]. CASES random layouts of each plain kind in modules of their own, and as many with
something changed in them. The linear map is Gluon's to_linear_layout where it has one. Else Triton's verifier is asked
whether ours is the same: the result of a memdesc_reshape must be. Exits 77, to be skipped, where Triton cannot be imported.
"""
import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict

import random_layouts as layouts
import real_triton as real


def ask(triton, item, say):
    case, ours = item
    module = triton.parse(case.module)
    say("rejected" if module is None else "accepted")
    if module is None or not ours.startswith("accepted\t"):
        return
    ours = ours.split("\t")[1]
    theirs = triton.linear(module, case)
    if theirs is None and case.memory == "shared" and ours.startswith("offset") and "partition:" not in ours:
        same = triton.takes_for_same(case, ours)
        theirs = same if same is None else ours if same else "its verifier says that ours is another"
    say(theirs)


def compare(dump, cases):
    text = "// -----\n".join(case.module for case in cases)
    result = subprocess.run([dump], input=text, capture_output=True, text=True, check=True)
    ours = result.stdout.splitlines()
    assert len(ours) == len(cases), f"{len(cases)} modules, {len(ours)} answers"
    return ours, real.isolated(ask, list(zip(cases, ours)))


def outcome(case, ours, theirs):
    """How the answers compare, in a word."""
    accepted, layout = ours.split("\t")
    if theirs == [None]:
        return "Triton aborts, here " + accepted
    if theirs[0] != accepted:
        # Triton lets much pass that it cannot compile.
        return "differ: Triton rejects" if accepted == "accepted" else "stricter here"
    if accepted == "rejected":
        return "rejected by both"
    if theirs[1] is None:
        return "accepted by both"  # it has no linear map to tell, or dies while it makes one
    if case.memory == "tensor_memory":
        layout = layout.split(", block:")[0] + " ->" + layout.split("->")[1]
    if "partitioned" in case.kind:
        layout = re.sub(r", partition: .* ->", " ->", layout)
    if layout == theirs[1]:
        return "same map"
    if registers_apart(layout) == registers_apart(theirs[1]):
        return "same map but for order or copies of registers"
    return "differ: maps"


def registers_apart(layout):
    """A map with its registers as a set, and without copies in registers."""
    found = re.match(r"register: (\[.*?\])(, lane.*)", layout)
    if not found:
        return layout
    return sorted(basis for basis in ast.literal_eval(found[1]) if any(basis)), found[2]


def report(title, cases, ours, theirs, shown):
    counts = defaultdict(Counter)
    for case, our, their in zip(cases, ours, theirs):
        word = outcome(case, our, their)
        counts[case.kind][word] += 1
        if word.startswith("differ") and shown > 0:
            shown -= 1
            print(f"{case.module}  Triton {their}\n  here   {our}")
    print(f"{title}, Triton {real.triton.__version__}")
    total = Counter()
    for kind, words in sorted(counts.items()):
        total += words
        print(f"  {kind}: " + ", ".join(f"{count} {word}" for word, count in sorted(words.items())))
    print("  all: " + ", ".join(f"{count} {word}" for word, count in sorted(total.items())))
    return sum(count for word, count in total.items() if word.startswith("differ"))


def main():
    dump, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    kinds = layouts.KINDS + (layouts.NEW_KINDS if real.TODAY else [])
    cases = [kind(real.TODAY) for kind, weight in kinds for _ in range(weight * count)]
    wrong = report("as they should be", cases, *compare(dump, cases), shown=5)
    cases = [layouts.broken(kind(real.TODAY)) for kind, weight in kinds for _ in range(weight * count)]
    differing = report("with something changed", cases, *compare(dump, cases), shown=5)
    # Of what is wrong Triton 3.6 refused other things.
    sys.exit(1 if wrong or differing and real.TODAY else 0)


main()
