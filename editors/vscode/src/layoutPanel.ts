// The layout panel: where the elements of the tensors under the cursor are. It follows the cursor.

import * as vscode from "vscode";
import type { Client } from "./client";
import { messageOf } from "./failure";
import { pageHtml, pageOptions } from "./page";
import type { LayoutView } from "./protocol";

/** Moves of the cursor within this many milliseconds share one request. */
const quietTime = 150;

export interface Place {
  uri: string;
  position: { line: number; character: number };
}

export class LayoutPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private view: LayoutView | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly moves = vscode.window.onDidChangeTextEditorSelection((event) =>
    this.follow(event.textEditor),
  );

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly client: Client,
  ) {}

  dispose(): void {
    clearTimeout(this.timer);
    this.moves.dispose();
    this.panel?.dispose();
  }

  /** Shows the layouts of a place, of the cursor's without one, and gives the panel the focus. */
  async show(place: Place | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const asked = place ?? (editor && placeOf(editor));
    if (!asked) return;
    try {
      const view = await this.ask(asked);
      if (view) this.draw(view, true);
      else
        void vscode.window.showInformationMessage(
          "No layout here: put the cursor on a value, a type or an op of tensors with a layout.",
        );
    } catch (error) {
      void vscode.window.showErrorMessage(`Show Layout: ${messageOf(error)}`);
    }
  }

  /** A link to the panel for the hover of a place; none where nothing has a layout. */
  async linkFor(place: Place): Promise<vscode.MarkdownString | undefined> {
    const view = await this.ask(place).catch(() => undefined);
    if (!view) return undefined;
    const argument = encodeURIComponent(JSON.stringify([place]));
    const link = new vscode.MarkdownString(
      `[Show Layout](command:kernelscope.showLayout?${argument} "Who holds which element")`,
    );
    link.isTrusted = { enabledCommands: ["kernelscope.showLayout"] };
    return link;
  }

  private ask({ uri, position }: Place): Promise<LayoutView | null> {
    return this.client.request<LayoutView | null>("kernelscope/layout", {
      textDocument: { uri },
      position,
    });
  }

  private follow(editor: vscode.TextEditor): void {
    if (!this.panel?.visible || editor.document.languageId !== "triton-ir") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // A place without a layout, or in a text that is being edited, leaves the panel as it is.
      this.ask(placeOf(editor)).then(
        (view) => view && this.draw(view, false),
        () => {},
      );
    }, quietTime);
  }

  private draw(view: LayoutView, focus: boolean): void {
    const isSame = JSON.stringify(view) === JSON.stringify(this.view);
    this.view = view;
    if (!this.panel) {
      this.panel = this.open();
      return; // the page says when it is ready
    }
    if (focus) this.panel.reveal(undefined, false);
    if (focus || !isSame) void this.panel.webview.postMessage({ view, focus });
  }

  private open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "kernelscope.layout",
      "Layout",
      vscode.ViewColumn.Beside,
      pageOptions(this.context),
    );
    panel.webview.onDidReceiveMessage(() => {
      void panel.webview.postMessage({ view: this.view, focus: panel.active });
    });
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.html = pageHtml(this.context, panel.webview, "layout", "Layout");
    return panel;
  }
}

function placeOf(editor: vscode.TextEditor): Place {
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}
