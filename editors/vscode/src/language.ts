// Whose suffix it is: other projects' dialects are `.mlir`, too, and style sheets of the language Sass are `.sass`. Both are left alone.

import * as vscode from "vscode";

const triton = /\btt\.(func|return|load|store)\b|[#!"]ttn?g\.|\bttn?g\.[a-z]|!tt\.|\bamdg\./;
/** A line that `nvdisasm`, `cuobjdump` or Triton writes. `package.json` recognizes the usual first lines. */
const assembly = /^\s*(\/\*[0-9a-f]{4,}\*\/|\.headerflags\b|Function ?:)/m;

function languageOf(document: vscode.TextDocument): string {
  if (document.languageId === "mlir" && triton.test(document.getText())) return "triton-ir";
  if (document.uri.path.endsWith(".sass") && assembly.test(document.getText()))
    return "nvidia-sass";
  return document.languageId;
}

/** Gives files with such a suffix the language of their content, those that are open and those that will be. */
export function adoptByContent(): vscode.Disposable {
  const adopt = (document: vscode.TextDocument): void => {
    const language = languageOf(document);
    if (language !== document.languageId)
      void vscode.languages.setTextDocumentLanguage(document, language);
  };
  vscode.workspace.textDocuments.forEach(adopt);
  return vscode.workspace.onDidOpenTextDocument(adopt);
}
