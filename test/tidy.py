#!/usr/bin/env python3
"""Runs clang-tidy on each unit of the program, in the development build, that changed since it was last clean.

  tidy.py [FILE...]    only these files

Units of a library are checked many at once, as one text that includes them: clang-tidy walks over all that
LLVM's headers declare, which takes longer than a unit of ours, and so does it once for all. What is not clean so, or does not
compile so (two units may have one name for two things), is checked by halves: new names that are local to a file had better
differ within a library.

A unit's stamp is a hash of clang-tidy's version, its configuration, the unit's command line, and its own and its
headers' text. Stamps are in the user's cache, as ccache's results are: a second run costs a second, in a fresh clone
too, and a change to one verifier costs one unit.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
build = root / "build"
stamps = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "kernelscope" / "tidy"


def dependencies():
    """Each object's inputs inside the project, as ninja recorded them when it compiled."""
    inputs, target = {}, None
    for line in subprocess.run(["ninja", "-C", build, "-t", "deps"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.splitlines():
        if line.startswith("    "):
            path = pathlib.Path(os.path.normpath(build / line.strip()))
            if path.is_relative_to(root):
                inputs[target].append(path)
        elif ": #deps" in line:
            target = line.split(": #deps")[0]
            inputs[target] = []
    return inputs


def digest(version, unit, inputs):
    state = hashlib.sha256(version + (root / ".clang-tidy").read_bytes())
    state.update(re.sub(r"\s+", " ", unit["command"]).replace(str(root), "").encode())
    for path in sorted({pathlib.Path(unit["file"]), *inputs}):
        if path.exists():
            state.update(path.read_bytes())
    return state.hexdigest()


def units():
    """The build's commands, one for each file of ours: a file that the build joins with others has theirs."""
    for unit in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(unit["file"])
        joined = re.findall(r'^#include "(.*)"', path.read_text(), re.M) if path.is_relative_to(build) and path.exists() else []
        for file in joined or [unit["file"]]:
            yield {**unit, "file": file, "command": unit["command"].replace(unit["file"], file)}


def tidy(unit, file, *options):
    """Whether FILE is clean with the options of the unit, and what is said of it."""
    with tempfile.TemporaryDirectory() as folder:
        command = {**unit, "file": str(file), "command": unit["command"].replace(unit["file"], str(file))}
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps([command]))
        result = subprocess.run(["clang-tidy-22", "--quiet", "-p", folder, *options, file], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)
    return result.returncode == 0, result.stdout + ("" if result.stdout else result.stderr)


def tidy_batch(batch):
    """Which units are clean, and what is said of the others."""
    if len(batch) == 1:
        return [tidy(batch[0], batch[0]["file"])]
    with tempfile.TemporaryDirectory() as folder:
        joined = pathlib.Path(folder) / "units.cpp"
        joined.write_text("".join(f'#include "{unit["file"]}"\n' for unit in batch))
        if tidy(batch[0], joined, f"--config-file={root / '.clang-tidy'}", "--checks=-bugprone-suspicious-include",
                r"--header-filter=\.(h|cpp)$")[0]:
            return [(True, "")] * len(batch)
    half = len(batch) // 2
    return tidy_batch(batch[:half]) + tidy_batch(batch[half:])


def batches(chosen):
    """Units that are likely to go together, at most 40: of one library, or of one dialect (generated parsers have the same names
    in all), and with the same options and the same namespaces opened of LLVM and MLIR, which have many names in common."""
    alike = {}
    for unit in chosen:
        path = pathlib.Path(unit["file"]).relative_to(root)
        opened = re.findall(r"^using namespace (\w+);", (root / path).read_text(), re.M)
        options = re.sub(r" -o \S+ -c \S+", "", unit["command"])
        library = path.parent if path.parts[0] == "dialects" else path.parts[0]
        alike.setdefault((options, library, "llvm" in opened, "mlir" in opened), []).append(unit)
    return [group[i : i + 40] for group in alike.values() for i in range(0, len(group), 40)]


def main():
    stamps.mkdir(parents=True, exist_ok=True)
    inputs = dependencies()
    version = subprocess.run(["clang-tidy-22", "--version"], stdout=subprocess.PIPE, check=True).stdout
    only = {pathlib.Path(name).resolve() for name in sys.argv[1:]}
    chosen = {}
    for unit in units():
        path = pathlib.Path(unit["file"])
        # Tests are run, by sanitizers too: what the checks look for shows there.
        isOurs = path.is_relative_to(root) and not any(map(path.is_relative_to, (build, root / "test")))
        if path in only if only else isOurs:
            output = re.search(r" -o (\S+)", unit["command"]).group(1)
            stamp = stamps / digest(version, unit, inputs.get(output, []))
            if not stamp.exists():
                chosen[unit["file"]] = (unit, stamp)
    print(f"clang-tidy: {len(chosen)} units to check", flush=True)
    clean = True
    work = sorted(batches([unit for unit, _ in chosen.values()]), key=len, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for batch, results in zip(work, pool.map(tidy_batch, work)):
            for unit, (ok, output) in zip(batch, results):
                if ok:
                    chosen[unit["file"]][1].touch()
                else:
                    clean = False
                    print(output)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
