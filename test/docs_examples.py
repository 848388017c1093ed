#!/usr/bin/env python3
"""Runs each command and each launch spec that the docs show: docs_examples.py KERNELSCOPE

Their `kernel.ttgir` is the kernel of docs/demo; a GPU or tool that is missing (exit code 3) is no failure of an example.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TTIR = """module {
  tt.func public @copy(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %inp: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %at = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %from = tt.splat %inp : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %fromAt = tt.addptr %from, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %toAt = tt.addptr %to, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %x = tt.load %fromAt : tensor<256x!tt.ptr<f32>>
    tt.store %toAt, %x : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
"""


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    demo = (ROOT / "docs" / "demo" / "softmax.ttgir").read_text()
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    failed = commands = specs = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.ttgir").write_text(demo)
        (folder / "kernel.ttir").write_text(TTIR)
        # What the code generator gets stands for a dump of Triton's.
        subprocess.run([program, "preview", folder / "kernel.ttir", "--arch", "gfx950", "--emit", "llvm", "-o", folder / "kernel.llir"], check=True)
        # Without locations.
        dumped = subprocess.run([program, "opt", folder / "kernel.ttgir"], capture_output=True, text=True, check=True).stdout
        (folder / "passes.mlir").write_text("".join(
            f"// -----// IR Dump Before {title} ('builtin.module' operation) //----- //\n{dumped}\n" for title in ("One", "Two")))
        (folder / "inputs.json").write_text("{}")
        (folder / "other.json").write_text("{}")

        def check(command, where):
            nonlocal failed
            done = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=120)
            if done.returncode not in (0, 3):
                failed += 1
                print(f"{where}: {shlex.join(command)}: exit code {done.returncode}\n{(done.stderr or done.stdout)[-600:]}")

        for page in pages:
            text = page.read_text()
            for line, shown in enumerate(text.splitlines(), 1):
                if not re.match(r"    kernelscope [a-z]", shown):
                    continue
                command = shlex.split(shown, comments=True)
                # Of a kernel that is not the demo's.
                command = ["softmax" if word == "matmul" else word for word in command]
                commands += 1
                check(command, f"{page.name}:{line}")
            for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE):
                if not block.startswith("    {\n") or '"arguments"' not in block:
                    continue
                spec = json.loads(block)
                if page.name != "guide.md" or "columns" not in spec.get("arguments", {}):
                    continue
                (folder / "shown.json").write_text(block)
                specs += 1
                check(["kernelscope", "run", "kernel.ttgir", "--device", "cpu", "--spec", "shown.json"], f"{page.name}: its launch spec")
    print(f"{commands} commands, {specs} launch specs, {failed} failed")
    sys.exit(failed > 0 or not commands or not specs)


if __name__ == "__main__":
    main()
