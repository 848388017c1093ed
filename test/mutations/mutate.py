#!/usr/bin/env python3
"""Breaks the synchronisation of kernels, one thing at a time, and says what finds it.

    test/mutations/mutate.py build/bin/kernelscope FOLDER-OR-FILE... [--limit N] [--seconds S] [--list] [--lints]

For each .ttgir with asynchronous ops: takes out a wait, a fence, a barrier, an arrival or a commit, or changes a phase, a count,
the bytes, an index of a ring. Each mutant runs on the CPU with the sanitizer and the schedule `late`; one that is not found
runs without it under `late`, `eager` and some seeds, and its results are compared with the original's. The last column is
what must be zero: mutants with other results that depend on the schedule, and that nothing has found. Files that differ only in
their locations count once, and so do mutants that are the same. With --lints nothing runs: it counts the mutants that
`kernelscope check` warns of.

A second table says why the mutants that change nothing do so, each found by running:
    not reached      the timeline of the unchanged kernel does not have the op
    predicate false  an assertion before the op that its predicate is false holds
    same value       an assertion before the op that the new value equals the old one holds
    another instead  alone it changes nothing, but together with others that change nothing alone it is found: these ops order
                     the same accesses, and one of them is enough
    not needed       all that are left are made at once, and still nothing changes and every access is ordered
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCHEDULES = ["late", "eager", "seed:1", "seed:2", "seed:3"]
ASYNC = re.compile(r"async_|barrier|tc_gen5|warp_group_dot|warp_specialize")


def with_lines(text, changes):
    """The text with some lines, by their number, replaced."""
    return "".join(changes.get(number, line) for number, line in enumerate(text.splitlines(keepends=True)))


def mutations(text):
    """(kind, line number, what replaces the line) for each thing that can be changed."""
    lines = text.splitlines(keepends=True)

    removed = {"ttng.wait_barrier": "wait", "ttng.arrive_barrier": "arrival", "ttng.barrier_expect": "expect",
               "ttng.fence_async_shared": "fence", "ttg.barrier": "thread barrier", "gpu.barrier": "thread barrier",
               "ttng.async_tma_store_wait": "store wait", "ttng.tc_gen5_commit": "commit", "amdg.arrive_barrier": "arrival",
               "ttng.init_barrier": "init", "amdg.init_barrier": "init", "ttng.inval_barrier": "invalidation",
               "amdg.wait_barrier": "wait", "ttng.cluster_barrier": "cluster barrier",
               "amdg.cluster_barrier_arrive": "cluster barrier", "amdg.cluster_barrier_wait": "cluster barrier",
               "ttng.async_copy_mbarrier_arrive": "arrival", "amdg.async_copy_mbarrier_arrive": "arrival"}
    for number, line in enumerate(lines):
        result, op = re.match(r"\s*(?:(%\w+) = )?(\S*)", line).groups()
        is_used = result and len(re.findall(rf"{result}\b", text)) > 1
        if op in removed and not is_used:
            yield "no " + removed[op], number, "\n"
        if op == "ttng.arrive_barrier":
            yield "arrival twice", number, line + line
        for attribute in ("num", "pendings"):
            if re.search(r"(async_wait|tdm_wait|store_wait|dot_wait)\b", line):
                more = re.sub(rf"\b{attribute} = (\d+)", lambda m: f"{attribute} = {int(m[1]) + 1}", line)
                if more != line:
                    kind = "store wait" if "store_wait" in line else "product wait" if "dot_wait" in line else "wait"
                    yield kind + " leaves one more", number, more
        if match := re.search(r"(ttng\.init_barrier %[\w#]+, )(\d+)", line):
            for count in {int(match[2]) + 1, max(1, int(match[2]) - 1)} - {int(match[2])}:
                yield "count", number, line.replace(match[0], match[1] + str(count))
        if match := re.search(r"(ttng\.barrier_expect %[\w#]+, )(\d+)", line):
            for size in (int(match[2]) // 2, int(match[2]) * 2):
                yield "bytes", number, line.replace(match[0], match[1] + str(size))
        if match := re.search(r"(ttng\.wait_barrier %[\w#]+, )(%[\w#]+)", line):
            changed = line.replace(match[0], f"{match[1]}%mutant{number}")
            yield "phase", number, (f"%mutant_one{number} = arith.constant 1 : i32\n"
                                    f"%mutant{number} = arith.xori {match[2]}, %mutant_one{number} : i32\n" + changed)
            if not re.search(rf"{match[2]} = arith\.constant 0\b", text):
                yield "phase 0", number, f"%mutant{number} = arith.constant 0 : i32\n" + changed
        if match := re.search(r"(ttng\.tc_gen5_mma\w* .*), %[\w#]+\[%[\w#]+\]( \{is_async.*), !ttg\.memdesc<[^>]*xi64[^>]*>", line):
            yield "no barrier of a product", number, line.replace(match[0], match[1] + match[2])
        if match := re.search(r"(ttg\.memdesc_index %[\w#]+\[)(%[\w#]+)(\] : !ttg\.memdesc<(\d+)x)", line):
            if int(match[4]) > 1:
                yield "index", number, (f"%mutant_one{number} = arith.constant 1 : i32\n"
                                        f"%mutant_size{number} = arith.constant {match[4]} : i32\n"
                                        f"%mutant_next{number} = arith.addi {match[2]}, %mutant_one{number} : i32\n"
                                        f"%mutant{number} = arith.remui %mutant_next{number}, %mutant_size{number} : i32\n"
                                        + line.replace(match[0], f"{match[1]}%mutant{number}{match[3]}"))


class Tool:
    def __init__(self, program, seconds, folder):
        self.program, self.seconds, self.folder = program, seconds, folder
        self.spec = str(Path(folder) / "spec.json")
        Path(self.spec).write_text('{"grid": [1, 1, 1]}')

    def run(self, path, schedule, sanitize):
        """The checksums of the outputs, or the first error as a string."""
        command = [self.program, "run", path, "--device", "cpu", "--spec", self.spec, "--format", "json",
                   "--schedule", schedule, "--sanitize", sanitize]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return "error: no end"
        if done.returncode == 0:
            return tuple(output["checksum"] for output in json.loads(done.stdout)["outputs"])
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        return re.sub(r"^.*?error: ", "error: ", errors[0]) if errors else "error: " + done.stderr.strip()[:200]

    def repaired(self, path):
        """The text of the file, without the invalidations that its sanitized run says are too early: dumps of Triton 3.6 have some."""
        lines = Path(path).read_text().splitlines(keepends=True)
        copy = Path(self.folder) / Path(path).name
        while True:
            copy.write_text("".join(lines))
            done = subprocess.run([self.program, "run", str(copy), "--device", "cpu", "--spec", self.spec],
                                  capture_output=True, text=True, timeout=self.seconds)
            early = re.findall(r":(\d+):\d+: error: .* invalidates a barrier", done.stderr)
            if not early:
                return "".join(lines)
            for number in early:
                lines[int(number) - 1] = "\n"

    def reached(self, path):
        """The lines, from zero, whose ops the unchanged kernel runs."""
        timeline = Path(self.folder) / "timeline.json"
        subprocess.run([self.program, "run", path, "--spec", self.spec, "--trace", timeline], capture_output=True,
                       check=True, timeout=10 * self.seconds)
        events = json.loads(timeline.read_text())
        events = events["traceEvents"] if isinstance(events, dict) else events
        return {event["args"]["line"] - 1 for event in events if "line" in event.get("args", {})}

    def run_text(self, text, schedule, sanitize):
        with tempfile.NamedTemporaryFile("w", suffix=".ttgir", dir=self.folder) as file:
            file.write(text)
            file.flush()
            return self.run(file.name, schedule, sanitize)

    def lints(self, path):
        done = subprocess.run([self.program, "check", path], capture_output=True, text=True, timeout=self.seconds)
        return set(re.findall(r"\[([a-z-]+)\]", done.stdout + done.stderr))


def verdict(tool, original, original_lints, name, number, kind, text):
    path = str(Path(tool.folder) / f"{name}.{number}.{kind.replace(' ', '_')}.{abs(hash(text)) % 10**8}.ttgir")
    Path(path).write_text(text)
    try:
        lints = tool.lints(path) - original_lints
        found = tool.run(path, "late", "all")
        if isinstance(found, str):
            # The run that measures the buffers has no sanitizer, and may hang first.
            how = "hang" if "deadlock" in found or "no end" in found else "sanitizer or error"
            return how, found, bool(lints)
        results = {schedule: tool.run(path, schedule, "none") for schedule in SCHEDULES}
        if all(result == original for result in results.values()):
            return "harmless", "", bool(lints)
        if len(set(results.values())) == 1:
            return "another program", "", bool(lints)
        return "missed", str(results), bool(lints)
    finally:
        os.remove(path)


PREDICATED = re.compile(r"ttng\.(?:wait_barrier %[\w#]+, %[\w#]+, (%[\w#]+)(?= deps| :)|barrier_expect %[\w#]+, \d+, (%[\w#]+)"
                        r"|arrive_barrier %[\w#]+, \d+, (%[\w#]+)|tc_gen5_commit %[\w#]+, (%[\w#]+))")


class Judge:
    """Says why mutants of one kernel change nothing."""

    def __init__(self, tool, text, original, reached):
        self.tool, self.text, self.original, self.reached = tool, text, original, reached
        self.lines = text.splitlines(keepends=True)

    def changes_nothing(self, changes):
        text = with_lines(self.text, changes)
        return all(self.tool.run_text(text, schedule, sanitize) == self.original
                   for schedule, sanitize in [("late", "all"), ("eager", "none"), ("seed:1", "none")])

    def holds(self, number, condition):
        """An assertion before the op, which `condition` computes as %mutant_is."""
        checked = condition + 'tt.assert %mutant_is, "mutant" : i1\n' + self.lines[number]
        return self.tool.run_text(with_lines(self.text, {number: checked}), "late", "none") == self.original

    def alone(self, kind, number):
        """What one mutant shows without the others; none when it needs them."""
        if number not in self.reached:
            return "not reached"
        line = self.lines[number]
        if match := PREDICATED.search(line):
            predicate = next(filter(None, match.groups()))
            if self.holds(number, f"%mutant_true = arith.constant true\n%mutant_is = arith.xori {predicate}, %mutant_true : i1\n"):
                return "predicate false"
        if kind == "phase 0":
            phase = re.search(r"wait_barrier %[\w#]+, (%[\w#]+)", line)[1]
            if self.holds(number, f"%mutant_zero = arith.constant 0 : i32\n%mutant_is = arith.cmpi eq, {phase}, %mutant_zero : i32\n"):
                return "same value"
        return None

    def judge(self, mutants):
        """Why, for each of the mutants: (kind, line number, replacement)."""
        why = {mutant: self.alone(*mutant[:2]) for mutant in mutants}
        left = [mutant for mutant in mutants if not why[mutant]]
        together = {}
        for _, number, replacement in left:
            together.setdefault(number, replacement)
        if not self.changes_nothing(together):
            together = {}
            for _, number, replacement in left:
                if number not in together and self.changes_nothing({**together, number: replacement}):
                    together[number] = replacement
        for mutant in left:
            _, number, replacement = mutant
            enough = together.get(number) == replacement or self.changes_nothing({**together, number: replacement})
            why[mutant] = "not needed" if enough else "another instead"
        return why


def without_locations(text):
    return re.sub(r"loc\(.*", "", text)


def count_lints(program, files, lists):
    """Mutants by kind, and those of them that lints find. Exits 1 where a file that is not changed has a warning."""
    different = {without_locations(file.read_text()): file for file in files if "init_barrier" in file.read_text()
                 or "async_wait" in file.read_text() or "dot_wait" in file.read_text()}
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for file in different.values():
            text = file.read_text()
            for kind, number, changed in [("none", 0, None), *mutations(text)]:
                path = Path(folder) / f"{len(made)}{file.suffix}"
                path.write_text(text if changed is None else with_lines(text, {number: changed}))
                made.append((kind, number, file, str(path)))
        found = {}
        for i in range(0, len(made), 500):
            done = subprocess.run([program, "check", "--format=json", *(path for *_, path in made[i:i + 500])],
                                  capture_output=True, check=False)
            for checked in json.loads(done.stdout)["files"]:
                found[checked["path"]] = {one["code"] for one in checked["diagnostics"] if one["severity"] != "hint"}
    table = collections.defaultdict(lambda: [0, 0])
    for kind, number, file, path in made:
        table[kind][0] += 1
        table[kind][1] += bool(found[path])
        if lists:
            print(f"{file}:{number + 1}: {kind}: {', '.join(found[path])}")
    unchanged = table.pop("none")
    print(f"{unchanged[0]} files, with a warning: {unchanged[1]}\n\n| mutation | mutants | with a warning |\n|---|---|---|")
    for kind, (mutants, warned) in sorted(table.items()):
        print(f"| {kind} | {mutants} | {warned} |")
    return 1 if unchanged[1] else 0


def show(title, table, columns):
    """Prints the counts of each kind, a mutant of which that a lint finds counts in another column too, and gives their sums."""
    print(f"\n| {title} | mutants | " + " | ".join(columns) + " |\n|---" + "|---" * (len(columns) + 1) + "|")
    total = collections.Counter()
    for row in table.values():
        total.update(row)
    for kind, row in [*sorted(table.items()), ("all", total)]:
        print(f"| {kind} | {sum(row.values()) - row['lint']} | " + " | ".join(str(row[column]) for column in columns) + " |")
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="mutants of a kernel and kind, the first ones; 0 for all")
    parser.add_argument("--seconds", type=float, default=20, help="time for one run; kernels that take more are left out")
    parser.add_argument("--list", action="store_true", help="print each mutant")
    parser.add_argument("--lints", action="store_true", help="only count the mutants that lints find")
    arguments = parser.parse_args()
    files = sorted(file for path in arguments.paths for file in ([path] if path.is_file() else path.rglob("*.ttgir")))
    if arguments.lints:
        return count_lints(arguments.program, files, arguments.list)
    table = collections.defaultdict(collections.Counter)
    reasons = collections.defaultdict(collections.Counter)
    kernels, left_out, judged = 0, [], []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tool = Tool(arguments.program, arguments.seconds, folder)
        seen = set()
        for file in files:
            text = file.read_text()
            if not ASYNC.search(text) or without_locations(text) in seen:
                continue
            seen.add(without_locations(text))
            original = tool.run(str(file), "late", "all")
            was_repaired = "invalidates a barrier" in original
            if was_repaired:
                repaired = Path(folder) / file.name
                repaired.write_text(text := tool.repaired(file))
                original = tool.run(str(repaired), "late", "all")
            if isinstance(original, str):
                left_out.append(f"{file}: {original}")
                continue
            kernels += 1
            lints = tool.lints(str(file))
            counts, work = collections.Counter(), []
            for kind, number, changed in mutations(text):
                mutant = with_lines(text, {number: changed})
                if without_locations(mutant) in seen:
                    continue
                seen.add(without_locations(mutant))
                counts[kind] += 1
                if not arguments.limit or counts[kind] <= arguments.limit:
                    work.append((kind, number, changed,
                                 pool.submit(verdict, tool, original, lints, file.stem, number, kind, mutant)))
            harmless = []
            for kind, number, changed, future in work:
                how, why, linted = future.result()
                if how == "harmless":
                    harmless.append((kind, number, changed))
                table[kind][how] += 1
                table[kind]["lint"] += linted
                if arguments.list or how == "missed":
                    print(f"{file}:{number + 1}: {kind}: {how}{', lint' if linted else ''} {why[:160]}", flush=True)
            if harmless:
                reached = tool.reached(str(repaired if was_repaired else file))
                judged.append((file, pool.submit(Judge(tool, text, original, reached).judge, harmless)))
        for file, future in judged:
            for (kind, number, _), why in future.result().items():
                reasons[kind][why] += 1
                if arguments.list:
                    print(f"{file}:{number + 1}: {kind}: changes nothing: {why}", flush=True)
    print(f"\n{kernels} kernels; left out: {len(left_out)}")
    for line in left_out:
        print("  " + line[:200])
    total = show("mutation", table, ["sanitizer or error", "hang", "lint", "harmless", "another program", "missed"])
    show("changes nothing", reasons, ["not reached", "predicate false", "same value", "another instead", "not needed"])
    return 1 if total["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
