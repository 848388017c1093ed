// The frame of a page in a webview: its script and style are those of its name in out/pages.

import { randomUUID } from "crypto";
import * as vscode from "vscode";

function folderOf(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, "out", "pages");
}

export function pageOptions(
  context: vscode.ExtensionContext,
): vscode.WebviewOptions & vscode.WebviewPanelOptions {
  return { enableScripts: true, localResourceRoots: [folderOf(context)] };
}

/** Nothing is loaded but the page's own script and style. */
export function pageHtml(
  context: vscode.ExtensionContext,
  webview: vscode.Webview,
  name: string,
  title: string,
): string {
  const nonce = randomUUID();
  const [script, style] = ["js", "css"].map((suffix) =>
    webview.asWebviewUri(vscode.Uri.joinPath(folderOf(context), `${name}.${suffix}`)),
  );
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource} 'unsafe-inline'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
</head>
<body><script nonce="${nonce}" src="${script}"></script></body>
</html>`;
}
