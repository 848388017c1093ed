// Shows why a command of the server failed.

import * as vscode from "vscode";
import type { Failure } from "./protocol";

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The place in the IR that the error names, if any. */
export function placeOf(error: unknown): vscode.Position | undefined {
  const failure = (error as { data?: Failure }).data;
  if (failure?.line === undefined) return undefined;
  return new vscode.Position(failure.line, failure.column ?? 0);
}

/** Shows the error, with a button that goes to its place in `source`. */
export async function showFailure(what: string, error: unknown, source: vscode.Uri): Promise<void> {
  const place = placeOf(error);
  const go = "Go to the Error";
  const choice = await vscode.window.showErrorMessage(
    `${what}: ${messageOf(error)}`,
    ...(place ? [go] : []),
  );
  if (choice !== go || !place) return;
  await vscode.window.showTextDocument(source, { selection: new vscode.Range(place, place) });
}
