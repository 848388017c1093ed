#!/usr/bin/env python3
"""Lints on what Triton's passes make: lints.py KERNELSCOPE FOLDER

Takes the `.ttgir` files of a corpus and the modules of its dumps of all passes. As they are, no lint may warn. Then one thing
is changed at a time, and of each rule at least ten of these must break it. Exits 77, to be skipped, without the corpus.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / folder) for folder in ("mutations", "lit/lint")]
from cases import ABOUT, report  # noqa: E402
from mutate import mutations, with_lines  # noqa: E402

# Of each change so many mutants, of different modules as far as there are.
MOST = 25
ASYNC = re.compile(r"async_|_barrier|nvws\.aref|warp_group_dot|to_local")
BLOCKED = r"#ttg\.blocked<\{sizePerThread = \[[^]]*\]"


def modules(folder):
    """(name, text) of each different module with something asynchronous."""
    seen = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".ttgir":
            parts = [path.read_text()]
        elif path.name.endswith(".passes.mlir"):
            parts = [part.split("\n", 1)[1] for part in re.split(r"(?m)^// -----// IR Dump", path.read_text())[1:]]
        else:
            continue
        for number, text in enumerate(parts):
            plain = re.sub(r"loc\(.*", "", text)
            if ASYNC.search(text) and "module attributes" in text and "ttg." in text and "llvm." not in text and plain not in seen:
                seen.add(plain)
                yield f"{path.relative_to(folder)}.{number}", text


def with_all_columns(text):
    """The text with another buffer of all columns of tensor memory, which lives as long as the kernel; "" where it has none."""
    match = re.search(r"(?m)^( *)%[\w#:, ]+ = ttng\.tmem_alloc", text)
    end = re.compile(r"(?m)^ *tt\.return").search(text, match.end()) if match else None
    if not end or '"ttg.num-ctas" = 1' not in text or '"ttg.num-warps" = 4' not in text:
        return ""
    memory = "!ttg.memdesc<128x512xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 256, colStride = 1>, #ttng.tensor_memory, mutable>"
    registers = ("tensor<128x512xf32, #ttg.blocked<{sizePerThread = [1, 512], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], "
                 "order = [0, 1]}>>")
    start = text.rfind("tt.func", 0, match.start())
    body = text.index("{\n", text.index(")", start)) + 2
    return (text[:body] + f"%whole = ttng.tmem_alloc : () -> {memory}\n" + text[body:end.start()]
            + f"%all = ttng.tmem_load %whole : {memory} -> {registers}\n" + text[end.start():])


def with_all_bytes(text):
    """The text with another buffer of more shared memory than any chip has; "" where it cannot have one."""
    match = re.search(r"tt\.func public [^\n]*\{\n", text)
    if not match or '"ttg.num-ctas" = 1' not in text or "ttg.target" not in text:
        return ""
    memory = ("!ttg.memdesc<131072xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, "
              "mutable>")
    return text[:match.end()] + f"%whole = ttg.local_alloc : () -> {memory}\n" + text[match.end():]


def changes(text):
    """(kind, mutant): those of the kernels that run, and more of rules that they do not break."""
    for kind, number, changed in mutations(text):
        yield kind, with_lines(text, {number: changed})
    lines = text.splitlines(keepends=True)

    def with_line(number, line):
        return "".join(lines[:number] + [line] + lines[number + 1:])

    if mutant := with_all_columns(text):
        yield "all columns", mutant
    if mutant := with_all_bytes(text):
        yield "all bytes", mutant
    for number, line in enumerate(lines):
        if match := re.search(r"(%[\w#]+ = )(?:ttg|amdg)\.async_(?:tdm_)?wait\b[^\n]*", line):
            yield "no async_wait", with_line(number, line.replace(match[0], match[1] + "ttg.async_commit_group"))
        if re.match(r"\s*nvws\.aref\.(?:put|get)\.exit", line):
            yield "no exit", with_line(number, "")
            yield "exit twice", with_line(number, line + line)
        if match := re.search(r"(?:async_copy_global_to_local|buffer_load_to_local) .*?tensor<[^>]*, (#\w+)>", line):
            alias = re.search(rf"(?m)^{match[1]} = {BLOCKED}", text)
            if alias and "hip:" in text:
                narrow = re.sub(r"\d+", "1", alias[0].split("sizePerThread")[1])
                yield "narrow lanes", text.replace(alias[0], alias[0].split("sizePerThread")[0] + "sizePerThread" + narrow)


def check(program, texts):
    """The codes of what each text has a diagnostic of, hints included."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{number}.ttgir" for number in range(len(texts))]
        for path, text in zip(paths, texts):
            pathlib.Path(path).write_text(text)
        done = subprocess.run([program, "check", "--format=json", *paths], capture_output=True, check=False)
        for file in json.loads(done.stdout)["files"]:
            found.append({(one["code"], one["severity"]) for one in file["diagnostics"]})
    return found


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not folder.is_dir():
        print(f"skipped: no corpus in {folder}")
        return 77
    known = list(modules(folder))
    found = check(program, [text for _, text in known])
    keeping, breaking, failed = dict.fromkeys(ABOUT, 0), dict.fromkeys(ABOUT, 0), False
    for (name, text), codes in zip(known, found):
        for code, severity in codes:
            if code in ABOUT and severity != "hint":
                print(f"{name}: {code}")
                failed = True
        for code, needed in ABOUT.items():
            keeping[code] += all(re.search(part, text) for part in needed) and (code != "lds-width" or "hip:" in text)
    by_kind = collections.defaultdict(list)
    for number, (_, text) in enumerate(known):
        taken = collections.Counter()
        for kind, mutant in changes(text):
            by_kind[kind].append((taken[kind], number, mutant))
            taken[kind] += 1
    mutants = [mutant for some in by_kind.values() for mutant in sorted(some, key=lambda one: one[:2])[:MOST]]
    for (_, number, _), codes in zip(mutants, check(program, [mutant for *_, mutant in mutants])):
        for code in {code for code, _ in codes - found[number]} & ABOUT.keys():
            breaking[code] += 1
    print(f"{len(known)} modules, {len(mutants)} mutants")
    few = report(breaking, keeping)
    return 1 if failed or few else 0


if __name__ == "__main__":
    sys.exit(main())
