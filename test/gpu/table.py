#!/usr/bin/env python3
"""Runs kernels with `kernelscope run --compare` and prints a table of results.

Each stage that a kernel has (.ttir, .ttgir) is a row; a kernel named with its extension has that
one only. A kernel whose inputs cannot be worked out from its IR has a launch spec in specs/.
Exits 1 when a row failed, 0 when all passed or the program found no device.
"""
import argparse
import json
import pathlib
import subprocess
import sys

KERNELS = """vec_add vec_add_f16x8 grid_stride_saxpy clamp_select math_zoo integer_ops
mixed_precision_fma softmax_row softmax_row_w8 rmsnorm_residual column_stats gemv transpose_tile
collatz_steps embedding_lookup dropout_fwd gl_copy gl_softmax gl_transpose""".split()
OWN = pathlib.Path(__file__).parent.resolve() / "kernels"
# An older chip's dump has mma.sync, Hopper's own has wgmma.
OF_VENDOR = {
    "cuda": ["nv_mma_v2_matmul_f16.ttgir", "../cuda-80/matmul_f16.ttgir", "nv_ws_results.ttgir", "matmul_f16.ttgir",
             "matmul_bf16.ttgir", "matmul_f32.ttgir", "matmul_f32_tf32x3.ttgir", "matmul_fp8.ttgir", "matmul_i8.ttgir",
             "matmul_nopipe.ttgir", "matmul_split_k.ttgir", "matmul_scaled_mxfp4.ttgir", "matmul_scaled_mxfp8.ttgir",
             OWN / "mbarrier_handoff.ttgir", OWN / "gather_in_warp.ttgir"],
    "hip": ["matmul_f16.ttgir"],
}
SPECS = pathlib.Path(__file__).parent / "specs"
NO_DEVICE = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="holds KERNEL.ttir and KERNEL.ttgir")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--kernelscope", required=True)
    parser.add_argument("--device", required=True)
    args = parser.parse_args()

    columns = "{:<28} {:<8} {:>10} {:>9} {:>10} {:>10}  {}"
    print(columns.format("kernel", "result", "us", "GB/s", "max abs", "max rel", "device or error"))
    passed = failed = 0
    for kernel in args.kernels or KERNELS + OF_VENDOR[args.device]:
        named = args.folder / kernel
        for file in [named] if named.suffix else [named.with_suffix(".ttir"), named.with_suffix(".ttgir")]:
            if not file.exists():
                continue
            command = [args.kernelscope, "run", str(file), "--device", args.device, "--compare", "--format", "json"]
            spec = SPECS / f"{file.stem}.launch.json"
            if spec.exists():
                command += ["--spec", str(spec)]
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
