#!/usr/bin/env python3
"""Runs clang-tidy on each unit of the program, in the development build, that changed since it was last clean.

  tidy.py [FILE...]    only these files

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


def tidy(unit):
    result = subprocess.run(["clang-tidy-22", "--quiet", "-p", build, unit["file"]], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    return result.returncode == 0, result.stdout + ("" if result.stdout else result.stderr)


def main():
    stamps.mkdir(parents=True, exist_ok=True)
    inputs = dependencies()
    version = subprocess.run(["clang-tidy-22", "--version"], stdout=subprocess.PIPE, check=True).stdout
    only = {pathlib.Path(name).resolve() for name in sys.argv[1:]}
    units = {}
    for unit in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(unit["file"])
        # Tests are run, by sanitizers too: what the checks look for shows there.
        isOurs = path.is_relative_to(root) and not any(map(path.is_relative_to, (build, root / "test")))
        if path in only if only else isOurs:
            output = re.search(r" -o (\S+)", unit["command"]).group(1)
            stamp = stamps / digest(version, unit, inputs[output])
            if not stamp.exists():
                units[unit["file"]] = (unit, stamp)
    print(f"clang-tidy: {len(units)} units to check", flush=True)
    clean = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (unit, stamp), (ok, output) in zip(units.values(), pool.map(tidy, (u for u, _ in units.values()))):
            if ok:
                stamp.touch()
            else:
                clean = False
                print(output)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
