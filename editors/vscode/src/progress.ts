// Progress of a preview or a run: in the status bar, and as a notification with Cancel if it takes long.

import * as vscode from "vscode";

/** Milliseconds after which a job is worth a notification. */
const long = 2000;

type Task<T> = (cancel: vscode.CancellationToken, onStage: (stage: string) => void) => Promise<T>;

/** Runs `task` and shows progress until it ends; cancelling the notification, or `cancel`, ends it. */
export async function withProgress<T>(
  title: string,
  cancel: vscode.CancellationTokenSource,
  task: Task<T>,
): Promise<T> {
  const shown: vscode.Progress<{ message?: string }>[] = [];
  let stage: string | undefined;
  const result = task(cancel.token, (message) => {
    stage = message;
    for (const progress of shown) progress.report({ message });
  });
  const ended = result.then(
    () => {},
    () => {},
  );
  const show = (location: vscode.ProgressLocation): void => {
    const options = { location, title, cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => cancel.cancel());
      shown.push(progress);
      progress.report({ message: stage });
      return ended;
    });
  };
  show(vscode.ProgressLocation.Window);
  const timer = setTimeout(() => show(vscode.ProgressLocation.Notification), long);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
  }
}
