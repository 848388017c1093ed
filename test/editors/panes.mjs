// From Python to machine code: three panes that follow each other, and a comparison with what Triton has written.

import { eventually, shown } from "./workbench.mjs";

/** A kernel with places in Python, its Python, and PTX as Triton would write it. */
export const pythonToPtx = {
  "twice.py": "@triton.jit\ndef twice(out):\n    at = tl.arange(0, 128)\n    x = tl.load(out + at)\n    tl.store(out + at, x + x)\n",
  "twice.ttgir": `#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#at = loc("twice.py":3:10)
#to = loc("twice.py":4:22)
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @twice(%out: !tt.ptr<f32>) {
    %at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked> loc(#at)
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked> loc(#to)
    %to = tt.addptr %base, %at : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked> loc(#to)
    %x = tt.load %to : tensor<128x!tt.ptr<f32>, #blocked> loc("twice.py":4:16)
    %sum = arith.addf %x, %x : tensor<128xf32, #blocked> loc("twice.py":5:27)
    tt.store %to, %sum : tensor<128x!tt.ptr<f32>, #blocked> loc("twice.py":5:23)
    tt.return
  }
}
`,
  "twice.ptx": `.version 8.7
.target sm_90a
.address_size 64

.visible .entry twice(
	.param .u64 .ptr .global .align 1 twice_param_0,
	.param .u64 .ptr .global .align 1 twice_param_1,
	.param .u64 .ptr .global .align 1 twice_param_2
)
.reqntid 128
{
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<4>;
$L__func_begin0:
	ld.param.b64 	%rd2, [twice_param_0];
	.loc	1 3 10                          // twice.py:3:10
	mov.u32 	%r1, %tid.x;
	.loc	1 4 22                          // twice.py:4:22
	mul.wide.u32 	%rd3, %r1, 4;
	add.s64 	%rd1, %rd2, %rd3;
	.loc	1 4 16                          // twice.py:4:16
	// begin inline asm
	ld.global.v1.b32 { %r2 }, [ %rd1 + 0 ];
	// end inline asm
	.loc	1 5 27                          // twice.py:5:27
	add.f32 	%r3, %r2, %r2;
	.loc	1 5 23                          // twice.py:5:23
	st.global.b32 	[%rd1], %r3;
	ret;
$L__func_end0:
}
	.file	1 "twice.py"
`,
  // Its Python file is not there.
  "lonely.ttgir": "module {\n  tt.func @f(%n: i32) {\n    %a = arith.addi %n, %n : i32 loc(\"nowhere.py\":1:5)\n    tt.return\n  }\n}\n",
};

const marked = (column) =>
  column.evaluate((group) => {
    const text = new Map([...group.querySelectorAll(".view-line")].map((line) => [line.style.top, line.textContent.replaceAll("\u00a0", " ")]));
    return [...group.querySelectorAll(".view-overlays > div")]
      .filter((line) => line.querySelector(".cdr:not(.current-line)"))
      .map((line) => text.get(line.style.top) ?? "");
  });

/** A line that is selected in any pane marks its lines in the other two. */
export async function panes(workbench) {
  const { page } = workbench;
  const [python, ir, assembly] = [0, 1, 2].map((number) => workbench.column(number));
  const marks = (what, column, pattern, count) =>
    eventually(what, async () => {
      const lines = await marked(column);
      if (lines.length === count && lines.every((line) => pattern.test(line))) return true;
      throw new Error(JSON.stringify(lines));
    });
  await workbench.open("twice.ttgir");
  await eventually("the code lenses", async () => (await workbench.lens("PTX").count()) > 0);
  await page.keyboard.press("Control+Alt+M");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "twice.ptx" }).waitFor();
  await page.keyboard.press("Enter");
  await eventually("three panes", async () => (await page.locator(".editor-group-container").count()) === 3);
  await eventually("Triton's PTX", async () => /entry twice/.test(await shown(assembly)));
  await page.keyboard.press("Control+2");
  await workbench.goToLine(workbench.lineOf("twice.ttgir", "tt.load"));
  await marks("the line of Python", python, /tl\.load/, 1);
  await marks("Triton's load", assembly, /ld\.global/, 1);
  await page.keyboard.press("Control+1");
  await workbench.goToLine(5);
  await marks("the ops of a line of Python", ir, /arith\.addf|tt\.store/, 2);
  await marks("its instructions", assembly, /add\.f32|st\.global|ret/, 3);
  await workbench.picture("panes");
  await page.keyboard.press("Control+3");
  await workbench.goToLine(workbench.lineOf("twice.ptx", "mul.wide"));
  await marks("the ops of an instruction", ir, /tt\.splat|tt\.addptr/, 2);
  await marks("the Python of an instruction", python, /tl\.load/, 1);

  // What we compile, in the place of it.
  await page.keyboard.press("Control+2");
  await workbench.runCommand("Kernelscope: From Python to Machine Code");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "AMDGCN" }).click();
  await eventually("our AMDGCN", async () => /amdgcn/.test(await shown(assembly)), 60000);
  await page.keyboard.press("Control+1");
  await workbench.goToLine(4);
  await eventually("our instructions of a line of Python", async () => {
    const lines = await marked(assembly);
    return lines.some((line) => /global_load|buffer_load/.test(line));
  });
  await workbench.picture("panes-amdgcn");
  await workbench.runCommand("View: Close All Editors");
}

/** The diff has no places and no numbers of registers, and so shows what differs. */
export async function comparison(workbench) {
  await workbench.open("twice.ttgir");
  await workbench.runCommand("Kernelscope: Compare with Triton's Assembly");
  const diff = workbench.page.locator(".monaco-diff-editor");
  await diff.waitFor({ timeout: 60000 });
  await eventually("both without numbers of registers", async () => {
    const sides = [await shown(diff.locator(".editor.original")), await shown(diff.locator(".editor.modified"))];
    return sides.every((side) => /ld\.global\.b32 %r, \[%rd\];/.test(side) && !/\.loc|%r\d/.test(side));
  });
  await workbench.picture("comparison");
  await workbench.runCommand("View: Close All Editors");
}

/** Without the Python file, a message says where it was looked for, and the other two panes are there. */
export async function missingPython(workbench) {
  const { page } = workbench;
  await workbench.open("lonely.ttgir");
  await workbench.runCommand("Kernelscope: From Python to Machine Code");
  await page.locator('.quick-input-list .monaco-list-row[aria-label^="PTX"]').click();
  await workbench.notification("cannot find nowhere.py beside the dump").waitFor();
  await eventually("two panes", async () => (await page.locator(".editor-group-container").count()) === 2);
  await workbench.runCommand("Notifications: Clear All Notifications");
  await workbench.runCommand("View: Close All Editors");
  await workbench.open("lonely.ttgir");
  await workbench.runCommand("Kernelscope: Compare with Triton's Assembly");
  await workbench.notification("lonely.ptx or lonely.amdgcn").waitFor();
  await workbench.runCommand("Notifications: Clear All Notifications");
  await workbench.runCommand("View: Close All Editors");
}
