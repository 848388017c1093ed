"""Triton's own time from each .ttgir FILE to its assembly, in one warm process: the peer of our previews.

  PYTHON triton_preview.py BACKEND ARCH RUNS FILE...      prints {file: [milliseconds, ...]} as JSON
  PYTHON triton_preview.py BACKEND ARCH serve             for each FILE, a line of the input, milliseconds of processor time or "failed"

PYTHON has Triton. A run parses the file and goes through Triton's stages after TTGIR up to PTX or AMDGCN, without its cache.
"""

import json
import sys
import time

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import IRSource, make_backend

ASSEMBLY = {"cuda": "ptx", "hip": "amdgcn"}


def preview(backend, target, path, clock=time.perf_counter):
    """Milliseconds of one preview."""
    start = clock()
    context = ir.context()
    source = IRSource(path, context, backend)
    options = backend.parse_options(source.parse_options())
    stages = {}
    backend.add_stages(stages, options, source.language)
    module = source.make_ir(target, options, {}, {}, context)
    metadata = {"target": target, **options.__dict__}
    names = list(stages)
    last = ASSEMBLY[target.backend]
    for name in names[names.index(source.ext) + 1:names.index(last) + 1]:
        module = stages[name](module, metadata)
    return (clock() - start) * 1000


def serve(backend, target):
    for line in sys.stdin:
        try:
            print(preview(backend, target, line.strip(), time.process_time), flush=True)
        except Exception:
            print("failed", flush=True)


def main():
    name, arch, runs, *paths = sys.argv[1:]
    # CDNA's warps have 64 lanes.
    lanes = 64 if name == "hip" and arch.startswith("gfx9") else 32
    target = GPUTarget(name, int(arch) if arch.isdigit() else arch, lanes)
    backend = make_backend(target)
    if runs == "serve":
        return serve(backend, target)
    times = {}
    for path in paths:
        try:
            preview(backend, target, path)
            times[path] = [preview(backend, target, path) for _ in range(int(runs))]
        except Exception as error:
            print(f"Triton cannot compile {path}: {error}", file=sys.stderr)
    print(json.dumps(times))


main()
