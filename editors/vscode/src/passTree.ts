// The passes of a dump as a tree: what each changed, two of them compared, and one op through all of them.

import * as vscode from "vscode";
import type { Client } from "./client";
import { messageOf } from "./failure";
import { withProgress } from "./progress";
import type { DumpPass, PassesResult } from "./protocol";

const scheme = "kernelscope-pass";

/** A line of the op that is followed, below the pass that left it so. */
interface FollowedLine {
  line: number;
  text: string;
}
type Node = DumpPass | FollowedLine;

const none: PassesResult = { passes: [], states: [], what: "" };

const isPass = (node: Node): node is DumpPass => "name" in node;

export class PassTree
  implements vscode.TreeDataProvider<Node>, vscode.TextDocumentContentProvider, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView<Node>("kernelscope.passes", {
    treeDataProvider: this,
    canSelectMany: true,
  });
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  private dump: vscode.TextDocument | undefined;
  private result = none;
  /** How often a dump was read: texts of an older reading have other names. */
  private readings = 0;

  constructor(private readonly client: Client) {}

  dispose(): void {
    this.view.dispose();
    this.provider.dispose();
    this.changed.dispose();
  }

  /** The dump in the active editor, or of the diff there, and the line of the cursor in it. */
  private activePlace(): { dump: vscode.TextDocument; line: number } | undefined {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return undefined;
    const { uri } = editor.document;
    const line = editor.selection.active.line;
    if (uri.scheme !== scheme) return { dump: editor.document, line };
    const state = this.result.states[parseInt(uri.query)];
    return this.dump && state ? { dump: this.dump, line: state.line + line } : undefined;
  }

  private async set(result: PassesResult, dump?: vscode.TextDocument): Promise<void> {
    this.result = result;
    this.dump = dump;
    this.readings++;
    await vscode.commands.executeCommand("setContext", "kernelscope.hasPasses", Boolean(dump));
    this.changed.fire();
  }

  async clear(): Promise<void> {
    const { visible } = this.view;
    await this.set(none);
    // Without its one view it would stay there, empty.
    if (visible) await vscode.commands.executeCommand("workbench.action.closeSidebar");
  }

  /** Reads the dump in the active editor; `follow` follows the op under the cursor. */
  async show(follow: boolean): Promise<void> {
    const place = this.activePlace();
    if (!place) return;
    const cancel = new vscode.CancellationTokenSource();
    const request = {
      uri: place.dump.uri.toString(),
      ...(follow ? { line: place.line } : {}),
    };
    let result: PassesResult;
    try {
      result = await withProgress("Reading the passes", cancel, (token) =>
        this.client.execute<PassesResult>("kernelscope.passes", request, token),
      );
    } catch (error) {
      void vscode.window.showErrorMessage(`Passes: ${messageOf(error)}`);
      return;
    }
    await this.set(result, place.dump);
    const { passes, what } = result;
    const count = passes.filter(isChange).length;
    const said = follow
      ? what
        ? `following ${what}`
        : "the line has no op with a location or a result to follow"
      : `${count} of ${passes.length} passes changed something`;
    // The tree stays when the dump is closed, so it says whose passes it has.
    this.view.message = `${vscode.workspace.asRelativePath(place.dump.uri)}: ${said}`;
    const first = passes.find(what ? (pass) => pass.changesFollowed : isChange) ?? passes[0];
    if (!first) return;
    await this.view.reveal(first, { focus: true, select: true });
    await this.openDiff(first, first);
  }

  /** The IR before and after a pass; of several that are selected, before the first and after the last. */
  async compare(node?: Node): Promise<void> {
    const selected = this.view.selection.filter(isPass);
    const chosen = node && isPass(node) && !selected.includes(node) ? [node] : selected;
    const order = [...chosen].sort((a, b) => a.line - b.line);
    const [first, last] = [order[0], order.at(-1)];
    if (!first || !last || !this.dump) return;
    if (first.before === null || last.after === null) {
      const side = first.before === null ? "before" : "after";
      const name = first.before === null ? first.name : last.name;
      void vscode.window.showInformationMessage(
        `The dump does not contain the IR ${side} ${name}.`,
      );
      return;
    }
    await this.openDiff(first, last);
  }

  /** Opens the diff, if the dump has both sides, and leaves the focus in the tree. */
  private async openDiff(first: DumpPass, last: DumpPass): Promise<void> {
    if (first.before === null || last.after === null) return;
    const [left, right] = [first.before, last.after].map((state) => this.uriOf(state));
    const title = first === last ? first.name : `Before ${first.name} ↔ After ${last.name}`;
    const options = { preview: true, preserveFocus: true };
    await vscode.commands.executeCommand("vscode.diff", left, right, title, options);
  }

  async goTo(line: number): Promise<void> {
    if (!this.dump) return;
    const selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(this.dump, { selection });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.result.states[parseInt(uri.query)]?.text ?? "";
  }

  getParent(): undefined {
    return undefined; // only passes are revealed
  }

  getChildren(node?: Node): Node[] {
    if (!node) return this.result.passes;
    if (!isPass(node) || !node.changesFollowed) return [];
    return node.followed.map((line) => ({ line, text: this.dump?.lineAt(line).text.trim() ?? "" }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (!isPass(node)) {
      const item = new vscode.TreeItem(node.text);
      item.tooltip = node.text;
      item.command = { command: "kernelscope.goToPass", title: "Go to", arguments: [node.line] };
      return item;
    }
    const item = new vscode.TreeItem(node.name);
    const isMarked = this.result.what ? node.changesFollowed : isChange(node);
    item.id = `${this.readings}.${node.line}`; // of each reading, expanded as it says
    item.description = describe(node, Boolean(this.result.what));
    item.iconPath = isMarked
      ? new vscode.ThemeIcon("diff-modified", new vscode.ThemeColor("charts.blue"))
      : new vscode.ThemeIcon("circle-outline", new vscode.ThemeColor("disabledForeground"));
    item.accessibilityInformation = {
      label: `${node.name}, ${isMarked ? item.description : "unchanged"}`,
    };
    item.contextValue = "pass";
    if (node.changesFollowed) item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    item.command = { command: "kernelscope.comparePasses", title: "Compare", arguments: [node] };
    return item;
  }

  private uriOf(state: number): vscode.Uri {
    const { path } = this.dump!.uri;
    const line = this.result.states[state]!.line + 1;
    return vscode.Uri.from({
      scheme,
      path: `${path}:${line}.ttgir`,
      query: `${state}.${this.readings}`,
    });
  }
}

const isChange = (pass: DumpPass): boolean => pass.added + pass.removed > 0;

function describe(pass: DumpPass, isFollowing: boolean): string {
  if (pass.after === null) return "the dump ends here";
  const change = isChange(pass) ? `+${pass.added} −${pass.removed}` : "";
  if (!isFollowing || !pass.changesFollowed) return change;
  const gone = pass.followed.length ? "" : " removes it";
  return `${change}${gone}`.trim();
}
