// The page with the report of the last run.

import * as vscode from "vscode";
import { pageHtml, pageOptions } from "./page";
import type { RunReport } from "./protocol";

export class ReportPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private report: RunReport | undefined;
  private readonly status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);

  constructor(private readonly context: vscode.ExtensionContext) {
    this.status.text = "$(graph) Run Report";
    this.status.command = "kernelscope.showReport";
  }

  dispose(): void {
    this.status.dispose();
    this.panel?.dispose();
  }

  /** Keeps the report, and draws it where the page is open. */
  update(report: RunReport): void {
    this.report = report;
    this.status.tooltip = `${report.kernel} on ${report.device}`;
    this.status.show();
    void this.panel?.webview.postMessage({ report });
  }

  /** Opens the page, or gives it the focus. */
  show(): void {
    if (!this.report) {
      void vscode.window.showInformationMessage("Run a kernel first; its report appears here.");
      return;
    }
    if (this.panel) {
      this.panel.reveal(undefined, false);
      return;
    }
    const panel = (this.panel = vscode.window.createWebviewPanel(
      "kernelscope.report",
      "Run Report",
      vscode.ViewColumn.Beside,
      pageOptions(this.context),
    ));
    // The page says when it is ready.
    panel.webview.onDidReceiveMessage(() => this.report && this.update(this.report));
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.html = pageHtml(this.context, panel.webview, "report", "Run Report");
  }
}
