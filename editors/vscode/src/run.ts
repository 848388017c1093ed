// Run: the kernel on the local GPU, or on the CPU executor, with its report in the output panel.

import * as vscode from "vscode";
import type { Client } from "./client";
import { messageOf, placeOf } from "./failure";
import { kernelAt } from "./kernels";
import { lineIn, sourceOf } from "./preview";
import { withProgress } from "./progress";
import type { RunArguments, RunResult } from "./protocol";

export class Runs implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("Kernelscope Run");
  private running: vscode.CancellationTokenSource | undefined;

  constructor(private readonly client: Client) {}

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
    } catch (error) {
      if (running.token.isCancellationRequested) return show("Cancelled.");
      const place = placeOf(error);
      const at = place
        ? `${vscode.Uri.parse(request.uri).path}:${place.line + 1}:${place.character + 1}: `
        : "";
      show(`${at}${messageOf(error)}`);
    }
  }
}
