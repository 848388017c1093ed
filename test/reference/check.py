#!/usr/bin/env python3
"""Runs kernels of the corpus on the CPU executor and compares them with NumPy (kernels.py), on the default launch.

  check.py --kernelscope PROGRAM FOLDER...    a FOLDER of the corpus, such as triton-3.6.0/cuda-90

Prints a line for each stage (.ttir, .ttgir) that differs and how many agree. With --once, a kernel is run only from the first
folder that has it: RunCorpusTest compares the targets with each other. Exits 1 when one differs, and 77, after saying so,
where NumPy is missing.
"""
import argparse
import inspect
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("SKIPPED: no NumPy in", sys.executable)
    sys.exit(77)
import kernels
from arithmetic import fp8

#: Kernels of the corpus whose function in the IR has another name.
NAMES = {"embedding_scatter_add_f32": "embedding_scatter_add", "conv1d_depthwise_plain": "conv1d_depthwise",
         "softmax_row_w8": "softmax_row"}
#: Of the kernels that cannot be that exact, and why: dtype to (absolute, as a part of the root mean square; relative).
LOOSE = {
    # p and ds are rounded to f16 when they are near its largest value: one bit more or less of one of them is 32.
    "flash_bwd_dkdv": (0.01, 0.01),
    # Three products in tf32 leave out the smallest terms.
    "matmul_f32_tf32x3": (1e-5, 1e-5),
}
EXACT = {"f64": 1e-12, "f32": 1e-6, "f16": 1e-3, "bf16": 8e-3}  # others: equal


def known(file):
    """What the tests' list says of the file: "fails" when it cannot run, "finding" when the sanitizer is right to complain."""
    listed = pathlib.Path(__file__).parents[1] / "unit/run/corpus-failures.txt"
    patterns = [line.split(": ") for line in listed.read_text().splitlines() if line and not line.startswith("#")]
    return next((what for pattern, what, _ in patterns if file.match(pattern)), "same")


def decode(array, dtype):
    """NumPy has no bf16 or fp8: they come as integers with the same bits."""
    if dtype == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype.startswith("f8"):
        return fp8(array.view(np.uint8), dtype)
    return array.astype(np.float64) if dtype.startswith("f") else array


def run(program, file):
    """The report, the inputs and the outputs of a run."""
    sanitize = "none" if known(file) == "finding" else "all"
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", file, "--device", "cpu", "--format", "json", "--sanitize", sanitize,
                   "--inputs", folder + "/in", "--output", folder + "/out"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[0])
        report = json.loads(done.stdout[done.stdout.index("{\n"):])
        types = {entry["name"]: entry["dtype"] for entry in report["arguments"] if "shape" in entry}
        load = lambda where: {name: decode(np.load(path).ravel(), types[name]) for name in types
                              if (path := pathlib.Path(folder, where, name + ".npy")).exists()}
        return report, types, load("in"), load("out")


def described(name, values):
    """Of a descriptor that a pass has taken apart: its shape, and where its elements are in the buffer; None of others."""
    rank = sum(f"{name}.shape.{dim}" in values for dim in range(5))
    if not rank:
        return None
    shape = [int(values[f"{name}.shape.{dim}"]) for dim in range(rank)]
    strides = [int(values[f"{name}.stride.{dim}"]) for dim in range(rank)]
    return shape, sum(index * stride for index, stride in zip(np.indices(shape), strides)).ravel()


def check(program, file, function):
    """Empty when the kernel does what `function` says."""
    report, types, inputs, outputs = run(program, file)
    values = {entry["name"]: entry["value"] for entry in report["arguments"] if "shape" not in entry}
    shapes = {entry["name"]: entry["shape"] for entry in report["arguments"] if "shape" in entry}
    for name in list(inputs):
        if (part := described(name, values)) is None:
            continue
        shapes[name], elements = part
        if name in outputs:
            if (np.delete(outputs[name], elements) != np.delete(inputs[name], elements)).any():
                return f"'{name}' has changed outside of the tensor that its descriptor describes"
            outputs[name] = outputs[name][elements]
        inputs[name] = inputs[name][elements]
    values = dict(inputs)
    # Of an array of pointers, what its elements point to.
    for name in inputs:
        if name + ".0" in inputs:
            values[name] = [inputs[f"{name}.{i}"] for i in range(len(inputs[name]))]
    for entry in report["arguments"]:
        if "shape" not in entry:
            values[entry["name"]] = float(entry["value"]) if entry["dtype"].startswith("f") else int(entry["value"])
    values |= {"grid": report["grid"], "target": file.parent.name, "shapes": shapes}
    expected = function(**{name: values[name] for name in inspect.signature(function).parameters})
    for name, wanted in expected.items():
        found = outputs[name][: len(wanted)]
        scale = np.sqrt(np.mean(np.square(wanted[np.isfinite(wanted)], dtype=np.float64)))
        absolute, relative = LOOSE.get(file.stem, (EXACT.get(types[name], 0),) * 2)
        with np.errstate(invalid="ignore"):
            agree = (np.abs(found - wanted) <= absolute * scale + relative * np.abs(wanted)) | (found == wanted)
        agree |= np.isnan(found) & np.isnan(wanted)
        if not agree.all():
            first = int(np.argmin(agree))
            return f"{(~agree).sum()} of {len(agree)} of '{name}'; first [{first}]: {found[first]}, not {wanted[first]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernelscope", required=True)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--once", action="store_true")
    args = parser.parse_args()
    agreed = failed = 0
    seen = set()
    for folder in args.folders:
        files = [file for file in sorted(folder.glob("*.tt*ir")) if not args.once or file.stem not in seen]
        seen |= {file.stem for file in files}
        for file in files:
            function = getattr(kernels, NAMES.get(file.stem, file.stem), None)
            if not inspect.isfunction(function) or known(file) == "fails":
                continue
            try:
                wrong = check(args.kernelscope, file, function)
            except (RuntimeError, KeyError, ValueError) as error:
                wrong = f"{type(error).__name__}: {error}"
            agreed, failed = agreed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"{folder.name}/{file.name}: {wrong}")
    print(f"{agreed} agree with NumPy, {failed} do not")
    return 1 if failed or not agreed else 0


if __name__ == "__main__":
    sys.exit(main())
