// Puts an edited dump, or what it becomes, back into Triton's override folder: `kernelscope override`.

import { execFile } from "child_process";
import * as path from "path";
import * as vscode from "vscode";
import { findServer } from "./client";

interface Choice {
  label: string;
  emit: string;
  /** The vendor whose kernels become it. */
  target?: "cuda" | "hip";
}

const choices: Choice[] = [
  { label: "The IR in the editor", emit: "" },
  { label: "PTX", emit: "ptx", target: "cuda" },
  { label: "cubin", emit: "cubin", target: "cuda" },
  { label: "AMDGCN", emit: "amdgcn", target: "hip" },
  { label: "hsaco", emit: "hsaco", target: "hip" },
];
const chooseFolder = "Choose the Kernel's Dump Folder…";

/** What Triton can load instead; only the text itself if that is not IR. */
async function chooseStage(document: vscode.TextDocument): Promise<Choice | undefined> {
  if (document.languageId !== "triton-ir" && document.languageId !== "mlir") return choices[0];
  const target = /ttg\.target = "(\w+):/.exec(document.getText())?.[1];
  const fitting = choices.filter((choice) => !choice.target || !target || choice.target === target);
  return vscode.window.showQuickPick(fitting, { placeHolder: "What should Triton load?" });
}

export async function useActiveEditorInTriton(context: vscode.ExtensionContext): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  const choice = await chooseStage(document);
  if (!choice || !(await document.save())) return;
  const release = vscode.workspace
    .getConfiguration("kernelscope", document)
    .get<string>("release", "");
  const args = ["override", document.fileName];
  if (choice.emit) args.push("--emit", choice.emit);
  if (release) args.push("--release", release);
  override(findServer(context), args);
}

function override(program: string, args: string[]): void {
  execFile(program, args, (error, out, problems) => {
    if (error) void showFailure(program, args, problems.trim() || error.message);
    else void showResult(out, problems.trim());
  });
}

async function showFailure(program: string, args: string[], message: string): Promise<void> {
  const needsFolder = message.includes("--hash");
  // The editor knows the file, and has a button instead of the option.
  const shown = message
    .replace(/^.*?: error: /, "")
    .replace("; name its folder with --hash", ", and the file is not in a kernel's dump folder");
  const choice = await vscode.window.showErrorMessage(
    `Use in Triton: ${shown}`,
    ...(needsFolder ? [chooseFolder] : []),
  );
  if (!choice) return;
  const folders = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    title: chooseFolder,
    openLabel: "Use This Folder",
  });
  const folder = folders?.[0]?.fsPath;
  if (folder)
    override(program, [
      ...args,
      "--dump-dir",
      path.dirname(folder),
      "--hash",
      path.basename(folder),
    ]);
}

async function showResult(out: string, problems: string): Promise<void> {
  const [file, , command, needs] = out.split("\n");
  const message = [`Written to ${file}. Start Python with: ${command?.trim()}`, needs]
    .filter(Boolean)
    .join("\n");
  const show = problems ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const copy = await show(problems ? `${problems}\n${message}` : message, "Copy the Command");
  if (copy) await vscode.env.clipboard.writeText(command?.trim() ?? "");
}
