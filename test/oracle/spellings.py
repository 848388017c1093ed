#!/usr/bin/env python3
"""Checks what real Tritons of several releases write.

Usage: spellings.py KERNELSCOPE PYTHON... Each Python's Triton compiles a spread of kernels for all
targets (it takes minutes, and ld.lld for AMD: TRITON_HIP_LLD_PATH); `kernelscope check` must find
no error in any stage. Exits 77, to be skipped, where no Python is given or none has Triton.
"""
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spelling_kernels.py")


def version_of(python):
    result = subprocess.run([python, "-c", "import triton; print(triton.__version__)"],
                            capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def problems(kernelscope, files):
    """path -> its errors; and the number of hints of each message."""
    errors, hints = {}, collections.Counter()
    for i in range(0, len(files), 50):
        result = subprocess.run([kernelscope, "check", "--format=json", *files[i:i + 50]],
                                capture_output=True, text=True)
        for file in json.loads(result.stdout)["files"]:
            found = [d for d in file["diagnostics"] if d["severity"] == "error"]
            if found:
                errors[file["path"]] = found
            hints.update(d["message"] for d in file["diagnostics"] if d["severity"] == "hint")
    return errors, hints


def main():
    kernelscope, pythons = sys.argv[1], [python for python in sys.argv[2:] if python]
    versions = [(python, version_of(python)) for python in pythons]
    versions = [(python, version) for python, version in versions if version]
    if not versions:
        print("skipped: no Python with Triton; name some in KS_TRITON_PYTHONS, separated by ';'")
        sys.exit(77)
    failed = False
    for python, version in versions:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([python, KERNELS, folder], check=True, stdout=subprocess.DEVNULL)
            for stage in ("source", "ttir", "ttgir"):
                files = sorted(glob.glob(os.path.join(folder, "*", f"*.{stage}")))
                errors, hints = problems(kernelscope, files)
                print(f"{version} {stage}: {len(files) - len(errors)} of {len(files)} without error")
                for path, found in errors.items():
                    failed = True
                    print(f"  {os.path.relpath(path, folder)}:{found[0]['line']}: "
                          f"{found[0]['message']}")
                for message, count in hints.most_common():
                    print(f"  {count} x {message}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
