// The preview beside the source: PTX, AMDGCN, LLVM IR, TTGIR or SASS of the text as it is in the editor,
// made anew after each edit, its cursor following the source's and the source's following its own.

import * as vscode from "vscode";
import type { Client } from "./client";
import { LinkedLines } from "./linkedLines";
import type { Arch, Emit, PreviewArguments, PreviewResult } from "./protocol";

const scheme = "kernelscope-preview";
/** The extension gives a preview its language. */
const extensions: Record<Emit, string> = {
  ptx: "ptx",
  sass: "sass",
  amdgcn: "amdgcn",
  llvm: "ll",
  ttgir: "ttgir",
};
const titles: Record<Emit, string> = {
  ptx: "PTX",
  sass: "SASS",
  amdgcn: "AMDGCN",
  llvm: "LLVM IR",
  ttgir: "TTGIR",
};
/** Edits within this many milliseconds share one compile. */
const quietTime = 250;

/** One preview document and what it was made from. */
class Preview {
  text = "";
  links = new LinkedLines([]);
  running: vscode.CancellationTokenSource | undefined;
  timer: NodeJS.Timeout | undefined;

  constructor(
    readonly uri: vscode.Uri,
    readonly source: vscode.Uri,
    public request: PreviewArguments,
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
  private readonly linked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("kernelscope.linkedLine"),
    overviewRulerColor: new vscode.ThemeColor("kernelscope.linkedLine"),
  });
  private readonly status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly client: Client) {
    this.subscriptions = [
      this.changed,
      this.linked,
      this.status,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument((event) => this.onEdit(event.document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.onClose(document)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
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
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return;
    const vendor = emit === "amdgcn" ? "amdArch" : "nvidiaArch";
    const arch = vscode.workspace
      .getConfiguration("kernelscope")
      .get<string>(`preview.${vendor}`, "");
    await this.show({ uri: this.client.uri(document), emit, ...(arch ? { arch } : {}) });
  }

  /** Opens, or makes anew, the preview that `request` asks for, beside its source. */
  async show(request: PreviewArguments): Promise<void> {
    const source = vscode.Uri.parse(request.uri);
    const name = source.path.replace(/^.*\//, "").replace(/\.\w+$/, "");
    const uri = vscode.Uri.from({
      scheme,
      path: `/${name}.${extensions[request.emit]}`,
      query: source.toString(),
    });
    let preview = this.previews.get(uri.toString());
    if (preview) preview.request = request;
    else this.previews.set(uri.toString(), (preview = new Preview(uri, source, request)));

    await this.compile(preview, true);
    if (!preview.text) return;
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
    const editor = this.editorOf(source);
    if (editor) this.follow(editor);
  }

  /** Asks for an architecture and makes the active source's previews anew with it. */
  async chooseArch(): Promise<void> {
    const archs = await this.client.execute<Arch[]>("kernelscope.archs");
    const items = archs.map((a) => ({
      label: a.arch,
      description: a.description,
      vendor: a.vendor,
    }));
    const choice = await vscode.window.showQuickPick(items, {
      placeHolder: "Architecture of the preview",
    });
    const document = vscode.window.activeTextEditor?.document;
    if (!choice || !document) return;
    const emit: Emit = choice.vendor === "amd" ? "amdgcn" : "ptx";
    await this.show({ uri: this.client.uri(document), emit, arch: choice.label });
  }

  /** Compiles the source as it is now. When it fails, the last good text stays and the status says why. */
  private async compile(preview: Preview, asked: boolean): Promise<void> {
    preview.stop();
    const running = (preview.running = new vscode.CancellationTokenSource());
    const what = `${titles[preview.request.emit]}${preview.request.arch ? ` for ${preview.request.arch}` : ""}`;
    const request = (token: vscode.CancellationToken): Promise<PreviewResult> =>
      this.client.execute<PreviewResult>("kernelscope.preview", preview.request, token);
    try {
      const result = asked
        ? await vscode.window.withProgress(
            { location: vscode.ProgressLocation.Notification, title: what, cancellable: true },
            (_, token) => {
              token.onCancellationRequested(() => running.cancel());
              return request(running.token);
            },
          )
        : await request(running.token);
      preview.text = result.text;
      preview.links = new LinkedLines(result.lines);
      this.changed.fire(preview.uri);
      this.status.text = `$(check) ${titles[result.emit]} ${result.arch} ${Math.round(result.milliseconds)} ms`;
      this.status.backgroundColor = undefined;
      this.status.tooltip = undefined;
    } catch (error) {
      if (running.token.isCancellationRequested) return;
      const message = error instanceof Error ? error.message : String(error);
      this.status.text = `$(error) ${what}: ${message.split("\n", 1)[0]}`;
      this.status.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
      this.status.tooltip = message;
      if (asked) void vscode.window.showErrorMessage(`${what}: ${message}`);
    } finally {
      if (preview.running === running) preview.running = undefined;
      this.status.show();
    }
  }

  private onEdit(document: vscode.TextDocument): void {
    for (const preview of this.previews.values()) {
      if (preview.source.toString() !== document.uri.toString() || !this.editorOf(preview.uri))
        continue;
      preview.stop();
      preview.timer = setTimeout(() => void this.compile(preview, false), quietTime);
    }
  }

  private onClose(document: vscode.TextDocument): void {
    const preview = this.previews.get(document.uri.toString());
    if (!preview) return;
    preview.stop();
    this.previews.delete(document.uri.toString());
    this.editorOf(preview.source)?.setDecorations(this.linked, []);
  }

  /** Marks and reveals, in the other editor, the lines that belong to the cursor's line in this one. */
  private follow(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    const line = editor.selection.active.line;
    const own = this.previews.get(uri);
    if (own) {
      this.mark(own.source, own.links.sources(line), editor);
      return;
    }
    for (const preview of this.previews.values())
      if (preview.source.toString() === uri)
        this.mark(preview.uri, preview.links.outputs(line), editor);
  }

  private mark(uri: vscode.Uri, lines: readonly number[], origin: vscode.TextEditor): void {
    const editor = this.editorOf(uri);
    if (!editor) return;
    const ranges = lines.map((line) => new vscode.Range(line, 0, line, 0));
    editor.setDecorations(this.linked, ranges);
    origin.setDecorations(this.linked, ranges.length ? [origin.selection] : []);
    if (ranges[0])
      editor.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private editorOf(uri: vscode.Uri): vscode.TextEditor | undefined {
    const key = uri.toString();
    return vscode.window.visibleTextEditors.find(
      (editor) => editor.document.uri.toString() === key,
    );
  }
}
