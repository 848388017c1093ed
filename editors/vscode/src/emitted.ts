// What the compiler does, beside the ops: the server's hints, which a lens or a command turns on and off.

import * as vscode from "vscode";
import type { Client } from "./client";
import { showFailure } from "./failure";
import { withProgress } from "./progress";
import type { EmittedArguments } from "./protocol";

/** Of the document, or that of the active editor. */
export async function toggleEmitted(client: Client, uri?: string): Promise<void> {
  const source = uri ? vscode.Uri.parse(uri) : vscode.window.activeTextEditor?.document.uri;
  if (!source) return;
  const archs = vscode.workspace.getConfiguration("kernelscope").get<string[]>("arch", []);
  const request: EmittedArguments = { uri: uri ?? source.toString(), archs };
  const cancel = new vscode.CancellationTokenSource();
  try {
    await withProgress("What the compiler does", cancel, (token, onStage) =>
      client.execute("kernelscope.emitted", request, token, onStage),
    );
  } catch (error) {
    if (!cancel.token.isCancellationRequested)
      await showFailure("What the compiler does", error, source);
  } finally {
    cancel.dispose();
  }
}
