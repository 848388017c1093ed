// The preview beside the source: PTX, AMDGCN, LLVM IR, TTGIR or SASS of the text as it is in the editor,
// recompiled after each edit. The cursors of the preview and its source follow each other.

import * as vscode from "vscode";
import type { Client } from "./client";
import { messageOf, showFailure } from "./failure";
import { kernelsOf } from "./kernels";
import type { LinkedEditors } from "./linkedEditors";
import { LinkedLines } from "./linkedLines";
import { withoutNoise } from "./noise";
import { type OnStage, withProgress } from "./progress";
import type { Arch, Emit, EmitInfo, PreviewArguments, PreviewResult } from "./protocol";

const scheme = "kernelscope-preview";
/** Edits within this many milliseconds share one compile. */
const quietTime = 250;

/** One preview document and what it was made from. */
class Preview {
  text = "";
  /** The source was edited while the preview was not visible. */
  stale = false;
  /** Why the text is of an older version of its source; empty while it is of the newest that was compiled. */
  outdated = "";
  running: vscode.CancellationTokenSource | undefined;
  timer: NodeJS.Timeout | undefined;

  constructor(
    readonly uri: vscode.Uri,
    readonly source: vscode.Uri,
    public request: PreviewArguments,
    readonly title: string,
  ) {}

  stop(): void {
    clearTimeout(this.timer);
    this.running?.cancel();
  }
}

export class Previews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  private readonly previews = new Map<string, Preview>();
  private isQuiet = true;
  private readonly dimmed = vscode.window.createTextEditorDecorationType({ opacity: "0.55" });
  private readonly age = vscode.window.createTextEditorDecorationType({});
  private readonly status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly client: Client,
    private readonly linked: LinkedEditors,
  ) {
    this.subscriptions = [
      this.changed,
      this.dimmed,
      this.age,
      this.status,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument((event) => this.onEdit(event)),
      vscode.workspace.onDidCloseTextDocument((document) => this.onClose(document)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.onVisibility()),
    ];
  }

  dispose(): void {
    for (const preview of this.previews.values()) preview.stop();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.previews.get(uri.toString())?.text ?? "";
  }

  async showForActiveEditor(emit: Emit): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    await this.show({ uri: sourceOf(editor.document.uri).toString(), emit, line: lineIn(editor) });
  }

  /** Opens or refreshes the preview that `request` names, in `column` or beside its source. */
  async show(request: PreviewArguments, column?: vscode.ViewColumn): Promise<void> {
    const source = vscode.Uri.parse(request.uri);
    const archs = vscode.workspace.getConfiguration("kernelscope").get<string[]>("arch", []);
    request = { ...request, archs };
    const { title, suffix } = await this.infoOf(request.emit);
    if ((await kernelsOf(source)).length < 2) request.kernel = undefined;
    const name = request.kernel ?? source.path.replace(/^.*\//, "").replace(/\.\w+$/, "");
    const uri = vscode.Uri.from({
      scheme,
      path: `/${name}.${suffix}`,
      query: source.toString(),
    });
    const key = uri.toString();
    const preview = this.previews.get(key) ?? new Preview(uri, source, request, title);
    preview.request = request;
    this.previews.set(key, preview);

    await this.compile(preview, true);
    if (!preview.text) {
      this.previews.delete(key);
      return;
    }
    const fromPreview = vscode.window.activeTextEditor?.document.uri.scheme === scheme;
    const beside = column ?? (fromPreview ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      viewColumn: this.editorOf(uri)?.viewColumn ?? beside,
      preserveFocus: true,
      preview: false,
    });
    this.linked.refresh(source);
  }

  /** Shows or hides the lines that are not about instructions, in all previews. */
  toggleNoise(): void {
    this.isQuiet = !this.isQuiet;
    for (const preview of this.previews.values()) preview.stale = true;
    this.onVisibility();
  }

  /** The text that the server returns for `request`, without a preview. */
  async textOf(request: PreviewArguments): Promise<PreviewResult> {
    return withProgress(request.emit, new vscode.CancellationTokenSource(), (cancel, onStage) =>
      this.client.execute<PreviewResult>("kernelscope.preview", request, cancel, onStage),
    );
  }

  /** Asks for an architecture and recompiles the previews of the active source for it. */
  async chooseArch(): Promise<void> {
    const archs = await this.client.execute<Arch[]>("kernelscope.archs");
    const items = archs.map((a) => ({
      label: a.arch,
      description: a.description,
      assembly: a.assembly,
    }));
    const choice = await vscode.window.showQuickPick(items, {
      placeHolder: "Architecture of the preview",
    });
    const editor = vscode.window.activeTextEditor;
    if (!choice || !editor) return;
    const uri = sourceOf(editor.document.uri).toString();
    const emit = choice.assembly;
    await this.show({ uri, emit, arch: choice.label, line: lineIn(editor) });
  }

  /** What the server says about a kind of output; the file's suffix decides the language of a preview. */
  private async infoOf(emit: Emit): Promise<EmitInfo> {
    const archs = await this.client.execute<Arch[]>("kernelscope.archs");
    const info = archs.flatMap((arch) => arch.emits).find((info) => info.emit === emit);
    return info ?? { emit, title: emit, suffix: emit };
  }

  /** Compiles the source as it is now. If that fails, the last good text stays and the status bar says why. */
  private async compile(preview: Preview, asked: boolean): Promise<void> {
    preview.stop();
    preview.stale = false;
    const running = (preview.running = new vscode.CancellationTokenSource());
    const what = `${preview.title}${preview.request.arch ? ` for ${preview.request.arch}` : ""}`;
    try {
      const compile = (cancel: vscode.CancellationToken, onStage?: OnStage) =>
        this.client.execute<PreviewResult>("kernelscope.preview", preview.request, cancel, onStage);
      const whole = await (asked ? withProgress(what, running, compile) : compile(running.token));
      const result = this.isQuiet ? withoutNoise(whole, preview.request.emit) : whole;
      preview.text = result.text;
      preview.outdated = "";
      this.linked.link(preview.source, preview.uri, new LinkedLines(result.lines));
      this.changed.fire(preview.uri);
      this.status.text = `$(check) ${preview.title} ${result.arch} ${Math.round(result.milliseconds)} ms`;
      this.status.backgroundColor = undefined;
      this.status.tooltip = undefined;
    } catch (error) {
      if (running.token.isCancellationRequested) return;
      const message = messageOf(error);
      preview.outdated = message.split("\n", 1)[0] ?? message;
      this.status.text = `$(error) ${what}: ${message.split("\n", 1)[0]}`;
      this.status.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
      this.status.tooltip = message;
      if (asked) void showFailure(what, error, preview.source);
    } finally {
      if (preview.running === running) preview.running = undefined;
      this.showAge(preview);
      this.showStatus();
    }
  }

  private onEdit(event: vscode.TextDocumentChangeEvent): void {
    for (const preview of this.previews.values()) {
      if (preview.source.toString() !== event.document.uri.toString()) continue;
      preview.stale = true;
      if (!this.editorOf(preview.uri)) continue;
      preview.stop();
      preview.timer = setTimeout(() => void this.compile(preview, false), quietTime);
    }
  }

  private onVisibility(): void {
    for (const preview of this.previews.values())
      if (preview.stale && this.editorOf(preview.uri)) void this.compile(preview, false);
    for (const preview of this.previews.values()) this.showAge(preview);
    this.showStatus();
  }

  /** A preview of a text before the errors in its source is dimmed, and says so. */
  private showAge(preview: Preview): void {
    const editor = this.editorOf(preview.uri);
    if (!editor) return;
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    editor.setDecorations(this.dimmed, preview.outdated ? [whole] : []);
    const contentText = `    (compiled before this error: ${preview.outdated})`;
    const color = new vscode.ThemeColor("editorCodeLens.foreground");
    const first = editor.document.lineAt(0).range;
    editor.setDecorations(
      this.age,
      preview.outdated ? [{ range: first, renderOptions: { after: { contentText, color } } }] : [],
    );
  }

  /** The status bar shows the state of visible previews. */
  private showStatus(): void {
    const uris = [...this.previews.values()].map((preview) => preview.uri);
    if (uris.some((uri) => this.editorOf(uri))) this.status.show();
    else this.status.hide();
  }

  private onClose(document: vscode.TextDocument): void {
    const preview = this.previews.get(document.uri.toString());
    if (!preview) return;
    preview.stop();
    this.previews.delete(document.uri.toString());
  }

  private editorOf(uri: vscode.Uri): vscode.TextEditor | undefined {
    return this.linked.editorOf(uri);
  }
}

/** The source of a preview; any other document is its own. */
export function sourceOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === scheme ? vscode.Uri.parse(uri.query) : uri;
}

/** The cursor's line in a source; a preview has no line of it. */
export function lineIn(editor: vscode.TextEditor): number | undefined {
  return editor.document.uri.scheme === scheme ? undefined : editor.selection.active.line;
}
