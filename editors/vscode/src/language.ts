// Which `.mlir` is Triton's: other projects' dialects have the same suffix, and are left alone.

import * as vscode from "vscode";

const triton = /\btt\.(func|return|load|store)\b|[#!"]ttn?g\.|\bttn?g\.[a-z]|!tt\.|\bamdg\./;

/** Gives the MLIR files that are Triton's its language, those that are open and those that will be. */
export function adoptMlir(): vscode.Disposable {
  const adopt = (document: vscode.TextDocument): void => {
    if (document.languageId === "mlir" && triton.test(document.getText()))
      void vscode.languages.setTextDocumentLanguage(document, "triton-ir");
  };
  vscode.workspace.textDocuments.forEach(adopt);
  return vscode.workspace.onDidOpenTextDocument(adopt);
}
