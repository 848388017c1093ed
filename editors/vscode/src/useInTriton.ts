// Puts an edited dump, or what it becomes, back into Triton's override folder: `kernelscope override`.

import { execFile } from "child_process";
import * as vscode from "vscode";
import { findServer } from "./client";

const choices = [
  { label: "The IR as it is in the editor", emit: "" },
  { label: "PTX", emit: "ptx" },
  { label: "cubin", emit: "cubin" },
  { label: "AMDGCN", emit: "amdgcn" },
  { label: "hsaco", emit: "hsaco" },
];

export async function useActiveEditorInTriton(context: vscode.ExtensionContext): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  const choice = await vscode.window.showQuickPick(choices, {
    placeHolder: "What Triton is to use",
  });
  if (!choice || !(await document.save())) return;
  const args = ["override", document.fileName, ...(choice.emit ? ["--emit", choice.emit] : [])];
  execFile(findServer(context), args, (error, out, problems) => {
    if (error) {
      void vscode.window.showErrorMessage(`Kernelscope: ${problems.trim() || error.message}`);
      return;
    }
    const [file, , command] = out.split("\n");
    const message = `Written to ${file}. Start Python with: ${command?.trim()}`;
    const show = problems ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    void show(problems ? `${problems.trim()}\n${message}` : message, "Copy the Command").then(
      (copy) => {
        if (copy) void vscode.env.clipboard.writeText(command?.trim() ?? "");
      },
    );
  });
}
