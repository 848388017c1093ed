// Progress of a preview or a run: in the status bar, and as a notification with Cancel if it takes long.

import * as vscode from "vscode";

/** Milliseconds after which a job is worth a notification. */
const long = 2000;

/** What a job is at, and how much of it is done, in percent, if that is known. */
export type OnStage = (stage: string, percentage?: number) => void;

type Task<T> = (cancel: vscode.CancellationToken, onStage: OnStage) => Promise<T>;

/** Runs `task` and shows progress until it ends; cancelling the notification, or `cancel`, ends it. */
export async function withProgress<T>(
  title: string,
  cancel: vscode.CancellationTokenSource,
  task: Task<T>,
): Promise<T> {
  const shown: vscode.Progress<{ message?: string; increment?: number }>[] = [];
  let stage: string | undefined;
  let done = 0;
  const result = task(cancel.token, (message, percentage) => {
    stage = message;
    // A bar that has not moved yet only says that there is work.
    const increment = percentage === undefined ? undefined : percentage - done;
    done += increment ?? 0;
    for (const progress of shown) progress.report({ message, increment });
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
      progress.report({ message: stage, increment: done || undefined });
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
