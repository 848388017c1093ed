// Edits that are offered, and ways through a workspace: quick fixes, refactorings, other releases, symbols, callers, names that change together.

import { eventually, shown } from "./workbench.mjs";

/** A misspelt op, a call, and a type that Triton spells otherwise since 3.7. */
export const edited = {
  "edited.ttgir": `#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @caller(%n: i32) -> i32 {
    %called = tt.call @callee(%n) : (i32) -> i32
    %many = tt.splatt %n : i32 -> tensor<128xi32, #blocked>
    tt.return %called : i32
  }
  tt.func private @callee(%n: i32) -> i32 {
    tt.return %n : i32
  }
}
`,
  "today.ttgir": `#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @today(%a: !tt.tensordesc<64x64xf16, #shared>) {
    tt.return
  }
}
`,
};

/** Puts the cursor into the word and takes the action from the menu of quick fixes. */
async function act(workbench, file, word, title) {
  const { page } = workbench;
  const line = workbench.lineOf(file, word);
  await workbench.goToLine(`${line}:${workbench.read(file).split("\n")[line - 1].indexOf(word) + 3}`);
  const menu = page.locator(".action-widget");
  const row = menu.locator(".monaco-list-row", { hasText: title }).first();
  // VS Code drops the menu if the text changes while it asks for the actions.
  await eventually(`the action '${title}'`, async () => {
    await page.keyboard.press("Control+.");
    const isOffered = await row.waitFor({ timeout: 3000 }).then(() => true, () => false);
    if (!isOffered) await page.keyboard.press("Escape");
    return isOffered;
  });
  await workbench.picture(`action-${title.split(" ")[0].toLowerCase()}`);
  // A click would go to what covers the page while the menu is open.
  const wanted = menu.locator(".monaco-list-row.focused", { hasText: title });
  for (let row = 0; row < 10 && (await wanted.count()) === 0; ++row) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await menu.waitFor({ state: "hidden" });
}

async function saved(workbench, file, what, text) {
  await eventually(what, async () => {
    await workbench.page.keyboard.press("Control+S");
    return workbench.read(file).includes(text);
  });
}

/** A near miss is corrected, and an alias is written out and made again. */
export async function actions(workbench) {
  const { page } = workbench;
  await workbench.open("edited.ttgir");
  await eventually("the error", async () => (await page.locator(".squiggly-error").count()) > 0);
  await act(workbench, "edited.ttgir", "tt.splatt", "Change to 'tt.splat'");
  await saved(workbench, "edited.ttgir", "the right op on the disk", "%many = tt.splat %n");
  await act(workbench, "edited.ttgir", "#blocked>", "Inline '#blocked'");
  await saved(workbench, "edited.ttgir", "the layout in the type", "tensor<128xi32, #ttg.blocked<{sizePerThread");
  await act(workbench, "edited.ttgir", "#ttg.blocked", "Extract '#");
  await saved(workbench, "edited.ttgir", "the alias again", "tensor<128xi32, #blocked");
  await workbench.runCommand("View: Close All Editors");
}

/** The command writes the file as an older Triton reads it. */
export async function rewriting(workbench) {
  const { page } = workbench;
  await workbench.open("today.ttgir");
  await eventually("the code lenses", async () => (await workbench.lens("PTX").count()) > 0);
  await workbench.runCommand("Kernelscope: Rewrite for Triton");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "3.6" }).first().click();
  await saved(workbench, "today.ttgir", "the spelling of 3.6", "%a: !tt.tensordesc<tensor<64x64xf16, #shared>>");
  await workbench.runCommand("View: Close All Editors");
}

/** A function is found by its name in a file that is not open, and its callers from there. */
export async function symbolsAndCallers(workbench) {
  const { page } = workbench;
  await page.keyboard.press("Control+T");
  await page.locator(".quick-input-widget input").first().fill("#callee");
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "edited.ttgir" }).first();
  await row.waitFor();
  await workbench.picture("workspace-symbols");
  await page.keyboard.press("Enter");
  await workbench.tab("edited.ttgir").first().waitFor();
  await eventually("the code lenses", async () => (await workbench.lens("PTX").count()) > 0);
  await page.keyboard.press("Shift+Alt+H");
  await eventually("who calls it", async () => /caller\s*\(%n: i32\)/.test(await shown(page.locator(".part.sidebar"))));
  await workbench.picture("callers");
  await page.keyboard.press("Escape");
  await workbench.runCommand("View: Close All Editors");
}
