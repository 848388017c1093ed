// Rewrites a file in the spelling of another release of Triton.

import * as vscode from "vscode";

const kind = "source.rewriteFor.kernelscope";

export async function rewriteActiveEditor(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    new vscode.Range(0, 0, document.lineCount, 0),
    kind,
  );
  const releases = actions.filter((action) => action.kind?.value.startsWith(kind));
  const choice = await vscode.window.showQuickPick(
    releases.map((action) => ({
      label: action.title,
      description: action.edit?.size ? undefined : "nothing to change",
      action,
    })),
    { placeHolder: "Release of Triton" },
  );
  if (choice?.action.edit) await vscode.workspace.applyEdit(choice.action.edit);
}
