// Lines of assembly that say nothing about instructions, left out of previews.

import type { Emit, PreviewResult } from "./protocol";

/** Places in the source, debug sections, labels that nothing jumps to. Neovim's plugin leaves out the same. */
const noise: Partial<Record<Emit, RegExp>> = {
  ptx: /^\s*(\.loc\s|\.file\s|\/\/|\.b\d+\s|\.section\s+\.debug_\w+\s*\{\s*\}|$)|^\$L__(tmp\d+|func_\w+):/,
  amdgcn: /^\s*(\.loc\s|\.file\s|\.cfi_|\.p2align|$)|^\.L(tmp\d+|func_\w+):/,
};

/** `result`, of that kind, without its noise; its links are those of the lines that stay. */
export function withoutNoise(result: PreviewResult, emit: Emit): PreviewResult {
  const pattern = noise[emit];
  if (!pattern) return result;
  const kept: string[] = [];
  const numbers = result.text
    .split("\n")
    .map((line) => (pattern.test(line) ? -1 : kept.push(line) - 1));
  const lines = result.lines
    .map(([source, output]): [number, number] => [source, numbers[output] ?? -1])
    .filter(([, output]) => output >= 0);
  return { ...result, text: kept.join("\n"), lines };
}
