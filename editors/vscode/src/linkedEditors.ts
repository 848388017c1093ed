// Editors that follow each other: a source, which is IR, and what is made of it or what it was made from. Lines are linked
// through the source's, so that a line of Python leads to PTX.

import * as vscode from "vscode";
import { LinkedLines } from "./linkedLines";

export class LinkedEditors implements vscode.Disposable {
  /** By the source's uri, the other documents' links by their uris. */
  private readonly links = new Map<string, Map<string, LinkedLines>>();
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("kernelscope.linkedLine"),
    overviewRulerColor: new vscode.ThemeColor("kernelscope.linkedLine"),
  });
  private readonly subscriptions = [
    this.decoration,
    vscode.workspace.onDidChangeTextDocument((event) => this.onEdit(event)),
    vscode.workspace.onDidCloseTextDocument((document) => this.onClose(document.uri.toString())),
    vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
  ];

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Links `other` to `source`, in the place of what linked them before. */
  link(source: vscode.Uri, other: vscode.Uri, lines: LinkedLines): void {
    const key = source.toString();
    const others = this.links.get(key) ?? new Map<string, LinkedLines>();
    this.links.set(key, others.set(other.toString(), lines));
  }

  unlink(source: vscode.Uri, other: vscode.Uri): void {
    const others = this.links.get(source.toString());
    if (!others?.delete(other.toString())) return;
    for (const uri of [source, other]) this.editorOf(uri)?.setDecorations(this.decoration, []);
    if (!others.size) this.links.delete(source.toString());
  }

  /** Marks, in all editors that are linked to this one, the lines of the cursor's line, and brings them into view. */
  follow(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    const selected = linesOf(editor.selection);
    for (const [source, others] of this.links) {
      const own = others.get(uri);
      if (source !== uri && !own) continue;
      const inSource = own ? selected.flatMap((line) => own.sources(line)) : selected;
      let found = false;
      if (own) found = this.mark(source, inSource);
      for (const [other, lines] of others)
        if (other !== uri)
          found =
            this.mark(
              other,
              inSource.flatMap((line) => lines.outputs(line)),
            ) || found;
      editor.setDecorations(this.decoration, found ? [editor.selection] : []);
    }
  }

  /** Follows the source, where it is shown. */
  refresh(source: vscode.Uri): void {
    const editor = this.editorOf(source);
    if (editor) this.follow(editor);
  }

  editorOf(uri: vscode.Uri | string): vscode.TextEditor | undefined {
    const key = uri.toString();
    return vscode.window.visibleTextEditors.find(
      (editor) => editor.document.uri.toString() === key,
    );
  }

  /** Whether there is a line to mark. */
  private mark(uri: string, lines: readonly number[]): boolean {
    const ranges = [...new Set(lines)]
      .sort((a, b) => a - b)
      .map((line) => new vscode.Range(line, 0, line, 0));
    const editor = this.editorOf(uri);
    editor?.setDecorations(this.decoration, ranges);
    const inView = ranges.some((range) =>
      editor?.visibleRanges.some((visible) => visible.contains(range)),
    );
    if (ranges[0] && !inView)
      editor?.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return ranges.length > 0;
  }

  private onEdit(event: vscode.TextDocumentChangeEvent): void {
    const others = this.links.get(event.document.uri.toString());
    if (!others) return;
    // Their places are those before the event, so the last in the text comes first.
    const changes = [...event.contentChanges].sort((a, b) => b.rangeOffset - a.rangeOffset);
    let linesOn = changes.reduce((sum, change) => sum + addedLines(change), 0);
    for (const change of changes) {
      linesOn -= addedLines(change);
      const { start, end } = change.range;
      const before = event.document.lineAt(start.line + linesOn).text.slice(0, start.character);
      const count = change.text.split("\n").length;
      for (const [other, lines] of others)
        others.set(other, lines.afterEdit(start.line, end.line, count, !before.trim()));
    }
  }

  private onClose(uri: string): void {
    for (const [source, others] of this.links)
      if (others.has(uri)) this.unlink(vscode.Uri.parse(source), vscode.Uri.parse(uri));
  }
}

/** By how many lines an edit makes a text longer. */
function addedLines({ range, text }: vscode.TextDocumentContentChangeEvent): number {
  return text.split("\n").length - 1 - (range.end.line - range.start.line);
}

/** Of a selection of many lines, its first hundred. */
function linesOf(selection: vscode.Selection): number[] {
  const count = Math.min(selection.end.line - selection.start.line + 1, 100);
  return Array.from({ length: count }, (_, i) => selection.start.line + i);
}
