#!/usr/bin/env python3
"""Runs kernels with `kernelscope run --compare` and prints a table of results.

Each stage that a kernel has (.ttir, .ttgir) is a row. Exits 1 when a row failed, 0 when all
passed or the program found no device.
"""
import argparse
import json
import pathlib
import subprocess
import sys

KERNELS = """vec_add vec_add_f16x8 grid_stride_saxpy clamp_select math_zoo integer_ops
mixed_precision_fma softmax_row softmax_row_w8 rmsnorm_residual column_stats gemv transpose_tile
collatz_steps embedding_lookup dropout_fwd gl_copy gl_softmax gl_transpose""".split()
NO_DEVICE = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="holds KERNEL.ttir and KERNEL.ttgir")
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--kernelscope", required=True)
    parser.add_argument("--device", required=True)
    args = parser.parse_args()

    columns = "{:<28} {:<8} {:>10} {:>9} {:>10} {:>10}  {}"
    print(columns.format("kernel", "result", "us", "GB/s", "max abs", "max rel", "device or error"))
    passed = failed = 0
    for kernel in args.kernels:
        for stage in ("ttir", "ttgir"):
            file = args.folder / f"{kernel}.{stage}"
            if not file.exists():
                continue
            command = [args.kernelscope, "run", str(file), "--device", args.device, "--compare", "--format", "json"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == NO_DEVICE:
                print("SKIPPED:", done.stderr.strip())
                return 0
            report = json.loads(done.stdout) if done.stdout.strip() else {}
            comparisons = [output["comparison"] for output in report.get("outputs", []) if "comparison" in output]
            ok = done.returncode == 0 and bool(comparisons)
            passed, failed = passed + ok, failed + (not ok)
            worst = lambda key: f"{max((float(c[key]) for c in comparisons), default=float('nan')):.2e}"
            error = done.stderr.strip().splitlines()
            print(columns.format(
                file.name, "ok" if ok else "FAILED", f"{report.get('microseconds', 0):.2f}",
                f"{report.get('gigabytesPerSecond', 0):.1f}", worst("maxAbsolute"), worst("maxRelative"),
                error[0] if error else "; ".join([report.get("device", "")] + report.get("notes", []))))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
