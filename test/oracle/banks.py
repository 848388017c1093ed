#!/usr/bin/env python3
"""Compares bytes and bank conflicts of shared memory with those of real Triton.

Usage: banks.py SHARED_COST_DUMP [CASES]. Random pairs of a register layout and a shared one. Triton's figures are
`ttg.shared` after allocate-shared-memory, and Gluon's get_shared_bank_conflicts, which counts for 32 banks. Exits 77, to be
skipped, where Triton cannot be imported.
"""
import subprocess
import sys
from collections import Counter

import random_layouts as layouts
import real_triton as real
from real_triton import passes_to_allocate


def pair():
    """A shared layout, and registers of as many dimensions that are stored to it."""
    while True:
        memory = layouts.rng.choice([
            layouts.phased("ttg.swizzled_shared", "swizzled_shared"), layouts.nvmma, layouts.shared_linear, layouts.padded
        ])(real.TODAY)
        if memory.ctas == 1 and len(memory.shape) <= 3:
            break
    while True:
        maker = layouts.rng.choice([lambda today: layouts.blocked(today, len(memory.shape)), layouts.mma2, layouts.mma3,
                                    layouts.dot_operand])
        registers = maker(real.TODAY)
        if registers.ctas == 1 and registers.threads == 32 and len(registers.shape) == len(memory.shape):
            return memory, registers


def module(memory, registers):
    tensor = registers.type.split("<")[0] + memory.type.split("memdesc")[1].split(", #a")[0] + ", #r>"
    return (f"#r = {registers.layout}\n#a = {memory.layout}\n"
            f'module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {registers.warps} : i32, '
            f'"ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"}} {{\n'
            f"  tt.func public @f(%x: {tensor}) {{\n    %y = ttg.local_alloc : () -> {memory.type}\n"
            f"    ttg.local_store %x, %y : {tensor} -> {memory.type}\n    tt.return\n  }}\n}}\n")


def ask(triton, item, say):
    memory, registers = item
    text = module(memory, registers)
    if triton.parse(text) is None:
        return say("rejected")
    say(passes_to_allocate(triton, text))
    if "padded" in memory.kind:
        return say("none")  # it counts for linear layouts only
    say(triton.conflicts(text, memory) + 1)


def main():
    dump, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
    pairs = [pair() for _ in range(count)]
    text = "// -----\n".join(module(*item) for item in pairs)
    result = subprocess.run([dump], input=text, capture_output=True, text=True, check=True)
    counts, shown, wrong = Counter(), 5, 0
    for item, ours, theirs in zip(pairs, result.stdout.splitlines(), real.isolated(ask, pairs), strict=True):
        if ours == "rejected" or theirs[0] == "rejected":
            counts["rejected" + ("" if ours == theirs[0] else " by one")] += 1
            continue
        for what, our, their in zip(["bytes", "conflicts"], ours.split(), theirs):
            if their in (None, "none") or our == "none":
                counts[what + " not told"] += 1
            elif our == str(their):
                counts[what + " agree"] += 1
            elif what == "conflicts" and int(ours.split()[2]) < 32:
                # A step of a lane to another word and byte of one bank is no step of its linear algebra.
                counts["conflicts of accesses narrower than a bank differ"] += 1
            else:
                counts[what + " differ"] += 1
                wrong += 1
                if shown > 0:
                    shown -= 1
                    print(f"{module(*item)}  {what}: Triton {their}, here {our}")
    print(f"Triton {real.triton.__version__}: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    sys.exit(1 if wrong else 0)


main()
