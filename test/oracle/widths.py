#!/usr/bin/env python3
"""Compares the global accesses of our assembly with those of real Triton's, on kernels that are in no corpus.

Usage: widths.py KERNELSCOPE [TARGET...]; a target is cuda-90, hip-gfx942, .... Triton compiles each of kernels.py, with
pointers that are aligned to 16 bytes and with any, as far as it can for the target; our program lowers its .ttgir and
its .ttir. Both must have as many loads and stores of each width; ptxas must take our PTX. KS_WIDTHS_KEEP names a folder
that keeps Triton's dumps. Exits 77, to be skipped, where Triton cannot be imported.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import triton
    from triton.backends.compiler import GPUTarget
except ImportError as error:
    print(f"skipped: no Triton in {sys.executable}: {error}")
    sys.exit(77)

TARGETS = {f"{backend}-{arch}": (GPUTarget(backend, arch, warp), name) for backend, arch, warp, name in [
    ("cuda", 80, 32, "sm_80"), ("cuda", 90, 32, "sm_90a"), ("cuda", 100, 32, "sm_100a"), ("cuda", 120, 32, "sm_120a"),
    ("hip", "gfx942", 64, "gfx942"), ("hip", "gfx950", 64, "gfx950"), ("hip", "gfx1100", 32, "gfx1100"),
    ("hip", "gfx1200", 32, "gfx1200"), ("hip", "gfx1250", 32, "gfx1250")]}
PTXAS = pathlib.Path(triton.__file__).parent / "backends/nvidia/bin/ptxas"


def dump(folder, target):
    """Triton's stages of each kernel that it compiles; the others are counted."""
    from kernels import kernels
    refused = 0
    for name, function, signature, constants, options in kernels():
        types = {**signature, **{key: "constexpr" for key in constants}}
        types = {key: types[key] for key in function.arg_names}
        aligned = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(types.values()) if kind != "constexpr"}
        for suffix, attributes in [("", aligned), ("_any", {})]:
            source = triton.compiler.ASTSource(function, types, constants, attributes)
            try:
                stages = triton.compile(source, target=target, options=options).asm
            except Exception:  # pylint: disable=broad-except
                refused += 1
                continue
            for stage in ("ttir", "ttgir", "ptx", "amdgcn"):
                if stage in stages:
                    (folder / f"{name}{suffix}.{stage}").write_text(stages[stage])
    return refused


def bytes_of(suffix):
    """Of AMD's suffixes `dwordx4`, `b128`, `ubyte`, `short_d16`, `d16_hi_u8`."""
    if suffix.startswith("dword"):
        return 4 * int(suffix[6:] or 1)
    if number := re.search(r"(?:^|[uib_])(8|16|32|64|96|128)$", suffix):
        return int(number[1]) // 8
    return 1 if "byte" in suffix else 2


def accesses(assembly):
    """(operation, bytes) -> how many."""
    counts = collections.Counter()
    # libdevice reads its tables by `ld.global.nc`.
    for op, vector, bits in re.findall(r"\b(ld|st)\.global(?!\.nc)\S*?(?:\.v([248]))?\.[bfsu](8|16|32|64)\b", assembly):
        counts[op, int(bits) // 8 * int(vector or 1)] += 1
    for op, suffix in re.findall(r"\b(?:buffer|global|flat)_(load|store)_(\w+)", assembly):
        if not suffix.startswith("lds"):
            counts[op, bytes_of(suffix)] += 1
    return counts


def outcome(kernelscope, arch, path):
    """Empty where all is as Triton has it."""
    reference = path.with_suffix(".ptx" if arch.startswith("sm_") else ".amdgcn").read_text()
    # TTIR does not say how many warps there are.
    warps = re.search(r'"ttg.num-warps" = (\d+)', path.with_suffix(".ttgir").read_text())[1]
    ours = subprocess.run([kernelscope, "preview", path, "--arch", arch, "--num-warps", warps], capture_output=True,
                          text=True)
    if ours.returncode:
        return ours.stderr.strip().splitlines()[0]
    if arch.startswith("sm_") and PTXAS.exists():
        with tempfile.NamedTemporaryFile("w", suffix=".ptx") as ptx:
            ptx.write(ours.stdout)
            ptx.flush()
            taken = subprocess.run([PTXAS, f"--gpu-name={arch}", ptx.name, "-o", os.devnull], capture_output=True, text=True)
        if taken.returncode:
            return taken.stderr.strip().splitlines()[0]
    if accesses(ours.stdout) == accesses(reference):
        return ""
    return f"has {dict(accesses(ours.stdout))}, and Triton's {dict(accesses(reference))}"


def compare(kernelscope, folder, name):
    target, arch = TARGETS[name]
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    refused = dump(folder, target)
    paths = sorted([*folder.glob("*.ttgir"), *folder.glob("*.ttir")])
    paths = [path for path in paths if path.with_suffix(".ttgir").exists()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda path: outcome(kernelscope, arch, path), paths))
    for path, error in zip(paths, outcomes):
        if error:
            print(f"  {name}/{path.name}: {error}")
    same = collections.Counter(path.suffix for path, error in zip(paths, outcomes) if not error)
    total = collections.Counter(path.suffix for path in paths)
    print(f"{name}: " + ", ".join(f"{same[suffix]} of {total[suffix]} {suffix}" for suffix in (".ttgir", ".ttir")) +
          f" have Triton's accesses; Triton itself refused {refused}", flush=True)
    return not any(outcomes) and bool(paths)


def main():
    kernelscope, names = sys.argv[1], sys.argv[2:] or list(TARGETS)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["TRITON_CACHE_DIR"] = os.path.join(scratch, "cache")
        folder = pathlib.Path(os.environ.get("KS_WIDTHS_KEEP") or scratch)
        results = [compare(kernelscope, folder, name) for name in names]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
