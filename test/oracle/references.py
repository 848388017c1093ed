#!/usr/bin/env python3
"""The passes of nvws keep what a kernel computes.

Usage: references.py KERNELSCOPE FILE_OR_FOLDER... Takes each module at the level of references (`nvws` ops, or a loop marked with
partitions) from the dumps of all passes (`*.passes.mlir`) and the `*.mlir` files, runs our passes on it one after the other from
where it is, and after each runs it in the CPU executor with its sanitizer under three schedules. Every run must give what the
module gave before our passes, with no finding. In dumps with both sides of Triton's own `nvws-insert-tmem-aref`, ours must hand tensor memory
over in the same places with as many stages. Exits 1 if something differs.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PASSES = ["nvws-hoist-tmem-store", "nvws-insert-aref", "nvws-insert-tmem-aref", "nvws-buffer-aref", "nvws-assign-stage-phase", "nvws-lower-aref",
          "nvws-lower-token", "partition-loops", "nvws-lower-warp-group"]
SCHEDULES = ["late", "eager", "seed:1"]
# Small launches of the kernels of the dumps, with several tiles for a program and several turns of each ring.
SPECS = {
    "matmul_inner_ws": {"grid": [2, 1], "arguments": {"M": 256, "N": 128, "K": 448, "a": {"shape": [256, 448]},
                                                      "b": {"shape": [448, 128]}, "c": {"shape": [256, 128]}}},
    "matmul_persistent": {"grid": [2], "arguments": {"M": 384, "N": 256, "K": 320, "sms": 2, "a": {"shape": [384, 320]},
                                                     "b": {"shape": [256, 320]}, "c": {"shape": [384, 256]}}},
    "flash_desc": {"grid": [2, 1], "arguments": {"T": 320, "scale": 0.125, **{name: {"shape": [384, 64]} for name in ("dq", "dk", "dv",
                                                                                                                     "do")}}},
}


def modules(path):
    """The title and text of each different module at the level of references, or of partitions."""
    text = path.read_text()
    last = None
    for number, section in enumerate(re.split(r"(?m)^(?=// -----(?:// IR Dump|$))", text)):
        title, _, body = section.partition("\n") if section.startswith("// -----") else ("", "", section)
        title = re.sub(r".*IR Dump (Before|After) ", r"\1 ", title)[:60]
        is_marked = "ttg.partition = " in body and "ttg.warp_specialize(" not in body
        if "tt.func public @" not in body or not ("nvws." in body or is_marked) or body.count("\nmodule") > 1:
            continue
        plain = re.sub(r" ?loc\(.*?\)|#loc\d*.*", "", body)
        if plain != last:
            yield f"{path.name}: {number} {title}", body
        last = plain


def run(kernelscope, path, schedule, sanitize):
    command = [kernelscope, "run", str(path), "--device", "cpu", "--format", "json", "--schedule", schedule, "--sanitize", sanitize]
    kernel = re.search(r"tt\.func public @(\w+)", path.read_text()).group(1)
    if kernel in SPECS:
        spec = path.with_suffix(".launch.json")
        spec.write_text(json.dumps(SPECS[kernel]))
        command += ["--spec", str(spec)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr or done.stdout).strip().split("\n")[0][-220:]
    report = json.loads(done.stdout)
    return [output["checksum"] for output in report["outputs"]], " ".join(report.get("notes") or [])


def check(kernelscope, title, body, file, wanted, verbose):
    """Runs a module as it is and after each pass that changes it. The results, and the numbers of runs, of wrong ones, of those in
    which the module has a finding before our passes."""
    total = wrong = before = 0
    file.write_text(body)
    # Before references there are no waits and no fences to find missing.
    sanitize = "all" if re.search(r"nvws\.|wait_barrier", body) else "none"
    usable = list(SCHEDULES)
    has_no_stages = False
    for name in [None, *PASSES]:
        if name:
            made = file.with_suffix(".new")
            done = subprocess.run([kernelscope, "opt", str(file), "--" + name, "--mlir-print-debuginfo", "-o", str(made)],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                print(f"{title}: {name} fails: {done.stderr.strip()[:300]}", flush=True)
                return wanted, total, wrong + 1, before
            if made.read_text() == file.read_text():
                continue
            file.write_text(made.read_text())
            if "nvws." in file.read_text():
                sanitize = "all"
            if has_no_stages and PASSES.index(name) < PASSES.index("nvws-assign-stage-phase"):
                continue
        for schedule in list(usable):
            given, said = run(kernelscope, file, schedule, sanitize)
            total += 1
            if not name and given is None:
                before += 1
                print(f"{title}: as it is, {schedule}: {said}", flush=True)
                if "deadlock" not in said:  # our passes do not mend what is wrong before, under any schedule
                    usable.clear()
                    break
                has_no_stages = True  # Triton's own are constants until it has counted
                continue
            wanted = wanted or given
            right = given is not None and given == wanted and not said
            wrong += not right
            if not right or verbose:
                print(f"{title}: {name or 'as it is'}, {schedule}: {'ok' if right else said or 'other results'}", flush=True)
    return wanted, total, wrong, before


def handovers(body):
    """How partitions hand tensor memory over: the stages of each reference, and in order who enters and exits, and after what work. After
    the loop Triton ends a put that nobody has touched as after a product, which is left out."""
    stages, names, steps = {}, {}, []
    for line in body.split("\n"):
        if made := re.search(r"(%\w+) = nvws\.aref\.create .*memdesc<(\d+)x[^>]*tensor_memory", line):
            names[made.group(1)] = len(names)
            stages[made.group(1)] = made.group(2)
        step = re.search(r"nvws\.aref\.((?:put|get)\.(?:enter|exit)) (%\w+)", line)
        if step and step.group(2) in names:
            who = re.search(r"ttg\.partition = array<i32: ([^>]*)>", line)
            kind = re.search(r"async_op<(\w+)>", line)
            steps.append((names[step.group(2)], step.group(1), who and who.group(1), "warp_specialize.tag" not in line and kind and kind.group(1)))
    return list(stages.values()), sorted(steps, key=lambda step: step[0])


def compare(kernelscope, path, folder):
    """Whether our `nvws-insert-tmem-aref` does what Triton's did in a dump of all passes; None without its both sides."""
    sections = re.split(r"(?m)^(?=// -----// IR Dump)", path.read_text())
    at = next((i for i, section in enumerate(sections) if "(nvws-insert-tmem-aref)" in section[:200]
               or ": nvws-insert-tmem-aref" in section[:200]), None)
    if at is None:
        return None
    # A dump leaves out what is as before.
    before = next((s for s in reversed(sections[:at + 1]) if "tt.func" in s), "")
    after = next((s for s in sections[at + 1:] if "tt.func" in s), "")
    if "ttg.partition = " not in before:
        return None
    file = folder / "before.mlir"
    file.write_text(before.partition("\n")[2])
    done = subprocess.run([kernelscope, "opt", str(file), "--nvws-insert-tmem-aref"], capture_output=True, text=True)
    bodies = [handovers(done.stdout), handovers(after)]
    if done.returncode == 0 and bodies[0] == bodies[1]:
        return True
    print(f"{path.name}: tensor memory is handed over otherwise than by Triton: {done.stderr.strip()[:300] or bodies}")
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kernelscope")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    files = []
    for path in args.paths:
        files += sorted(path.rglob("*.mlir")) if path.is_dir() else [path]
    seen, sums, same = 0, [0, 0, 0], []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            same.append(compare(args.kernelscope, path, pathlib.Path(folder)))
            expected = {}
            for title, body in modules(path):
                seen += 1
                kernel = re.search(r"tt\.func public @(\w+)", body).group(1)
                wanted = expected.get(kernel)
                wanted, *numbers = check(args.kernelscope, title, body, pathlib.Path(folder) / "kernel.mlir", wanted, args.verbose)
                expected[kernel] = wanted
                sums = [a + b for a, b in zip(sums, numbers)]
    print(f"{seen} modules, {sums[0]} runs, {sums[1]} wrong; {sums[2]} runs had a finding before our passes; "
          f"of {len(same) - same.count(None)} passes that insert references to tensor memory {same.count(True)} are as Triton's")
    sys.exit(1 if sums[1] or not seen or False in same else 0)


if __name__ == "__main__":
    main()
