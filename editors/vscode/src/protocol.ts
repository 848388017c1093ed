// The server's own commands, as specified in docs/architecture.md.

/** A kind of output by its name: "ptx". */
export type Emit = string;

export interface EmitInfo {
  emit: Emit;
  title: string;
  /** Of a file, without the dot. */
  suffix: string;
}

export interface PreviewArguments {
  uri: string;
  kernel?: string;
  /** The part of a file split by `// -----`, from zero. */
  line?: number;
  emit: Emit;
  arch?: string;
  /** Without `arch`: the first of these that suits the output and the source. */
  archs?: string[];
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
  assembly: Emit;
  emits: EmitInfo[];
}

/** The `data` of an error that answers a command; lines and columns from zero. */
export interface Failure {
  kind: string;
  message: string;
  stage?: string;
  line?: number;
  column?: number;
}
