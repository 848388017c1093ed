// Run: the kernel on the local GPU, or on the CPU executor, with its report in the output panel.

import * as vscode from "vscode";
import type { Client } from "./client";
import { messageOf, placeOf } from "./failure";
import { kernelAt } from "./kernels";
import { lineIn, sourceOf } from "./preview";
import type { ReportPanel } from "./reportPanel";
import { withProgress } from "./progress";
import type { RunArguments, RunResult } from "./protocol";

export class Runs implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("Kernelscope Run");
  private running: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly client: Client,
    private readonly reports: ReportPanel,
  ) {}

  dispose(): void {
    this.running?.cancel();
    this.output.dispose();
  }

  async runForActiveEditor(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const uri = sourceOf(editor.document.uri);
    const kernel = await kernelAt(uri, editor.selection.active);
    await this.run({ uri: uri.toString(), kernel, line: lineIn(editor) });
  }

  /** Runs the kernel on the CPU, asks where its timeline goes, and offers Perfetto. */
  async traceForActiveEditor(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const uri = sourceOf(editor.document.uri);
    const kernel = await kernelAt(uri, editor.selection.active);
    const file = await vscode.window.showSaveDialog({
      defaultUri: uri.with({ scheme: "file", path: `${uri.path}.trace.json` }),
      filters: { "Chrome trace": ["json"] },
    });
    if (!file) return;
    const request = { uri: uri.toString(), kernel, line: lineIn(editor), device: "cpu" };
    const before = await writtenAt(file);
    await this.run({ ...request, trace: file.fsPath });
    // A kernel that hangs or faults has a timeline up to there.
    if ((await writtenAt(file)) === before) return;
    const open = "Open Perfetto";
    const choice = await vscode.window.showInformationMessage(
      `The timeline is in ${file.fsPath}; open that file in Perfetto.`,
      open,
    );
    if (choice === open) await vscode.env.openExternal(vscode.Uri.parse("https://ui.perfetto.dev"));
  }

  /** Runs a kernel and cancels a run that is still in progress. */
  async run(request: RunArguments): Promise<void> {
    const device = vscode.workspace
      .getConfiguration("kernelscope")
      .get<string>("run.device", "auto");
    if (!request.device && device !== "auto") request = { ...request, device };
    this.running?.cancel();
    const running = (this.running = new vscode.CancellationTokenSource());
    const title = `Running ${request.kernel ?? "the kernel"}`;
    const show = (text: string): void => {
      if (this.running === running) this.output.replace(text);
    };
    show(`${title} …`);
    this.output.show(true);
    try {
      const result = await withProgress(title, running, (cancel, onStage) =>
        this.client.execute<RunResult>("kernelscope.run", request, cancel, onStage),
      );
      show(result.report);
      this.reports.update(result.data);
    } catch (error) {
      if (running.token.isCancellationRequested) {
        show("Cancelled.");
        return;
      }
      const place = placeOf(error);
      const at = place
        ? `${vscode.Uri.parse(request.uri).path}:${place.line + 1}:${place.character + 1}: `
        : "";
      show(`${at}${messageOf(error)}`);
    }
  }
}

/** When a file was written last; undefined if there is none. */
async function writtenAt(file: vscode.Uri): Promise<number | undefined> {
  try {
    return (await vscode.workspace.fs.stat(file)).mtime;
  } catch {
    return undefined;
  }
}
