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
  /** The file for the timeline. */
  trace?: string;
}

export interface RunResult {
  report: string;
  data: RunReport;
}

/** What `kernelscope run --format json` writes. */
export interface RunReport {
  kernel: string;
  device: string;
  grid: number[];
  arguments: { name: string; dtype: string; value: string; shape?: number[] }[];
  outputs: OutputReport[];
  notes: string[];
  /** Only if something was compared. */
  matches?: boolean;
  schedule?: string;
  sanitized?: boolean;
  threads?: number;
  ctas?: number;
  sharedBytes?: number;
  microseconds?: number;
  launches?: number;
  gigabytesPerSecond?: number;
  teraflops?: number;
  /** Of the device. */
  peakGigabytesPerSecond?: number;
  peakTeraflops?: number;
}

export interface OutputReport {
  name: string;
  dtype: string;
  shape: number[];
  checksum: string;
  first: string[];
  nans: number;
  infinities: number;
  minimum?: number;
  maximum?: number;
  mean?: number;
  comparison?: {
    /** "the CPU executor", or a file in quotes. */
    with: string;
    maxAbsolute: number | "infinity";
    maxRelative: number | "infinity";
    outside: number;
    absoluteTolerance: number;
    relativeTolerance: number;
  };
  errors?: ErrorMap;
}

/** Where a result differs: by rows of cells, the largest difference in each, times the tolerance. */
export interface ErrorMap {
  rowLength: number;
  rowsPerCell: number;
  columnsPerCell: number;
  columns: number;
  cells: (number | "infinity")[];
}

/** Shows what the compiler does beside a document, or hides it. */
export interface EmittedArguments {
  uri: string;
  archs?: string[];
}

export interface BisectArguments {
  uri: string;
  kernel?: string;
}

/** The IR of a section of a dump of all passes. */
export interface Section {
  title: string;
  /** Of the title in the dump, from zero. */
  line: number;
  text: string;
}

export interface BisectResult {
  report: string;
  /** The passes one of which changes what the kernel does; empty if none does. */
  passes: string[];
  before?: Section;
  after?: Section;
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

/** A dimension and, for each of its bits, where that bit goes: a value per dimension of the other side. */
export interface MappedDim {
  name: string;
  bases: number[][];
}

/** Where the elements of a tensor or a buffer are, as a linear map over F2. */
export interface PlacedTensor {
  role: string;
  type: string;
  /** Of an element in memory. */
  bits: number;
  /** Markdown. */
  text: string;
  /** Places to elements: `register`, `lane`, ... or `offset`, `block`. */
  places: MappedDim[];
  /** Elements to one of their places. */
  elements: MappedDim[];
  /** Xor of any of these with a place is a place that holds the same element. */
  copies: number[][];
  /** After every first-many elements in memory lie second-many that are not used. */
  gaps: [number, number][];
}

/** What `kernelscope/layout` answers. */
export interface LayoutView {
  title: string;
  banks: number;
  tensors: PlacedTensor[];
  access?: {
    registers: number;
    memory: number;
    /** Markdown. */
    text: string;
    vectorMask: number;
    lanesTogether: number[][];
  };
}

/** A pass of a dump of all passes; numbers of states are null where the dump does not have them. */
export interface DumpPass {
  name: string;
  /** Of its title in the dump, from zero. */
  line: number;
  before: number | null;
  after: number | null;
  /** Lines that differ in more than names and locations. */
  added: number;
  removed: number;
  /** The lines, in the dump, of the op that is followed, after the pass. */
  followed: number[];
  changesFollowed: boolean;
}

export interface PassesResult {
  passes: DumpPass[];
  /** The IR between passes, without locations. */
  states: { line: number; text: string }[];
  /** What is followed: a place in Python, or a result's name; empty for nothing. */
  what: string;
}

/** What `kernelscope/sourceLines` answers. */
export interface SourceLines {
  /** As `loc(...)` names them, and where they are on this machine. */
  files: { name: string; uri: string | null }[];
  /** Of each op, its line and [file, line, column] of the calls that it comes from, the innermost first; from zero. */
  lines: { line: number; places: [number, number, number][] }[];
}
