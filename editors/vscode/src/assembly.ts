// Assembly as LLVM writes it, PTX or AMDGCN: where its lines come from, and what two of it have in common.

/** A place in a source file, as a name without folders, a line and a column from zero. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

const baseName = (file: string): string => file.replace(/^.*\//, "");

/** Whether a line is an instruction: neither a directive, a label, a comment nor a brace. */
function isInstruction(line: string): boolean {
  return /^[a-zA-Z@]/.test(line) && !/^[\w$.]+:/.test(line);
}

/**
 * For each instruction, by its line from zero, the calls that it comes from, the innermost first. The comment of a `.loc` has
 * them all (`std.py:170:27 @[ k.py:19:16 ]`); without one, the file's number and line are the only place.
 */
export function placesOf(text: string): Map<number, Place[]> {
  const lines = text.split("\n");
  const files = new Map<string, string>();
  for (const line of lines) {
    const file = /^\s*\.file\s+(\d+)\s+(?:"[^"]*"\s+)?"([^"]*)"/.exec(line);
    if (file) files.set(file[1]!, baseName(file[2]!));
  }
  const result = new Map<number, Place[]>();
  let places: Place[] = [];
  lines.forEach((line, number) => {
    const code = line.trim();
    const loc = /^\.loc\s+(\d+)\s+(\d+)\s+(\d+)(.*)$/.exec(code);
    if (loc) {
      places = [...loc[4]!.matchAll(/([^\s:[\]]+):(\d+):(\d+)/g)].map((match) =>
        placeOf(match[1]!, match[2]!, match[3]!),
      );
      if (!places.length) places = [placeOf(files.get(loc[1]!) ?? "", loc[2]!, loc[3]!)];
      places = places.filter((place) => place.file && place.line >= 0);
    } else if (/^(\.Lfunc_end|\}|\.section|-- End)/.test(code)) places = [];
    else if (places.length && isInstruction(code)) result.set(number, places);
  });
  return result;
}

function placeOf(file: string, line: string, column: string): Place {
  return { file: baseName(file), line: Number(line) - 1, column: Math.max(Number(column) - 1, 0) };
}

/**
 * The pairs of lines of the IR and lines of assembly with the same chain of calls; for assembly whose chain no op has, with the
 * same line of the outermost file.
 */
export function linkByPlaces(
  ir: readonly { line: number; places: readonly Place[] }[],
  assembly: ReadonlyMap<number, readonly Place[]>,
): [number, number][] {
  const chain = (places: readonly Place[]): string =>
    places.map((place) => `${baseName(place.file)}:${place.line}:${place.column}`).join(" ");
  const outer = (places: readonly Place[]): string => {
    const last = places.at(-1)!;
    return `${baseName(last.file)}:${last.line}`;
  };
  const byChain = new Map<string, number[]>();
  const byLine = new Map<string, number[]>();
  for (const { line, places } of ir) {
    for (const [map, key] of [
      [byChain, chain(places)],
      [byLine, outer(places)],
    ] as const)
      map.set(key, [...(map.get(key) ?? []), line]);
  }
  return [...assembly].flatMap(([output, places]) =>
    (byChain.get(chain(places)) ?? byLine.get(outer(places)) ?? []).map(
      (line): [number, number] => [line, output],
    ),
  );
}

/** The chip that a text of assembly is for, such as `sm_90a`; none where it does not say. */
export function archOf(text: string): string | undefined {
  return /^\s*\.target\s+(sm_\w+)|\.amdgcn_target\s+"[^"]*?(gfx\w+)/m
    .exec(text)
    ?.slice(1)
    .find(Boolean);
}

/** Lines that say nothing about instructions, of PTX and of AMDGCN. */
const noise =
  /^(\.(version|loc|file|cfi_\w+|p2align|ident|addrsig\w*|globl|type|size|set|weak|hidden|protected|text)\b|\$L__(tmp|func_|info)\w*:|\.L(tmp|func_|info)\w*:)/;

/**
 * The instructions and directives alone, so that a diff of two shows what they do differently: no places, comments, debug
 * sections and labels that nothing jumps to. Registers have their class and width but no number, labels no number.
 */
export function normalized(text: string): string {
  const isAmd = text.includes("amdgcn");
  const result: string[] = [];
  let isData = false;
  for (const line of text.split("\n")) {
    const code = line.replace(isAmd ? /\s*(;|\/\/).*$/ : /\s*\/\/.*$/, "").trim();
    if (code.startsWith(".section")) isData = !/\.text/.test(code);
    else if (/^\.(text|visible|entry|func)\b/.test(code)) isData = false;
    else if (code.startsWith(".amdgpu_metadata")) isData = true;
    if (isData || !code || noise.test(code)) continue;
    const plain = (isAmd ? plainAmdgcn(code) : plainPtx(code)).replace(/\s+/g, " ");
    result.push(/:$|^[.{}()]/.test(plain) ? plain : `  ${plain}`);
  }
  return result.join("\n") + "\n";
}

function plainPtx(code: string): string {
  return code
    .replace(/(%[a-z]+)<\d+>/g, "$1<n>")
    .replace(/(%(?:rs|rd|rq|r|fd|f|hh|h|p|b|SP|SPL))\d+\b/g, "$1")
    .replace(/\$L__BB\d+_\d+/g, "$L__BB")
    .replace(/\[\s*([^\]]*?)\s*(?:\+\s*0\s*)?\]/g, "[$1]")
    .replace(/\{\s*([^}]*?)\s*\}/g, "{$1}")
    .replace(/\.v1(\.\w+\s.*?)\{([^,}]*)\}/, "$1$2");
}

function plainAmdgcn(code: string): string {
  return code
    .replace(/\b([vsa])\[(\d+):(\d+)\]/g, (_, file, first, last) => `${file}[${last - first + 1}]`)
    .replace(/\b([vsa])\d+\b/g, "$1")
    .replace(/\.LBB\d+_\d+/g, ".LBB");
}
