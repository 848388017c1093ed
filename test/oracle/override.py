#!/usr/bin/env python3
"""A kernel that is edited and put back is what real Triton launches: override.py KERNELSCOPE.

Triton dumps a kernel that doubles; the dump is edited to triple; `kernelscope override` puts back the TTGIR, then our PTX and
our cubin of it. Exits 77, to be skipped, without torch, Triton or a GPU.
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


def main():
    kernelscope = os.path.abspath(sys.argv[1])
    probe = subprocess.run([sys.executable, "-c", "import torch, triton; assert torch.cuda.is_available()"], capture_output=True)
    if probe.returncode:
        print("skipped: no torch with Triton and a GPU")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "scale.py").write_text(KERNEL)

        def run(**variables):
            done = subprocess.run([sys.executable, "scale.py"], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "TRITON_CACHE_DIR": str(folder / "cache"), **variables})
            print(done.stdout.strip(), done.stderr.strip()[-500:])
            return done.stdout

        assert "factors [2.0]" in run(TRITON_KERNEL_DUMP="1", TRITON_DUMP_DIR=str(folder / "dump"), TRITON_ALWAYS_COMPILE="1")
        [dump] = folder.glob("dump/*/scale.ttgir")
        dump.write_text(dump.read_text().replace("dense<2.000000e+00>", "dense<3.000000e+00>"))
        for emit in ([], ["--emit", "ptx"], ["--emit", "cubin"]):
            target = folder / ("override" + "".join(emit))
            said = subprocess.run([kernelscope, "override", str(dump), "--override-dir", str(target), *emit],
                                  capture_output=True, text=True)
            print(said.stdout, said.stderr)
            assert said.returncode == 0 and "warning" not in said.stderr
            # The environment that it names.
            variables = dict(re.findall(r"(TRITON_\w+)=(\S+)", said.stdout))
            output = run(**variables)
            assert "Overriding kernel with file" in output and "factors [3.0]" in output, emit
    print("Triton launches the TTGIR, our PTX and our cubin")


if __name__ == "__main__":
    main()
