"""The executor against Triton's own interpreter (TRITON_INTERPRET=1), on the same kernels, sizes and inputs.

  PYTHON interpreter.py PROGRAM [--json FILE]      PYTHON has Triton and NumPy

A row: seconds of a launch of each, the ratio, and whether they agree. The executor's time is that of the run alone, as its
report says; the kernels' TTIR is made by Triton. The executor runs with the sanitizer as by default and without it.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

if __name__ == "__main__":
    os.environ["TRITON_INTERPRET"] = "1"
import triton
import triton.language as tl


@triton.jit
def vec_add(a, b, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * columns + at, mask=at < columns, other=float("-inf"))
    e = tl.exp(row - tl.max(row, 0))
    tl.store(out + tl.program_id(0) * columns + at, e / tl.sum(e, 0), mask=at < columns)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rows[:, None] * K + (k + depth)[None, :])
        y = tl.load(b + (k + depth)[:, None] * N + columns[None, :])
        sums = tl.dot(x, y, sums)
    tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.float16))


@triton.jit
def layernorm(x, w, b, y, columns, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    live = at < columns
    row = tl.load(x + tl.program_id(0) * columns + at, mask=live, other=0.0)
    mean = tl.sum(row, 0) / columns
    centred = tl.where(live, row - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / columns + eps)
    gain, shift = tl.load(w + at, mask=live), tl.load(b + at, mask=live)
    tl.store(y + tl.program_id(0) * columns + at, centred * scale * gain + shift, mask=live)


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(bins + value, 1, mask=at < n)


@triton.jit
def transpose(x, y, rows, columns, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x + r[:, None] * columns + c[None, :])
    tl.store(y + c[:, None] * rows + r[None, :], tl.trans(tile))


class Tensor:
    """What the interpreter wants of a tensor, around a NumPy array."""

    def __init__(self, array):
        self.array, self.dtype, self.device = array, TYPES[array.dtype.name], "cpu"

    def data_ptr(self):
        return self.array.ctypes.data

    # The interpreter copies storages to the CPU and back: they are there.
    def untyped_storage(self):
        return self

    def cpu(self):
        return self

    def new_empty(self, *_, **__):
        return Tensor(self.array)

    def set_(self, *_):
        pass

    def copy_(self, _):
        pass

    def storage_offset(self):
        return 0

    size = stride = numel = storage_offset


TYPES = {"float32": tl.float32, "float16": tl.float16, "int32": tl.int32}
POINTERS = {"float32": "*fp32", "float16": "*fp16", "int32": "*i32"}


def cases():
    """Kernel, grid, arguments in order, and the constants."""
    random = np.random.default_rng(1)
    normal = lambda *shape, dtype=np.float32: random.standard_normal(shape).astype(dtype)
    zeros = lambda *shape, dtype=np.float32: np.zeros(shape, dtype)
    n = 1 << 20
    yield vec_add, (n // 1024,), {"a": normal(n), "b": normal(n), "out": zeros(n), "n": n - 5}, {"BLOCK": 1024}
    yield softmax, (512,), {"x": normal(512, 1000), "out": zeros(512, 1000), "columns": 1000}, {"BLOCK": 1024}
    yield layernorm, (512,), {"x": normal(512, 1000), "w": normal(1000), "b": normal(1000), "y": zeros(512, 1000),
                              "columns": 1000, "eps": 1e-5}, {"BLOCK": 1024}
    yield transpose, (16, 16), {"x": normal(1024, 1024), "y": zeros(1024, 1024), "rows": 1024, "columns": 1024}, {"BLOCK": 64}
    yield histogram, (256,), {"x": random.integers(0, 128, 1 << 18).astype(np.int32), "bins": zeros(128, dtype=np.int32),
                              "n": 1 << 18}, {"BLOCK": 1024}
    half = {"dtype": np.float16}
    for size, block in ((256, 64), (1024, 128)):
        yield matmul, (size // block, size // block), {
            "a": normal(size, size, **half), "b": normal(size, size, **half), "c": zeros(size, size, **half), "M": size,
            "N": size, "K": size}, {"BM": block, "BN": block, "BK": 64}


def interpret(kernel, grid, arguments, constants):
    """Seconds of a launch, and the arrays after it."""
    arrays = {name: value.copy() for name, value in arguments.items() if isinstance(value, np.ndarray)}
    passed = {name: Tensor(arrays[name]) if name in arrays else value for name, value in arguments.items()}
    start = time.perf_counter()
    kernel[grid](**passed, **constants)
    return time.perf_counter() - start, arrays


TTIR = """
import json, sys
sys.path.insert(0, sys.argv[1])
import interpreter, triton
from triton.backends.compiler import GPUTarget
name, signature, constants = sys.argv[2], json.loads(sys.argv[3]), json.loads(sys.argv[4])
source = triton.compiler.ASTSource(getattr(interpreter, name), signature, constants)
print(triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ttir"])
"""


def ttir(kernel, arguments, constants):
    """The kernel as Triton's compiler writes it, in a process that does not interpret."""
    signature = {name: POINTERS[value.dtype.name] if isinstance(value, np.ndarray) else "i32" if isinstance(value, int)
                 else "fp32" for name, value in arguments.items()} | {name: "constexpr" for name in constants}
    here = str(pathlib.Path(__file__).parent.resolve())
    return subprocess.run([sys.executable, "-c", TTIR, here, kernel.fn.__name__, json.dumps(signature),
                           json.dumps(constants)], stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "TRITON_INTERPRET": "0", "TRITON_DEFAULT_FP_FUSION": "1"}).stdout


def execute(program, text, grid, arguments, sanitize):
    """The same on the executor."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kernel.ttir").write_text(text)
        spec = {"grid": list(grid), "arguments": {}}
        for name, value in arguments.items():
            if isinstance(value, np.ndarray):
                np.save(f"{folder}/{name}.npy", value.ravel())
                spec["arguments"][name] = {"fill": {"file": f"{name}.npy"}}
            else:
                spec["arguments"][name] = value
        (pathlib.Path(folder) / "spec.json").write_text(json.dumps(spec))
        done = subprocess.run([program, "run", "kernel.ttir", "--device", "cpu", "--spec", "spec.json", "--format", "json",
                               "--output", "out", "--sanitize", sanitize], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        seconds = json.loads(done.stdout)["microseconds"] / 1e6
        return seconds, {path.stem: np.load(path) for path in pathlib.Path(folder, "out").glob("*.npy")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--json", help="write the rows there, too")
    args = parser.parse_args()
    program, rows = str(pathlib.Path(args.program).resolve()), []
    print(f"{'kernel':<12} {'grid':<10} {'interpreter s':>13} {'executor s':>10} {'sanitized s':>11} {'times':>7}  agree")
    for kernel, grid, arguments, constants in cases():
        slow, wanted = interpret(kernel, grid, arguments, constants)
        text = ttir(kernel, arguments, constants)
        fast, found = min((execute(program, text, grid, arguments, "none") for _ in range(3)), key=lambda run: run[0])
        checked = min(execute(program, text, grid, arguments, "all")[0] for _ in range(3))
        agree = all(np.allclose(found[name], wanted[name].ravel(), rtol=2e-3, atol=2e-3) for name in found)
        name = kernel.fn.__name__
        rows.append({"kernel": name, "grid": grid, "interpreter": slow, "executor": fast, "sanitized": checked, "agree": agree})
        print(f"{name:<12} {'x'.join(map(str, grid)):<10} {slow:13.3f} {fast:10.3f} {checked:11.3f} {slow / fast:7.1f}  {agree}")
    print(f"median: {statistics.median(row['interpreter'] / row['executor'] for row in rows):.1f} times faster")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=2))
    return 0 if all(row["agree"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
