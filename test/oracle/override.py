#!/usr/bin/env python3
"""A kernel that is edited and put back is what real Triton compiles and launches: override.py KERNELSCOPE.

Triton dumps a kernel that doubles; the dump is edited to triple; `kernelscope override` puts back the TTGIR, then our assembly and
our cubin of it. Without torch or a GPU, Triton only compiles, for a chip of each vendor. Exits 77, to be skipped, without Triton.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KERNEL = """
import torch, triton, triton.language as tl

@triton.jit
def scale(out, inp, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(inp + at, mask=at < n) * 2.0, mask=at < n)

inp = torch.arange(1000, dtype=torch.float32, device="cuda")
out = torch.zeros_like(inp)
scale[(4,)](out, inp, 1000, BLOCK=256)
print("factors", sorted(set((out[1:] / inp[1:]).tolist())))
"""

COMPILE = """
import sys, triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

@triton.jit
def scale(out, inp, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(inp + at, mask=at < n) * 2.0, mask=at < n)

target = GPUTarget("cuda", 90, 32) if sys.argv[1] == "ptx" else GPUTarget("hip", "gfx950", 64)
signature = {"out": "*fp32", "inp": "*fp32", "n": "i32", "BLOCK": "constexpr"}
print(triton.compile(ASTSource(scale, signature, {(3,): 256}), target=target).asm[sys.argv[1]])
"""
# How assembly writes 3.0f.
THREE = {"ptx": "0f40400000", "amdgcn": "0x40400000"}


def put_back(kernelscope, dump, target, emit):
    """Writes the edited dump, or code of ours, to the folder `target`; the environment that the program names."""
    said = subprocess.run([kernelscope, "override", str(dump), "--override-dir", str(target), *emit], capture_output=True, text=True)
    print(said.stdout, said.stderr)
    assert said.returncode == 0 and "warning" not in said.stderr
    return dict(re.findall(r"(TRITON_\w+)=(\S+)", said.stdout))


def edit(folder):
    """The dump in `folder`, after its factor was changed from 2 to 3."""
    [dump] = folder.glob("dump/*/scale.ttgir")
    dump.write_text(dump.read_text().replace("dense<2.000000e+00>", "dense<3.000000e+00>"))
    return dump


def compile_only(kernelscope, folder):
    for assembly in "ptx", "amdgcn":
        place = folder / assembly
        place.mkdir()
        (place / "scale.py").write_text(COMPILE)

        def run(**variables):
            return subprocess.run([sys.executable, "scale.py", assembly], cwd=place, capture_output=True, text=True, check=True,
                                  env={**os.environ, "TRITON_CACHE_DIR": str(place / "cache"), **variables}).stdout

        assert THREE[assembly] not in run(TRITON_KERNEL_DUMP="1", TRITON_DUMP_DIR=str(place / "dump"), TRITON_ALWAYS_COMPILE="1")
        dump = edit(place)
        for emit in [], ["--emit", assembly]:
            output = run(**put_back(kernelscope, dump, place / ("override" + "".join(emit)), emit))
            assert "Overriding kernel with file" in output and THREE[assembly] in output, (assembly, emit)
    print("Triton compiles the TTGIR, and takes our PTX and our AMDGCN; nothing was launched")


def main():
    kernelscope = os.path.abspath(sys.argv[1])
    if subprocess.run([sys.executable, "-c", "import triton"], capture_output=True).returncode:
        print("skipped: no Triton")
        sys.exit(77)
    probe = subprocess.run([sys.executable, "-c", "import torch, triton; assert torch.cuda.is_available()"], capture_output=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if probe.returncode:
            return compile_only(kernelscope, folder)
        (folder / "scale.py").write_text(KERNEL)

        def run(**variables):
            done = subprocess.run([sys.executable, "scale.py"], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "TRITON_CACHE_DIR": str(folder / "cache"), **variables})
            print(done.stdout.strip(), done.stderr.strip()[-500:])
            return done.stdout

        assert "factors [2.0]" in run(TRITON_KERNEL_DUMP="1", TRITON_DUMP_DIR=str(folder / "dump"), TRITON_ALWAYS_COMPILE="1")
        dump = edit(folder)
        for emit in ([], ["--emit", "ptx"], ["--emit", "cubin"]):
            target = folder / ("override" + "".join(emit))
            output = run(**put_back(kernelscope, dump, target, emit))
            assert "Overriding kernel with file" in output and "factors [3.0]" in output, emit
    print("Triton launches the TTGIR, our PTX and our cubin")


if __name__ == "__main__":
    main()
