// The kernels of a file, as the server's code lenses name them.

import * as vscode from "vscode";
import type { RunArguments } from "./protocol";

interface Kernel {
  name: string;
  line: number;
}

/** In the order of the text. */
export async function kernelsOf(uri: vscode.Uri): Promise<Kernel[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>(
    "vscode.executeCodeLensProvider",
    uri,
    Number.MAX_SAFE_INTEGER,
  );
  return (lenses ?? []).flatMap((lens) => {
    const argument = lens.command?.arguments?.[0] as RunArguments | undefined;
    if (lens.command?.command !== "kernelscope.run" || !argument?.kernel) return [];
    return [{ name: argument.kernel, line: lens.range.start.line }];
  });
}

/** The kernel that contains `position`; before the first kernel, the first one. */
export async function kernelAt(
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<string | undefined> {
  const kernels = await kernelsOf(uri);
  if (kernels.length < 2) return undefined;
  return (kernels.filter((kernel) => kernel.line <= position.line).pop() ?? kernels[0])?.name;
}
