// The language client: where the server's program is, how it is started, and its commands.

import * as fs from "fs";
import * as path from "path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

type CommandHandler = (argument: never) => unknown;

/** A running server and the handlers of those of its commands that the editor shows itself. */
export class Client implements vscode.Disposable {
  private readonly handlers = new Map<string, CommandHandler>();
  private readonly client: LanguageClient;

  constructor(program: string, args: string[]) {
    const server: ServerOptions = { command: program, args: ["lsp", ...args] };
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: "file", language: "triton-ir" },
        { scheme: "untitled", language: "triton-ir" },
        { scheme: "file", language: "mlir" },
        { scheme: "untitled", language: "mlir" },
      ],
      initializationOptions: { showsResults: true },
      middleware: {
        executeCommand: (command, args, next) => {
          const handler = this.handlers.get(command);
          return handler ? handler(args[0] as never) : next(command, args);
        },
      },
    };
    this.client = new LanguageClient("kernelscope", "Kernelscope", server, options);
  }

  start(): Promise<void> {
    return this.client.start();
  }

  restart(): Promise<void> {
    return this.client.restart();
  }

  /** Runs `handler` wherever the server's command `name` is invoked, a code lens for one. */
  onCommand<T>(name: string, handler: (argument: T) => unknown): void {
    this.handlers.set(name, handler as CommandHandler);
  }

  /** Sends one of the server's commands and gives its result; `token` cancels it. */
  execute<T>(command: string, argument?: object, token?: vscode.CancellationToken): Promise<T> {
    const params = { command, arguments: argument ? [argument] : [] };
    return this.client.sendRequest<T>("workspace/executeCommand", params, token);
  }

  /** The URI as the server knows it. */
  uri(document: vscode.TextDocument): string {
    return this.client.code2ProtocolConverter.asUri(document.uri);
  }

  dispose(): void {
    void this.client.dispose();
  }
}

/** The program that the setting names, that the extension ships, or that is on PATH. */
function findServer(context: vscode.ExtensionContext): string {
  const configured = vscode.workspace
    .getConfiguration("kernelscope")
    .get<string>("server.path", "");
  if (configured) return configured;
  const shipped = path.join(context.extensionPath, "bin", "kernelscope");
  return fs.existsSync(shipped) ? shipped : "kernelscope";
}

function onPath(program: string): boolean {
  if (path.isAbsolute(program)) return fs.existsSync(program);
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.some((folder) => fs.existsSync(path.join(folder, program)));
}

export async function startClient(context: vscode.ExtensionContext): Promise<Client> {
  const program = findServer(context);
  if (!onPath(program)) {
    const open = "Open the setting";
    const message = `Kernelscope: no program "${program}". Build it (./dev build) and name it in kernelscope.server.path, or put it on PATH.`;
    void vscode.window.showErrorMessage(message, open).then((choice) => {
      if (choice === open)
        void vscode.commands.executeCommand(
          "workbench.action.openSettings",
          "kernelscope.server.path",
        );
    });
    throw new Error(message);
  }
  const args = vscode.workspace
    .getConfiguration("kernelscope")
    .get<string[]>("server.arguments", []);
  return new Client(program, args);
}
