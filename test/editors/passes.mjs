// What VS Code shows of a kernel beyond its results: when its parts ran, and which pass broke it.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { eventually, shown } from "./workbench.mjs";

/** The command asks for a file, writes the timeline there and says where it is. */
export async function timeline(workbench, file) {
  const { page } = workbench;
  await workbench.open(file);
  await eventually("the code lenses", async () => (await workbench.lens("Run").count()) > 0);
  await workbench.runCommand("Kernelscope: Save a Timeline of the Kernel");
  const name = page.locator(".quick-input-widget input").first();
  await eventually("a name beside the kernel", async () => (await name.inputValue()).endsWith(`${file}.trace.json`));
  await page.keyboard.press("Enter");
  await workbench.notification("The timeline is in").waitFor();
  await workbench.picture("timeline");
  const { traceEvents } = JSON.parse(fs.readFileSync(path.join(workbench.workspace, `${file}.trace.json`), "utf8"));
  const ops = traceEvents.filter((event) => event.ph === "X").map((event) => event.name);
  assert(ops.some((op) => op.includes("tt.store")), `ops of the kernel, not ${ops}`);
  await workbench.runCommand("Notifications: Clear All Notifications");
  await page.keyboard.press("Control+J");
}

/** The command on a dump of all passes shows the report, and the IR before and after the pass side by side. */
export async function breakingPass(workbench, dump, pass) {
  const { page } = workbench;
  await workbench.open(dump);
  await workbench.runCommand("Kernelscope: Find the Pass That Breaks the Kernel");
  const output = page.locator(".output-view");
  await eventually("the report", async () => new RegExp(`differs after ${pass}`).test(await shown(output)));
  const diff = page.locator(".monaco-diff-editor");
  await diff.waitFor();
  await workbench.tab(`After ${pass}`).waitFor();
  await eventually("what the pass changed", async () => {
    const removed = await shown(diff.locator(".editor.original")), added = await shown(diff.locator(".editor.modified"));
    return removed.includes("dense<1.0") && added.includes("dense<2.0");
  });
  await workbench.picture("bisect");
  await page.keyboard.press("Control+J");
  await workbench.runCommand("View: Close All Editors");
}

/** The tree of a dump marks the pass that changes something, compares two, and follows an op to the line in the dump. */
export async function passTree(workbench, dump, pass) {
  const { page } = workbench;
  await workbench.open(dump);
  await workbench.runCommand("Kernelscope: Show the Passes of a Dump");
  const tree = page.locator(".pane", { has: page.locator(".pane-header", { hasText: "Passes" }) });
  const row = tree.locator(".monaco-list-row", { hasText: pass });
  await eventually("the pass with its change", async () => /\+1 −1/.test(await shown(row)));
  const diff = page.locator(".monaco-diff-editor");
  const showsDiff = () =>
    eventually("what the pass changed", async () => {
      const removed = await shown(diff.locator(".editor.original")), added = await shown(diff.locator(".editor.modified"));
      return removed.includes("dense<1.0") && added.includes("dense<2.0");
    });
  await showsDiff(); // at once, and when the pass is chosen
  await workbench.picture("passes");
  await workbench.runCommand("View: Close All Editors");
  await row.click();
  await showsDiff();
  await workbench.open(dump);
  await workbench.goToLine(workbench.lineOf(dump, "arith.constant"));
  await workbench.runCommand("Kernelscope: Follow This Op Through the Passes");
  const followed = tree.locator(".monaco-list-row", { hasText: "%value = arith.constant dense<2.0>" });
  await followed.click();
  await eventually("the op after the pass", async () => {
    const lines = workbench.read(dump).split("\n");
    const last = lines.findLastIndex((line) => line.includes("arith.constant")) + 1;
    return (await shown(page.locator(".statusbar"))).includes(`Ln ${last},`);
  });
  await eventually("whose passes they are", async () => (await shown(tree)).includes(`${dump}: following`));
  await workbench.picture("passes-followed");
  await workbench.runCommand("View: Close All Editors");
  await workbench.runCommand("Kernelscope: Clear the Passes");
  await eventually("no passes", async () => (await tree.count()) === 0);
  await eventually("no empty side bar", async () => !(await page.locator(".part.sidebar").isVisible()));
}

/** By keyboard, in a dark theme: a pass is chosen, and two are compared as one. */
export async function passesByKeyboard(workbench, dump) {
  const { page } = workbench;
  await workbench.configure({ "workbench.colorTheme": "Default Dark Modern" });
  await workbench.open(dump);
  await workbench.runCommand("Kernelscope: Show the Passes of a Dump");
  const [original, modified] = ["original", "modified"].map((side) => page.locator(`.monaco-diff-editor .editor.${side}`));
  const compares = (before, after) =>
    eventually(`${before} beside ${after}`, async () =>
      (await shown(original)).includes(`dense<${before}.0>`) && (await shown(modified)).includes(`dense<${after}.0>`));
  await compares(1, 2);
  await page.locator(".pane .monaco-list:focus").waitFor();
  await eventually("the second pass in focus", async () => {
    await page.keyboard.press("ArrowDown");
    return (await shown(page.locator(".pane .monaco-list-row.focused"))).startsWith("Two");
  });
  await page.keyboard.press("Enter");
  await compares(2, 3);
  await workbench.runCommand("Kernelscope: Focus on Passes View");
  await page.keyboard.press("Shift+ArrowUp");
  await workbench.runCommand("Kernelscope: Compare Before and After");
  await compares(1, 3);
  await workbench.picture("passes-dark");
  await workbench.runCommand("Kernelscope: Clear the Passes");
  await page.locator(".part.sidebar").waitFor({ state: "hidden" });
  await workbench.runCommand("View: Close All Editors");
  await workbench.configure({ "workbench.colorTheme": "Default Light Modern" });
}
