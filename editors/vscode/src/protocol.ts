// The server's own commands, as docs/architecture.md lays them down.

export type Emit = "ptx" | "amdgcn" | "llvm" | "ttgir" | "sass";

export interface PreviewArguments {
  uri: string;
  kernel?: string;
  /** From zero: which part of a file that `// -----` splits. */
  line?: number;
  emit: Emit;
  arch?: string;
}

export interface PreviewResult {
  uri: string;
  version: number;
  arch: string;
  emit: Emit;
  text: string;
  /** Pairs of a line of the IR and a line of `text`, both from zero. */
  lines: [number, number][];
  milliseconds: number;
}

export interface RunArguments {
  uri: string;
  kernel?: string;
  line?: number;
  device?: string;
}

export interface RunResult {
  report: string;
}

export interface Arch {
  arch: string;
  vendor: "nvidia" | "amd";
  description: string;
}

/** The `data` of an error that answers a command; lines and columns from zero. */
export interface Failure {
  kind: string;
  message: string;
  stage?: string;
  line?: number;
  column?: number;
}
