// The language client: where the server's program is, how it is started, and its commands.

import { execFile } from "child_process";
import { randomUUID } from "crypto";
import * as fs from "fs";
import * as path from "path";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  State,
  WorkDoneProgress,
} from "vscode-languageclient/node";
import type { Place } from "./layoutPanel";
import type { OnStage } from "./progress";

type CommandHandler = (argument: never) => unknown;
type HoverSection = (place: Place) => Promise<vscode.MarkdownString | undefined>;

/** The client's own errors go only to the output panel: there are several each time the server exits. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** The server, once it runs, and handlers for the commands whose results the editor shows itself. */
export class Client implements vscode.Disposable {
  private readonly handlers = new Map<string, CommandHandler>();
  private readonly settings: vscode.Disposable;
  private hoverSection: HoverSection | undefined;
  private running: LanguageClient | undefined;
  private starting: Promise<boolean> | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.settings = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("kernelscope.path")) void this.restart();
    });
  }

  /** Starts the server unless it runs. If that fails, shows why and returns false. */
  start(): Promise<boolean> {
    if (this.running?.state === State.Stopped) this.running = this.starting = undefined;
    const starting = (this.starting ??= this.launch());
    void starting.then((started) => {
      if (!started && this.starting === starting) this.starting = undefined;
    });
    return starting;
  }

  async restart(): Promise<void> {
    const before = this.running;
    this.running = this.starting = undefined;
    await before?.dispose().catch(() => {}); // one that has died cannot be shut down
    await this.start();
  }

  /** Runs `handler` wherever the server's command `name` is invoked, for example by a code lens. */
  onCommand<T>(name: string, handler: (argument: T) => unknown): void {
    this.handlers.set(name, handler as CommandHandler);
  }

  /** Sends one of the server's commands and returns its result; `cancel` ends it, `onStage` gets its progress. */
  async execute<T>(
    command: string,
    argument?: object,
    cancel?: vscode.CancellationToken,
    onStage?: OnStage,
  ): Promise<T> {
    if (!this.running) throw new Error("the language server is not running");
    const workDoneToken = randomUUID();
    const progress = this.running.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind === "report" && value.message) onStage?.(value.message, value.percentage);
    });
    const params = { command, arguments: argument ? [argument] : [], workDoneToken };
    try {
      // An undefined token would be taken for a second parameter.
      return await this.running.sendRequest<T>(
        "workspace/executeCommand",
        params,
        ...(cancel ? [cancel] : []),
      );
    } finally {
      progress.dispose();
    }
  }

  /** Sends a request of the server's own about a document that is open. */
  async request<T>(method: string, params: object): Promise<T> {
    if (!this.running) throw new Error("the language server is not running");
    return this.running.sendRequest<T>(method, params);
  }

  /** Adds what `section` returns for a place to its hover. */
  onHover(section: HoverSection): void {
    this.hoverSection = section;
  }

  dispose(): void {
    this.settings.dispose();
    void this.running?.dispose();
  }

  private async launch(): Promise<boolean> {
    const program = findServer(this.context);
    const problem = await whyNotStarting(program);
    if (problem) {
      showProblem(program, problem);
      return false;
    }
    const client = (this.running = this.makeClient(program));
    return client.start().then(
      () => true,
      () => false, // the error handler has said why
    );
  }

  private makeClient(program: string): LanguageClient {
    const server: ServerOptions = { command: program, args: ["lsp"] };
    const options: LanguageClientOptions = {
      documentSelector: [
        ...["file", "untitled"].map((scheme) => ({ scheme, language: "triton-ir" })),
        // Assembly has only hover.
        ...["file", "untitled", "kernelscope-preview"].flatMap((scheme) =>
          ["ptx", "amdgcn"].map((language) => ({ scheme, language })),
        ),
      ],
      initializationOptions: () => ({
        showsResults: true,
        allow: vscode.workspace.getConfiguration("kernelscope").get<string[]>("allow", []),
        arch: vscode.workspace.getConfiguration("kernelscope").get<string[]>("arch", []),
        release: vscode.workspace.getConfiguration("kernelscope").get<string>("release", ""),
        sources: vscode.workspace.getConfiguration("kernelscope").get<string[]>("sources", []),
      }),
      initializationFailedHandler: () => false,
      errorHandler: {
        // A failed write to a server that has died is ignored: `closed` starts another.
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: async () => {
          const result = await usual.closed();
          if (result.action === CloseAction.DoNotRestart)
            showProblem(program, "it keeps exiting; see the output panel");
          return { ...result, handled: true };
        },
      },
      synchronize: { configurationSection: "kernelscope" },
      middleware: {
        executeCommand: (command, args, next) => {
          const handler = this.handlers.get(command);
          return handler ? handler(args[0] as never) : next(command, args);
        },
        provideHover: async (document, position, token, next) => {
          const hover = await next(document, position, token);
          if (!hover || token.isCancellationRequested) return hover;
          const section = await this.hoverSection?.({
            uri: document.uri.toString(),
            position: { line: position.line, character: position.character },
          });
          if (section) hover.contents.unshift(section);
          return hover;
        },
      },
    };
    const client = new QuietClient("kernelscope", "Kernelscope", server, options);
    const usual = client.createDefaultErrorHandler();
    return client;
  }
}

/** The program that the setting names, that the extension ships, or that is on PATH. */
export function findServer(context: vscode.ExtensionContext): string {
  const configured = vscode.workspace.getConfiguration("kernelscope").get<string>("path", "");
  if (configured) return configured;
  const shipped = path.join(context.extensionPath, "bin", "kernelscope");
  return fs.existsSync(shipped) ? shipped : "kernelscope";
}

/** Runs `program --version`. Returns what is wrong with it, or undefined if it works. */
function whyNotStarting(program: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, ["--version"], { timeout: 10000 }, (error, stdout, stderr) => {
      if (!error) resolve(/^kernelscope /.test(stdout) ? undefined : "it is not Kernelscope");
      else if (error.code === "ENOENT") resolve("there is no such program");
      else if (error.code === "EACCES") resolve("it is not executable");
      else if (error.signal) resolve(`it was killed by ${error.signal}`);
      else resolve(stderr.trim().split("\n", 1)[0] || `it exited with code ${error.code}`);
    });
  });
}

function showProblem(program: string, problem: string): void {
  const open = "Open the Setting";
  const message =
    `Kernelscope cannot start "${program}": ${problem}. ` +
    "Install it (the wheel, the .deb or the .vsix with the program inside), or set kernelscope.path to it.";
  void vscode.window.showErrorMessage(message, open).then((choice) => {
    if (choice !== open) return;
    // The path is a setting of the machine: in a remote window, of the remote.
    if (vscode.env.remoteName)
      void vscode.commands.executeCommand("workbench.action.openRemoteSettings", {
        query: "kernelscope.path",
      });
    else void vscode.commands.executeCommand("workbench.action.openSettings", "kernelscope.path");
  });
}
