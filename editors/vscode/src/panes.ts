// From Python to machine code: the Python file, the IR and the assembly side by side, following each other; and the assembly
// that Triton has written beside the dump, compared with ours.

import * as vscode from "vscode";
import { archOf, linkByPlaces, normalized, type Place, placesOf } from "./assembly";
import type { Client } from "./client";
import { messageOf } from "./failure";
import type { LinkedEditors } from "./linkedEditors";
import { LinkedLines } from "./linkedLines";
import { type Previews, sourceOf } from "./preview";
import type { Emit, SourceLines } from "./protocol";

const scheme = "kernelscope-normalized";
/** Edits within this many milliseconds share one request. */
const quietTime = 250;
const irSuffixes = ["ttgir", "ttir", "mlir", "glir"];
const assemblySuffixes = ["ptx", "amdgcn"] as const;
type Assembly = (typeof assemblySuffixes)[number];

/** What the third pane shows: a preview of the IR as it is, or a file of Triton's. */
type Choice = vscode.QuickPickItem & { emit?: Emit; file?: vscode.Uri };

export class Panes implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** By the IR's uri, the documents linked by its places: Python files, and Triton's assembly. */
  private readonly shown = new Map<string, Set<string>>();
  private readonly texts = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!this.shown.has(document.uri.toString())) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.linkAll(document.uri), quietTime);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      const uri = document.uri.toString();
      this.shown.delete(uri);
      this.texts.delete(uri);
      for (const others of this.shown.values()) others.delete(uri);
    }),
  ];

  constructor(
    private readonly client: Client,
    private readonly previews: Previews,
    private readonly linked: LinkedEditors,
  ) {}

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Python, IR and assembly of the kernel in the active editor, whichever of the three that is. */
  async show(): Promise<void> {
    const ir = await this.irOfActiveEditor();
    if (!ir) return;
    const choice = await this.chooseAssembly(ir);
    if (!choice) return;
    const line = this.linked.editorOf(ir)?.selection;
    try {
      const sources = await this.sourceLines(ir);
      const python = pythonOf(sources);
      const [second, third] = python
        ? [vscode.ViewColumn.Two, vscode.ViewColumn.Three]
        : [vscode.ViewColumn.One, vscode.ViewColumn.Two];
      if (python)
        await vscode.window.showTextDocument(python, {
          viewColumn: vscode.ViewColumn.One,
          preview: false,
          preserveFocus: true,
        });
      else this.sayWhyNoPython(sources);
      const editor = await vscode.window.showTextDocument(ir, {
        viewColumn: second,
        preview: false,
        selection: line,
      });
      if (choice.file)
        await vscode.window.showTextDocument(choice.file, {
          viewColumn: third,
          preview: false,
          preserveFocus: true,
        });
      else if (choice.emit)
        await this.previews.show(
          { uri: ir.toString(), emit: choice.emit, line: editor.selection.active.line },
          third,
        );
      await vscode.commands.executeCommand("workbench.action.evenEditorWidths");
      const others = this.shown.get(ir.toString()) ?? new Set();
      for (const uri of [python, choice.file]) if (uri) others.add(uri.toString());
      this.shown.set(ir.toString(), others);
      await this.linkAll(ir);
    } catch (error) {
      void vscode.window.showErrorMessage(`From Python to Machine Code: ${messageOf(error)}`);
    }
  }

  /** A diff of Triton's assembly and ours for the same chip, both without what says nothing about instructions. */
  async compare(): Promise<void> {
    const ir = await this.irOfActiveEditor();
    if (!ir) return;
    const files = await assemblyBeside(ir);
    const active = vscode.window.activeTextEditor?.document.uri.toString();
    const file = files.find((one) => one.toString() === active) ?? files[0];
    if (!file) {
      void vscode.window.showInformationMessage(
        `Triton wrote no assembly beside the dump: ${expected(ir)} would be compared.`,
      );
      return;
    }
    try {
      const theirs = (await vscode.workspace.openTextDocument(file)).getText();
      const emit = suffixOf(file) as Assembly;
      const ours = await this.previews.textOf({ uri: ir.toString(), emit, arch: archOf(theirs) });
      const name = file.path.replace(/^.*\//, "");
      const [left, right] = [this.keep(`${name} of Triton.${emit}`, file, theirs)].concat(
        this.keep(`${name} of Kernelscope.${emit}`, file, ours.text),
      );
      const title = `${name}: Triton ↔ Kernelscope (${ours.arch})`;
      await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: true });
    } catch (error) {
      void vscode.window.showErrorMessage(`Compare with Triton: ${messageOf(error)}`);
    }
  }

  private keep(name: string, file: vscode.Uri, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: `${file.path}?${Date.now()}` });
    this.texts.set(uri.toString(), normalized(text));
    return uri;
  }

  /** The IR that the active editor shows, was made from or stands beside; says so if there is none. */
  private async irOfActiveEditor(): Promise<vscode.Uri | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return undefined;
    const uri = sourceOf(document.uri);
    if (uri !== document.uri || document.languageId === "triton-ir") return uri;
    for (const [source, others] of this.shown)
      if (others.has(uri.toString())) return vscode.Uri.parse(source);
    for (const suffix of irSuffixes) {
      const beside = withSuffix(uri, suffix);
      if (await exists(beside)) return beside;
    }
    void vscode.window.showInformationMessage(
      "Open the kernel's IR (.ttgir or .ttir) first: neither this file nor one beside it is Triton IR.",
    );
    return undefined;
  }

  private async chooseAssembly(ir: vscode.Uri): Promise<Choice | undefined> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const files = await assemblyBeside(ir);
    if (active && files.some((file) => file.toString() === active.toString()))
      return { label: "", file: active };
    const choices: Choice[] = [
      ...files.map((file) => ({
        label: file.path.replace(/^.*\//, ""),
        description: "as Triton wrote it beside the dump",
        file,
      })),
      { label: "PTX", description: "compiled now", emit: "ptx" },
      { label: "SASS", description: "compiled now; needs ptxas", emit: "sass" },
      { label: "AMDGCN", description: "compiled now", emit: "amdgcn" },
    ];
    return vscode.window.showQuickPick(choices, { placeHolder: "What the third pane shows" });
  }

  private async sourceLines(ir: vscode.Uri): Promise<SourceLines> {
    await vscode.workspace.openTextDocument(ir); // the server answers about open documents
    const textDocument = { uri: ir.toString() };
    const answer = await this.client.request<SourceLines | null>("kernelscope/sourceLines", {
      textDocument,
    });
    return answer ?? { files: [], lines: [] };
  }

  /** Links what is shown beside the IR to its lines, by the places of its ops. */
  private async linkAll(ir: vscode.Uri): Promise<void> {
    const others = this.shown.get(ir.toString());
    if (!others) return;
    const sources = await this.sourceLines(ir).catch(() => undefined);
    if (!sources) return; // the text is being edited; there is another request to come
    const ops = sources.lines.map(({ line, places }) => ({
      line,
      places: places.map(([file, line, column]): Place & { uri: string | null } => {
        const { name, uri } = sources.files[file]!;
        return { file: name, uri, line, column };
      }),
    }));
    for (const other of others) {
      const uri = vscode.Uri.parse(other);
      const pairs = isAssembly(uri)
        ? linkByPlaces(ops, placesOf((await vscode.workspace.openTextDocument(uri)).getText()))
        : ops.flatMap(({ line, places }) =>
            places
              .filter((place) => place.uri && vscode.Uri.parse(place.uri).toString() === other)
              .map((place): [number, number] => [line, place.line]),
          );
      this.linked.link(ir, uri, new LinkedLines(pairs));
    }
    this.linked.refresh(ir);
  }

  private sayWhyNoPython({ files }: SourceLines): void {
    if (!files.length) {
      void vscode.window.showInformationMessage(
        "No pane for Python: the ops have no loc(...) that names a file.",
      );
      return;
    }
    const open = "Open the Setting";
    const names = files.map(({ name }) => name).join(", ");
    void vscode.window
      .showWarningMessage(
        `No pane for Python: cannot find ${names} beside the dump, in the workspace or in the folders of kernelscope.sources.`,
        open,
      )
      .then((choice) => {
        if (choice === open)
          void vscode.commands.executeCommand(
            "workbench.action.openSettings",
            "kernelscope.sources",
          );
      });
  }
}

/** The file that is found and where most ops come from, by the outermost call. */
function pythonOf({ files, lines }: SourceLines): vscode.Uri | undefined {
  const counts = new Map<string, number>();
  for (const { places } of lines) {
    const uri = files[places.at(-1)![0]]!.uri;
    if (uri) counts.set(uri, (counts.get(uri) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first && vscode.Uri.parse(first[0]);
}

const suffixOf = (uri: vscode.Uri): string => /\.(\w+)$/.exec(uri.path)?.[1] ?? "";
const isAssembly = (uri: vscode.Uri): boolean =>
  (assemblySuffixes as readonly string[]).includes(suffixOf(uri));
const withSuffix = (uri: vscode.Uri, suffix: string): vscode.Uri =>
  uri.with({ path: `${uri.path.replace(/\.\w+$/, "")}.${suffix}` });
const expected = (ir: vscode.Uri): string =>
  assemblySuffixes.map((suffix) => withSuffix(ir, suffix).path.replace(/^.*\//, "")).join(" or ");

async function assemblyBeside(ir: vscode.Uri): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  for (const suffix of assemblySuffixes) {
    const file = withSuffix(ir, suffix);
    if (await exists(file)) found.push(file);
  }
  return found;
}

async function exists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
