// The pages of the extension: where the elements of tensors are.

import assert from "node:assert/strict";
import { eventually, shown } from "./workbench.mjs";

/** Two layouts in registers, a buffer whose columns share a bank, and a tensor of 16 million elements. */
export const moves = `#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @moves(%x: tensor<64x64xf16, #a>, %m: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %big: tensor<4096x4096xf16, #a>) {
    %y = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #mma>
    ttg.local_store %y, %m : tensor<64x64xf16, #mma> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %n = arith.negf %big : tensor<4096x4096xf16, #a>
    tt.return
  }
}
`;

/** e to the power of random numbers, whose last bits differ between the executor and AMD's instruction. */
export const powers = {
  "powers.ttgir": `#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @powers(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %row = tt.get_program_id x : i32
    %size = arith.constant 256 : i32
    %start = arith.muli %row, %size : i32
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %starts = tt.splat %start : i32 -> tensor<256xi32, #blocked>
    %at = arith.addi %starts, %range : tensor<256xi32, #blocked>
    %ins = tt.splat %in : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %ins, %at : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %x = tt.load %from : tensor<256x!tt.ptr<f32>, #blocked>
    %y = math.exp %x : tensor<256xf32, #blocked>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %to = tt.addptr %outs, %at : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    tt.store %to, %y : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
`,
  "powers.ttgir.launch.json": '{"grid": [16], "tolerance": {"f32": {"absolute": 0, "relative": 1e-7}}}',
};

/** The page in the one webview. */
function pageIn(page) {
  return page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
}

/** A lens compiles the kernel and says what became of each op, beside it and in hover; it says what the kernel takes, and hides it again. */
export async function whatTheCompilerDoes(workbench, file) {
  const { page } = workbench;
  await workbench.open(file);
  await eventually("the lens", async () => (await workbench.lens("What the compiler does").count()) > 0);
  const text = async () => (await shown(page.locator(".view-lines").first())).replaceAll("\u00a0", " ");
  assert(!(await text()).includes("ld.global"), "nothing is compiled unasked");
  await workbench.lens("What the compiler does").first().click();
  await eventually("the load's instructions", async () => (await text()).includes("2 x ld.global.v4.b32, coalesced, 8 elements predicated"));
  await eventually("what the kernel takes", async () => (await workbench.lens("16 bytes shared").count()) > 0);
  await workbench.picture("emitted");
  await page.locator(".view-line span", { hasText: "math.exp" }).last().hover();
  await page.locator(".monaco-hover-content", { hasText: "8 x ex2.approx.f32" }).first().waitFor();
  await page.waitForTimeout(300); // the hover fades in
  await workbench.picture("emitted-hover");
  await page.keyboard.press("Escape");
  await workbench.runCommand("Kernelscope: Show or Hide What the Compiler Does");
  await eventually("nothing beside the load", async () => !(await text()).includes("ld.global"));
}

/** The panel opens from a hover, follows the cursor, and says by keyboard and mouse who holds an element. */
export async function layoutPanel(workbench, file) {
  const { page } = workbench;
  await workbench.open(file);
  await eventually("the code lenses", async () => (await workbench.lens("PTX").count()) > 0);
  await page.locator(".view-line span", { hasText: "ttg.convert_layout" }).last().hover();
  await page.locator(".monaco-hover-content a", { hasText: "Show Layout" }).first().click();
  const panel = pageIn(page);
  const owners = async () => (await panel.locator(".owner").allInnerTexts()).join("\n");
  const says = (what, text) => eventually(`${what}: ${text}`, async () => (await owners()).includes(text));
  await says("the first element", "[0, 0] is at warp 0, lane 0, register 0.");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await says("the operand", "[4, 2] is at warp 1, lane 0, register 2.");
  await says("the result", "[4, 2] is at warp 0, lane 17, register 0.");
  assert.match(await shown(panel.locator("#selected")), /It goes to another warp/);
  await page.mouse.move(0, 0);
  await page.locator(".monaco-hover-content").first().waitFor({ state: "hidden" });
  await workbench.picture("layout-light");

  await page.keyboard.press("Control+1");
  await workbench.goToLine(workbench.lineOf(file, "ttg.local_store"));
  await eventually("the store's layouts", async () => /local_store/.test(await shown(panel.locator("h1"))));
  await workbench.configure({ "workbench.colorTheme": "Default Dark Modern" });
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await panel.locator("body.vscode-dark").waitFor();
  await panel.locator("canvas").nth(1).click({ position: { x: 200, y: 100 } });
  await says("the buffer", "[4, 3] is at offset 259, byte 518 (0x206) of the buffer, bank 1.");
  assert.match(await shown(panel.locator(".banks").nth(1)), /8 cycles: 8-way conflict/);
  await workbench.picture("layout-dark");

  await page.keyboard.press("Control+1");
  await workbench.goToLine(workbench.lineOf(file, "arith.negf"));
  await eventually("the large tensor", async () => /negf/.test(await shown(panel.locator("h1"))));
  await panel.locator(".grid").first().focus();
  await page.keyboard.press("Control+End");
  await says("its last element", "[4095, 4095] is at warp 3, lane 31, register 131071.");
  const elements = await panel.locator("*").count();
  assert(elements < 200, `${elements} elements in the page`);
  await workbench.runCommand("View: Close All Editors");
  await workbench.configure({ "workbench.colorTheme": "Default Light Modern" });
}

/** The page of a run: statistics, and the map of where it differs, by keyboard. */
export async function runReport(workbench, file) {
  const { page } = workbench;
  await workbench.configure({ "kernelscope.run.device": "sim" });
  await workbench.open(file);
  await eventually("the code lenses", async () => (await workbench.lens("Run").count()) > 0);
  assert.match(await shown(workbench.lens("PTX")), /^PTX: the layouts for 'ttg.threads-per-warp' = 64 cannot run on sm_90a/);
  await workbench.lens("Run").click();
  await eventually("the text of the report", async () => /differs from the CPU/.test(await shown(page.locator(".output-view"))), 60000);
  await page.keyboard.press("Control+J");
  await workbench.runCommand("Kernelscope: Show Run Report");
  const report = pageIn(page);
  await eventually("the statistics", async () => /minimum[^]*mean[^]*NaN\s+0[^]*beyond the tolerance\s+\d+ elements/.test(await shown(report.locator("main"))));
  const map = report.locator(".map");
  assert.equal(await map.locator(".cell").count(), 64 * 64);
  assert((await map.locator(".beyond").count()) > 100);
  const said = () => shown(report.locator("[role=status]"));
  assert.match(await said(), /Row \d+, column \d+: at most [\d.]+ times the tolerance/);
  await map.locator(".cell").first().click();
  await eventually("the first element", async () => /^Row 0, column 0:/.test(await said()));
  for (const key of ["ArrowDown", "ArrowDown", "End", "ArrowLeft"]) await page.keyboard.press(key);
  await eventually("another", async () => /^Row 2, column 62:/.test(await said()));
  await workbench.picture("report-light");
  await page.keyboard.press("Control+1");
  await workbench.configure({ "workbench.colorTheme": "Default Dark Modern", "kernelscope.run.device": "cpu" });
  await page.locator(".monaco-workbench.vs-dark").waitFor();
  await page.waitForTimeout(500); // the page is told, too
  await workbench.picture("report-dark");
  await workbench.configure({ "workbench.colorTheme": "Default Light Modern" });
  await workbench.runCommand("View: Close All Editors");
}
