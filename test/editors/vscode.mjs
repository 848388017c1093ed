// The extension in real VS Code: what a person does with a dump, and what goes wrong for them.
// Screenshots go to the folder that is named; docs/images has copies of some. ctest calls it:
//   vscode.mjs CODE_SERVER_FOLDER KERNELSCOPE VSIX SCREENSHOTS

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { actions, edited, rewriting, symbolsAndCallers } from "./editing.mjs";
import { breakingPass, passesByKeyboard, passTree, timeline } from "./passes.mjs";
import { comparison, missingPython, panes, pythonToPtx } from "./panes.mjs";
import { layoutPanel, moves, whatTheCompilerDoes, powers, runReport } from "./pictures.mjs";
import { eventually, shown, Workbench } from "./workbench.mjs";

const [codeServer, kernelscope, vsix, screenshots] = process.argv.slice(2).map((p) => path.resolve(p));
fs.rmSync(screenshots, { recursive: true, force: true });
fs.mkdirSync(screenshots, { recursive: true });

/** A kernel that stores a number 128 times. */
const kernel = (name, number) => `
  tt.func public @${name}(%out: !tt.ptr<f32>) {
    %at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %value = arith.constant dense<${number}.0> : tensor<128xf32, #blocked>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %to = tt.addptr %base, %at : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %to, %value : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }`;
const moduleOf = (kernels) => `// ${kernels.length} kernels
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {${kernels.join("")}
}
`;

/** A warning, and two types in an older spelling. */
const older = `
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @older(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b: !tt.tensordesc<tensor<64x64xf16, #shared>>) {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.arrive_barrier %bar, 2 : !barrier
    tt.return
  }
}
`;
/** A pass changes the number. */
const passesOf = (titles) => titles
  .map((when, i) => `// -----// IR Dump ${when} (pass) ('builtin.module' operation) //----- //\n${moduleOf([kernel("k", i + 1)])}`)
  .join("\n");
const kernelLines = kernel("k", 1).split("\n").length - 1;

/** Of a kernel, as Triton names its folders. */
const hash = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOPQRST";

const workbench = await Workbench.start({
  codeServer,
  vsix,
  screenshots,
  demo: path.join(path.dirname(fileURLToPath(import.meta.url)), "../../docs/demo"),
  files: {
    "two.ttgir": moduleOf([kernel("first", 1), kernel("second", 2)]),
    [`${hash}/mine.ttgir`]: moduleOf([kernel("mine", 1)]),
    "huge.ttgir": moduleOf(Array.from({ length: 20000 / kernelLines }, (_, i) => kernel(`k${i}`, i))),
    "older.ttgir": older,
    "passes.mlir": passesOf(["Before Renumber", "After Renumber"]),
    "more-passes.mlir": passesOf(["Before One", "Before Two", "After Two"]),
    "moves.ttgir": moves,
    ...pythonToPtx,
    ...powers,
    ...edited,
    "typing.ttgir": 'module {\ntt.func @f(%n: i32) {\n    %a=arith.addi %n,%n : i32 loc("typing.py":1:5)\n\n    tt.return\n  }\n}\n',
    "stage.glir": `module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @stage(%n: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #gluon.auto_encoding>
    tt.return
  }
}
`,
    "stage.source": "module {\n  tt.func @stage(%n: i32) {\n    tt.return\n  }\n}\n",
    "stage.llir": 'target triple = "nvptx64-nvidia-cuda"\ndefine void @stage(i32 %n) {\n  %twice = add i32 %n, %n\n  ret void\n}\n',
    "stage.sass": "Function:stage\n--:-:0:-:8\tLDC R1, c[0x0][0x28];\n--:-:-:-:5\t@!P0 BRA LBB0;\nLBB0:\n--:-:-:-:5\tEXIT;\n",
    "page.sass": ".note\n  color: red\n",
    "disassembled.sass": "\n\tcode for sm_90\n\t\tFunction : stage\n\t.headerflags @\"EF_CUDA_SM90\"\n        /*0000*/  LDC R1, c[0x0][0x28] ;\n",
    "blocks.ttir": `module {
  tt.func @loop(%n: i32) {
    cf.br ^bb1
  ^bb1:
    cf.br ^bb1
  }
}
`,
    "typing.py": "def f(n):\n    return n + n\n",
    "wrong.launch.json": '{\n  "gird": [64],\n  "warmup": 5\n}\n',
  },
  settings: {
    Remote: { "kernelscope.path": kernelscope },
    User: {
      "kernelscope.run.device": "cpu",
      "workbench.colorTheme": "Default Light Modern",
      "workbench.startupEditor": "none",
      "workbench.tips.enabled": false,
      "workbench.activityBar.location": "hidden",
      "workbench.secondarySideBar.defaultVisibility": "hidden",
      "editor.minimap.enabled": false,
      "editor.wordBasedSuggestions": "off", // on a busy machine they come before the server's
      "editor.autoIndent": "none",
      "editor.autoClosingBrackets": "never",
      "editor.hover.delay": 100,
      "window.autoDetectColorScheme": false,
      "window.commandCenter": false,
      "files.defaultLanguage": "triton-ir",
    },
  },
});
const { page } = workbench;
const output = page.locator(".output-view");
const squiggles = page.locator(".squiggly-error");

async function errorsOnTheirLines() {
  await page.keyboard.press("Control+B");
  await workbench.open("broken.ttgir");
  await eventually("a squiggle under each broken op", async () => (await squiggles.count()) > 0);
  await workbench.runCommand("Problems: Focus on Problems View");
  const problems = page.locator(".markers-panel");
  await eventually("the errors in the problems view", async () => /make_range[^]*splatt/.test(await shown(problems)));
  await workbench.picture("errors");
  await page.keyboard.press("Control+J");
}

/** A kernel with errors has no preview, a message says why and leads to the first; and it does not run. */
async function brokenKernel() {
  await workbench.runCommand("Kernelscope: Show PTX");
  const message = workbench.notification("needs a result of rank 1 with 1000 elements");
  await message.waitFor();
  assert.equal(await workbench.tab("broken.ptx").count(), 0, "a failed preview opens no tab");
  await message.locator("a", { hasText: "Go to the Error" }).click();
  const place = `Ln ${workbench.lineOf("broken.ttgir", "end = 1000")},`;
  await eventually("the cursor at the error", async () => (await shown(page.locator(".statusbar"))).includes(place));
  await workbench.runCommand("Kernelscope: Run Kernel");
  await eventually("where it failed", async () => /broken\.ttgir:\d+:11: 'tt\.make_range' op needs/.test(await shown(output)));
  await page.keyboard.press("Control+J");
}

async function hover() {
  await workbench.open("softmax.ttgir");
  await eventually("the code lenses", async () => (await workbench.lens("PTX").count()) > 0);
  await eventually("no errors", async () => (await squiggles.count()) === 0);
  await page.locator(".view-line span", { hasText: "tt.load" }).last().hover();
  const content = page.locator(".monaco-hover-content", { hasText: "load from global memory" }).first();
  await content.waitFor();
  await page.waitForTimeout(300); // the hover fades in
  await workbench.picture("hover");
}

/** Completion, signature help, rename, formatting, and a link to the Python file. */
async function typing() {
  await workbench.open("typing.ttgir");
  await workbench.goToLine("4:1");
  await page.keyboard.type("    tt.get_program_i", { delay: 30 });
  const suggestion = page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "tt.get_program_id" });
  await suggestion.waitFor();
  await page.keyboard.press("Enter");
  await eventually("the snippet of tt.get_program_id", async () =>
    (await shown(page.locator(".view-lines").first())).includes("%result = tt.get_program_id x : i32"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await workbench.goToLine("2:13");
  await page.keyboard.press("F2");
  const input = page.locator(".rename-box input");
  await input.waitFor();
  assert.equal(await input.inputValue(), "n");
  await input.fill("count");
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "hidden" });
  await workbench.runCommand("Format Document");
  await eventually("the renamed, formatted text on the disk", async () => {
    await page.keyboard.press("Control+S");
    return workbench
      .read("typing.ttgir")
      .startsWith("module {\n  tt.func @f(%count: i32) {\n    %a = arith.addi %count, %count : i32 loc(\"typing.py\":1:5)\n");
  });
  await eventually("no errors", async () => (await squiggles.count()) === 0);
  await workbench.goToLine("3:21");
  await page.keyboard.press("Control+Shift+Space");
  const help = page.locator(".parameter-hints-widget.visible");
  await help.waitFor();
  assert.match(await shown(help), /arith\.addi %lhs, %rhs/);
  await workbench.picture("typing");
  await page.keyboard.press("Escape");
  await workbench.goToLine("3:50");
  await page.keyboard.press("F12");
  // The files of the steps before stay open.
  for (const file of ["typing.py", "typing.ttgir"]) {
    await workbench.tab(file).first().waitFor();
    await page.keyboard.press("Control+W");
    await eventually(`${file} closed`, async () => (await workbench.tab(file).count()) === 0);
  }
}

/** Each file that Triton writes opens with its language and colours. */
async function filesOfTriton() {
  const files = [
    ["stage.glir", "Triton IR", "tt.make_range"],
    ["stage.source", "Triton IR", "tt.func"],
    ["stage.llir", "LLVM IR", "define"],
    ["stage.sass", "SASS", "LDC"],
    ["disassembled.sass", "SASS", "LDC"],
  ];
  for (const [file, language, word] of files) {
    await workbench.open(file);
    await eventually(`${file} as ${language}`, async () => (await shown(page.locator(".statusbar"))).includes(language));
    await eventually(`a colour of ${word}`, async () => {
      const [own, plain] = [await workbench.colorOf(word), await page.evaluate(() => getComputedStyle(document.querySelector(".view-line")).color)];
      return own && own !== plain;
    });
    await workbench.picture(file.replace(".", "-"));
  }
  await workbench.open("page.sass"); // a style sheet
  await eventually("page.sass as no language of ours", async () => (await shown(page.locator(".statusbar"))).includes("Plain Text"));
  await workbench.tab("stage.glir").click();
  await eventually("no errors", async () => (await squiggles.count()) === 0);
  await workbench.runCommand("View: Close All Editors");
}

/** The name of a block changes at its label and where it is named. */
async function renamedBlock() {
  await workbench.open("blocks.ttir");
  await eventually("the code lenses", async () => (await workbench.lens("PTX").count()) > 0);
  await workbench.goToLine("4:4");
  await page.keyboard.press("F2");
  const input = page.locator(".rename-box input");
  await input.waitFor();
  await input.fill("again");
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "hidden" });
  await eventually("the new name on the disk", async () => {
    await page.keyboard.press("Control+S");
    return workbench.read("blocks.ttir").includes("    cf.br ^again\n  ^again:\n    cf.br ^again\n");
  });
  await workbench.runCommand("View: Close All Editors");
}

/** A kernel in a dump folder goes to Triton's override folder, as what its chip runs; one that is elsewhere asks for its folder. */
async function useInTriton() {
  await workbench.open("mine.ttgir");
  await workbench.runCommand("Kernelscope: Use in Triton");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await eventually("what an NVIDIA chip runs", async () =>
    (await rows.allInnerTexts()).map((row) => row.trim()).join() === "The IR in the editor,PTX,cubin");
  await page.keyboard.press("Enter");
  await workbench.notification("Start Python with: TRITON_KERNEL_OVERRIDE=1").waitFor();
  const written = path.join(workbench.scratch, ".triton/override", hash, "mine.ttgir");
  assert.equal(fs.readFileSync(written, "utf8"), workbench.read(`${hash}/mine.ttgir`));
  await page.keyboard.press("Control+W");
  await workbench.open("two.ttgir");
  await workbench.runCommand("Kernelscope: Use in Triton");
  await rows.first().waitFor();
  await page.keyboard.press("Enter");
  const failure = workbench.notification("no kernel named 'two'");
  await failure.locator("a", { hasText: "Choose the Kernel's Dump Folder" }).waitFor();
  await workbench.picture("use-in-triton");
  await workbench.runCommand("Notifications: Clear All Notifications");
}

/** Each kind of word has its own colour, in both default themes. */
async function colours() {
  const words = {
    operation: "tt.load",
    generic: '"tt.reduce"',
    type: "tensor",
    attribute: "#blocked",
    value: "%x_4",
    symbol: "@softmax",
    keyword: "attributes",
    string: '"softmax.py"',
    number: "1024",
    comment: "// a comment",
  };
  await workbench.goToLine(1);
  await page.keyboard.press("End");
  await page.keyboard.type(" // a comment");
  const colouredIn = (theme, selector) =>
    eventually(`each word's own colour in ${theme}`, async () => {
      await page.locator(selector).waitFor();
      const colors = {};
      for (const [kind, word] of Object.entries(words)) colors[kind] = await workbench.colorOf(word);
      const plain = await workbench.colorOf("=");
      const { generic, ...own } = colors;
      const different = new Set(Object.values(own));
      if (generic === colors.operation && different.size === Object.keys(own).length && !different.has(null) && !different.has(plain))
        return true;
      throw new Error(JSON.stringify({ plain, ...colors }));
    });
  await colouredIn("light", ".monaco-workbench.vs");
  await page.keyboard.press("Home");
  await workbench.picture("colours-light");
  await workbench.configure({ "workbench.colorTheme": "Default Dark Modern" });
  await colouredIn("dark", ".monaco-workbench.vs-dark");
  await workbench.picture("colours-dark");
  await workbench.configure({ "workbench.colorTheme": "Default Light Modern" });
  await page.keyboard.press("Control+Z");
}

async function ptxBesideTheSource() {
  await workbench.lens("PTX").click();
  const preview = workbench.column(1);
  await eventually("PTX beside the source", async () => /\.version|\.target/.test(await shown(preview)), 60000);
  await page.keyboard.press("Control+1");
  await workbench.goToLine(workbench.lineOf("softmax.ttgir", "tt.load"));
  await eventually("the load's instructions marked and in view", async () => {
    return (await preview.locator(".cdr").count()) > 0 && /ld\.global/.test(await shown(preview));
  });
  assert.equal(await page.locator(".notifications-toasts .notification-list-item").count(), 0, "no notification of a short job");
  await workbench.picture("ptx");
  for (const isThere of [true, false]) {
    assert.equal(/\.loc\b/.test(await shown(preview)), !isThere);
    await workbench.runCommand("Kernelscope: Show or Hide Locations and Labels in Previews");
    await eventually("the locations, then none", async () => /\.loc\b/.test(await shown(preview)) === isThere);
  }
  await preview.locator(".view-line span", { hasText: "ld.global" }).first().click();
  await eventually("the source line of an instruction marked", async () => (await workbench.column(0).locator(".cdr").count()) > 0);
  await workbench.picture("ptx-to-source");
  await preview.locator(".view-line span", { hasText: "ld.global" }).last().hover();
  await page.locator(".monaco-hover-content", { hasText: "Loads from memory" }).first().waitFor();
  await page.waitForTimeout(300); // the hover fades in
  await workbench.picture("ptx-hover");
  await page.mouse.move(0, 0);

  // A broken line above: the preview is dimmed, and its marks stay with their lines.
  const isDimmed = () =>
    preview.locator(".view-line span").evaluateAll((spans) => spans.some((span) => getComputedStyle(span).opacity === "0.55"));
  await page.keyboard.press("Control+1");
  const load = workbench.lineOf("softmax.ttgir", "tt.load");
  await workbench.goToLine(load);
  await page.keyboard.press("Control+Shift+Enter");
  await page.keyboard.type("tt.broken ");
  await page.keyboard.press("Escape");
  await eventually("a dimmed preview", isDimmed);
  await workbench.goToLine(load + 1);
  await eventually("the load's instructions below the broken line", async () => {
    return (await preview.locator(".cdr").count()) > 0 && /ld\.global/.test(await shown(preview));
  });
  const notes = await preview
    .locator(".view-line span")
    .evaluateAll((spans) => spans.map((span) => getComputedStyle(span, "::after").content));
  assert(notes.some((note) => note.includes("(compiled before this error: dialect 'tt' has no operation 'tt.broken'")), notes.join());
  await workbench.picture("ptx-of-older-text");
  // A line break before the load's first word takes its marks along; the line that it leaves has none.
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  for (const [line, isMarked] of [
    [load + 1, false],
    [load + 2, true],
  ]) {
    await workbench.goToLine(line);
    await page.waitForTimeout(500); // the marks are those of the line before until they have changed
    assert.equal((await preview.locator(".cdr").count()) > 0, isMarked, `the marks of line ${line}`);
  }
  await workbench.picture("ptx-below-a-line-break");
  assert(await isDimmed(), "the preview is still of the older text");
  for (let i = 0; i < 20 && (await isDimmed()); i++) {
    await page.keyboard.press("Control+Z");
    await page.waitForTimeout(500);
  }
  await eventually("the preview of the text as it was", async () => !(await isDimmed()));
}

async function run() {
  await page.keyboard.press("Control+1");
  await page.keyboard.press("Control+Home");
  await workbench.lens("Run").click();
  await eventually("the report of the run", async () => /softmax on cpu[^]*checksum/.test(await shown(output)), 60000);
  await workbench.picture("run");
  await page.keyboard.press("Control+J");
}

/** Waits until the status bar tells of a preview of `what`. */
async function previewed(what) {
  const status = page.locator(".part.statusbar");
  await eventually(`a preview of ${what}`, async () => (await shown(status)).includes(what), 60000);
}

/** The setting names the architecture. */
async function amdgcn() {
  await workbench.configure({ "kernelscope.arch": ["sm_100a", "gfx1201"] });
  await workbench.lens("AMDGCN").click();
  await previewed("AMDGCN gfx1201");
  await workbench.picture("amdgcn");
  await workbench.column(1).locator(".view-line span", { hasText: "s_load" }).last().hover();
  await page.locator(".monaco-hover-content", { hasText: "through the scalar cache" }).first().waitFor();
  await page.waitForTimeout(300); // the hover fades in
  await workbench.picture("amdgcn-hover");
  await page.mouse.move(0, 0);
  await workbench.configure({ "kernelscope.arch": [] });
}

/** The architecture that is picked from the server's list is the preview's. */
async function chosenArch() {
  await workbench.runCommand("Kernelscope: Choose the Preview's Architecture…");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "gfx1100" }).first().click();
  await previewed("AMDGCN gfx1100");
}

/** The source is closed while its previews are open: they stay, and follow its text again when it is back. */
async function sourceClosed() {
  await page.keyboard.press("Control+1");
  await page.keyboard.press("Control+W");
  await eventually("the source closed", async () => (await workbench.tab("softmax.ttgir").count()) === 0);
  await workbench.open("softmax.ttgir");
  const line = workbench.lineOf("softmax.ttgir", "@softmax");
  const column = workbench.read("softmax.ttgir").split("\n")[line - 1].indexOf("@softmax") + "@softmax".length + 1;
  await workbench.goToLine(`${line}:${column}`);
  await page.keyboard.type("ed");
  const renamed = async () => /softmaxed/.test(await shown(workbench.column(1)));
  await eventually("the new name in the preview", renamed);
  await workbench.tab("softmax.ptx").click();
  await page.keyboard.press("Control+Home");
  await eventually("the new name in the preview that was hidden", renamed);
  await page.keyboard.press("Control+1");
  await page.keyboard.press("Control+Z");
  await workbench.runCommand("View: Close All Editors");
}

async function launchSpec() {
  await workbench.open("wrong.launch.json");
  const wrong = page.locator(".squiggly-warning");
  await eventually("a squiggle under the member that the schema does not know", async () => (await wrong.count()) === 1);
  await page.locator(".view-line span", { hasText: "gird" }).last().hover();
  await page.locator(".monaco-hover-content", { hasText: "gird is not allowed" }).first().waitFor();
  await workbench.picture("launch-spec");
  await workbench.runCommand("View: Close All Editors");
}

async function warningsTurnedOff() {
  await workbench.open("older.ttgir");
  const warnings = page.locator(".squiggly-warning");
  await eventually("a warning", async () => (await warnings.count()) === 1);
  await workbench.configure({ "kernelscope.allow": ["barrier-arrivals"] });
  await eventually("no warning", async () => (await warnings.count()) === 0);
}

async function fixesOnSave() {
  await workbench.configure({
    "editor.codeActionsOnSave": { "source.fixAll.kernelscope": "explicit" },
    "kernelscope.release": "3.9",
  });
  await workbench.open("older.ttgir");
  await eventually("the hints", async () => (await page.locator(".squiggly-hint").count()) === 2);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// edited");
  const today = "%a: !tt.tensordesc<64x64xf16, #shared>, %b: !tt.tensordesc<64x64xf16, #shared>";
  // The new setting may take a moment to count.
  await eventually("today's spelling on the disk", async () => {
    await page.keyboard.press("Control+S");
    return workbench.read("older.ttgir").includes(today);
  });
  await workbench.runCommand("View: Close All Editors");
}

/** The command runs the kernel under the cursor; the lens previews its own kernel. */
async function twoKernels() {
  await workbench.open("two.ttgir");
  await eventually("lenses of both", async () => (await workbench.lens("Run", 1).count()) > 0);
  await workbench.goToLine(workbench.lineOf("two.ttgir", "@second") + 3);
  await workbench.runCommand("Kernelscope: Run Kernel");
  await eventually("the second's report", async () => /second on cpu[^]*first 2 2/.test(await shown(output)));
  await page.keyboard.press("Control+J");
  await workbench.lens("PTX", 1).click();
  await workbench.tab("second.ptx").waitFor();
  await eventually("only the second's PTX", async () => !/\.entry first/.test(await shown(workbench.column(1))));
}

async function cancelRun() {
  workbench.write("two.ttgir.launch.json", '{ "grid": [100000000] }');
  await page.keyboard.press("Control+1");
  await workbench.lens("Run", 0).click();
  const message = workbench.notification("Running first");
  await message.waitFor();
  await workbench.picture("cancel");
  await message.locator("a", { hasText: "Cancel" }).click();
  await eventually("that the run was cancelled", async () => /Cancelled\./.test(await shown(output)));
  fs.rmSync(path.join(workbench.workspace, "two.ttgir.launch.json"));
  await page.keyboard.press("Control+J");
  await workbench.runCommand("View: Close All Editors");
}

async function untitledFile() {
  await workbench.runCommand("File: New Untitled Text File");
  await page.locator(".editor-group-container .view-lines").first().click();
  await page.keyboard.insertText(moduleOf([kernel("unsaved", 3)]));
  await eventually("lenses of a file that is on no disk", async () => (await workbench.lens("Run").count()) > 0);
  await workbench.lens("PTX").click();
  await eventually("its PTX", async () => /\.entry unsaved/.test(await shown(workbench.column(1))));
  await page.keyboard.press("Control+1");
  await workbench.lens("Run").click();
  await eventually("its report", async () => /unsaved on cpu[^]*first 3 3/.test(await shown(output)));
  await page.keyboard.press("Control+J");
  await workbench.runCommand("View: Revert and Close Editor");
}

/** The front is killed: VS Code starts it again and the errors come back. */
async function serverKilled() {
  const servers = () => workbench.processes(`${kernelscope} lsp`);
  const before = servers();
  for (const pid of before) process.kill(Number(pid), "SIGKILL");
  await eventually("another server", () => servers().some((pid) => !before.includes(pid)));
  await workbench.open("broken.ttgir");
  await eventually("errors from it", async () => (await squiggles.count()) > 0);
}

async function missingServer() {
  await workbench.configure({ "kernelscope.path": "/nowhere/kernelscope" }, "Remote");
  const message = workbench.notification("there is no such program");
  await message.waitFor();
  await workbench.picture("missing");
  await message.locator("a", { hasText: "Open the Setting" }).click();
  await eventually("the setting", async () => /Kernelscope: Path/.test(await shown(page.locator(".settings-editor"))));
  await workbench.runCommand("View: Close All Editors");
  await workbench.open("softmax.ttgir");
  await workbench.runCommand("Kernelscope: Show PTX");
  await message.waitFor();
  const crashing = path.join(workbench.scratch, "crashing");
  fs.writeFileSync(crashing, '#!/bin/sh\n[ "$1" = --version ] && echo "kernelscope 0"\n', { mode: 0o755 });
  await workbench.configure({ "kernelscope.path": crashing }, "Remote");
  await workbench.notification("it keeps exiting").waitFor();
  await workbench.picture("crashing");
  await workbench.configure({ "kernelscope.path": kernelscope }, "Remote");
  await eventually("the lenses again", async () => (await workbench.lens("PTX").count()) > 0);
  await workbench.runCommand("Notifications: Clear All Notifications");
  await workbench.runCommand("Kernelscope: Restart the Language Server");
  await eventually("the lenses after a restart", async () => (await workbench.lens("PTX").count()) > 0);
  await workbench.runCommand("View: Close All Editors");
}

/** 20,000 lines: errors stand after an edit, and typing does not freeze. */
async function hugeFile() {
  const start = Date.now();
  await workbench.open("huge.ttgir");
  await eventually("lenses", async () => (await workbench.lens("Run").count()) > 0);
  const opened = Date.now() - start;
  await workbench.goToLine(10000);
  await page.keyboard.press("Home");
  await page.keyboard.type("%broken = tt.nothing ");
  const typed = Date.now();
  await eventually("the error", async () => (await squiggles.count()) > 0);
  console.log(`20,000 lines: lenses after ${opened} ms, an error ${Date.now() - typed} ms after the last key`);
  await workbench.picture("huge");
}

/** Steps that are run; without the variable, all. */
const only = process.env.ONLY?.split(",");
const steps = [
  errorsOnTheirLines,
  brokenKernel,
  hover,
  function besideTheOps() {
    return whatTheCompilerDoes(workbench, "softmax.ttgir");
  },
  typing,
  colours,
  ptxBesideTheSource,
  run,
  amdgcn,
  chosenArch,
  sourceClosed,
  launchSpec,
  filesOfTriton,
  renamedBlock,
  function offeredActions() {
    return actions(workbench);
  },
  function rewrittenForAnotherRelease() {
    return rewriting(workbench);
  },
  function functionsOfTheWorkspace() {
    return symbolsAndCallers(workbench);
  },
  warningsTurnedOff,
  fixesOnSave,
  twoKernels,
  cancelRun,
  useInTriton,
  function timelineOfAKernel() {
    return timeline(workbench, "two.ttgir");
  },
  function passThatBreaks() {
    return breakingPass(workbench, "passes.mlir", "Renumber");
  },
  function whatPassesDo() {
    return passTree(workbench, "passes.mlir", "Renumber");
  },
  function whatPassesDoByKeyboard() {
    return passesByKeyboard(workbench, "more-passes.mlir");
  },
  function whoHoldsWhat() {
    return layoutPanel(workbench, "moves.ttgir");
  },
  function reportOfARun() {
    return runReport(workbench, "powers.ttgir");
  },
  function pythonToMachineCode() {
    return panes(workbench);
  },
  function comparedWithTriton() {
    return comparison(workbench);
  },
  function withoutPython() {
    return missingPython(workbench);
  },
  untitledFile,
  serverKilled,
  missingServer,
  hugeFile,
];
let current;
try {
  for (current of steps) {
    if (only && !only.includes(current.name)) continue;
    const start = Date.now();
    await current();
    console.log(`${current.name}: ${Date.now() - start} ms`);
  }
  console.log(`passed; screenshots are in ${screenshots}`);
} catch (error) {
  await workbench.picture("failure");
  console.error(`${current.name} failed:`, error);
  process.exitCode = 1;
} finally {
  await workbench.stop();
}
