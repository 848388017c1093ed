// Run: the kernel on the local GPU, or on the CPU executor, with its report in the output panel.

import * as vscode from "vscode";
import type { Client } from "./client";
import type { RunArguments, RunResult } from "./protocol";

export class Runs implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("Kernelscope Run");

  constructor(private readonly client: Client) {}

  dispose(): void {
    this.output.dispose();
  }

  async runForActiveEditor(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document) await this.run({ uri: this.client.uri(document) });
  }

  async run(request: RunArguments): Promise<void> {
    const device = vscode.workspace
      .getConfiguration("kernelscope")
      .get<string>("run.device", "auto");
    if (!request.device && device !== "auto") request = { ...request, device };
    this.output.clear();
    this.output.show(true);
    const title = `Running ${request.kernel ?? "the kernel"}`;
    this.output.appendLine(`${title} …`);
    try {
      const result = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        (_, token) => this.client.execute<RunResult>("kernelscope.run", request, token),
      );
      this.output.append(result.report);
    } catch (error) {
      this.output.appendLine(error instanceof Error ? error.message : String(error));
    }
  }
}
