// Bisect: the pass of a dump after which a kernel goes wrong, with the IR before and after it side by side.

import * as vscode from "vscode";
import type { Client } from "./client";
import { showFailure } from "./failure";
import { withProgress } from "./progress";
import type { BisectArguments, BisectResult, Section } from "./protocol";

const scheme = "kernelscope-bisect";

export class Bisections implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly output = vscode.window.createOutputChannel("Kernelscope Bisect");
  private readonly texts = new Map<string, string>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  private running: vscode.CancellationTokenSource | undefined;

  constructor(private readonly client: Client) {}

  dispose(): void {
    this.running?.cancel();
    this.provider.dispose();
    this.changed.dispose();
    this.output.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async runForActiveEditor(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor) await this.run({ uri: editor.document.uri.toString() });
  }

  /** Bisects a dump and cancels a search that is still in progress. */
  async run(request: BisectArguments): Promise<void> {
    this.running?.cancel();
    const running = (this.running = new vscode.CancellationTokenSource());
    const dump = vscode.Uri.parse(request.uri);
    try {
      const result = await withProgress("Looking for the pass", running, (cancel, onStage) =>
        this.client.execute<BisectResult>("kernelscope.bisect", request, cancel, onStage),
      );
      if (this.running !== running) return;
      this.output.replace(result.report);
      this.output.show(true);
      if (result.before && result.after) await this.show(dump, result.before, result.after);
    } catch (error) {
      if (!running.token.isCancellationRequested) await showFailure("Bisect failed", error, dump);
    }
  }

  private async show(dump: vscode.Uri, before: Section, after: Section): Promise<void> {
    const [left, right] = [before, after].map((section) => this.documentOf(dump, section));
    const title = `${before.title.replace("IR Dump ", "")} ↔ ${after.title.replace("IR Dump ", "")}`;
    await vscode.commands.executeCommand("vscode.diff", left, right, title);
  }

  private documentOf(dump: vscode.Uri, section: Section): vscode.Uri {
    const path = `${dump.path}:${section.line + 1}.ttgir`;
    const uri = vscode.Uri.from({ scheme, path });
    this.texts.set(uri.toString(), section.text);
    this.changed.fire(uri);
    return uri;
  }
}
