// Activation: the language client, the commands, and what shows their results.

import * as vscode from "vscode";
import { Bisections } from "./bisect";
import { Client } from "./client";
import { LinkedEditors } from "./linkedEditors";
import { Panes } from "./panes";
import { Previews } from "./preview";
import { LayoutPanel, type Place } from "./layoutPanel";
import type { BisectArguments, EmittedArguments, PreviewArguments, RunArguments } from "./protocol";
import { adoptByContent } from "./language";
import { PassTree } from "./passTree";
import { toggleEmitted } from "./emitted";
import { rewriteActiveEditor } from "./rewrite";
import { ReportPanel } from "./reportPanel";
import { Runs } from "./run";
import { useActiveEditorInTriton } from "./useInTriton";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const client = new Client(context);
  const linked = new LinkedEditors();
  const previews = new Previews(client, linked);
  const panes = new Panes(client, previews, linked);
  const reports = new ReportPanel(context);
  const runs = new Runs(client, reports);
  const bisections = new Bisections(client);
  const layouts = new LayoutPanel(context, client);
  const passes = new PassTree(client);
  context.subscriptions.push(
    linked,
    previews,
    panes,
    reports,
    runs,
    bisections,
    layouts,
    passes,
    client,
  );

  const onCommand = <T>(name: string, body: (argument: T) => unknown): void => {
    const command = async (argument: T) => ((await client.start()) ? body(argument) : undefined);
    context.subscriptions.push(vscode.commands.registerCommand(name, command));
  };
  onCommand("kernelscope.showPtx", () => previews.showForActiveEditor("ptx"));
  onCommand("kernelscope.showAmdgcn", () => previews.showForActiveEditor("amdgcn"));
  onCommand("kernelscope.showLlvm", () => previews.showForActiveEditor("llvm"));
  onCommand("kernelscope.showTtgir", () => previews.showForActiveEditor("ttgir"));
  onCommand("kernelscope.showSass", () => previews.showForActiveEditor("sass"));
  onCommand("kernelscope.showPanes", () => panes.show());
  onCommand("kernelscope.compareAssembly", () => panes.compare());
  onCommand("kernelscope.chooseArch", () => previews.chooseArch());
  onCommand("kernelscope.toggleNoise", () => previews.toggleNoise());
  onCommand("kernelscope.showLayout", (place?: Place) => layouts.show(place));
  onCommand("kernelscope.runKernel", () => runs.runForActiveEditor());
  onCommand("kernelscope.showReport", () => reports.show());
  onCommand("kernelscope.traceKernel", () => runs.traceForActiveEditor());
  onCommand("kernelscope.showEmitted", () => toggleEmitted(client));
  onCommand("kernelscope.findPass", () => bisections.runForActiveEditor());
  onCommand("kernelscope.showPasses", () => passes.show(false));
  onCommand("kernelscope.followOp", () => passes.show(true));
  onCommand("kernelscope.comparePasses", (node?: never) => passes.compare(node));
  onCommand("kernelscope.clearPasses", () => passes.clear());
  onCommand("kernelscope.goToPass", (line: number) => passes.goTo(line));
  onCommand("kernelscope.useInTriton", () => useActiveEditorInTriton(context));
  onCommand("kernelscope.rewriteFor", () => rewriteActiveEditor());
  context.subscriptions.push(
    vscode.commands.registerCommand("kernelscope.restart", () => client.restart()),
  );

  // The server's lenses carry its own commands; show their results instead of dropping them.
  client.onCommand("kernelscope.preview", (argument: PreviewArguments) => previews.show(argument));
  client.onCommand("kernelscope.run", (argument: RunArguments) => runs.run(argument));

  client.onCommand("kernelscope.emitted", (argument: EmittedArguments) =>
    toggleEmitted(client, argument.uri),
  );
  client.onHover((place) => layouts.linkFor(place));
  client.onCommand("kernelscope.bisect", (argument: BisectArguments) => bisections.run(argument));

  context.subscriptions.push(adoptByContent());
  await client.start();
}
