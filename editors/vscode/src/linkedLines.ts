// The map between lines of the IR and lines of a preview, both ways.

export class LinkedLines {
  private readonly toOutput = new Map<number, number[]>();
  private readonly toSource = new Map<number, number[]>();

  constructor(private readonly pairs: readonly (readonly [number, number])[]) {
    for (const [source, output] of pairs) {
      append(this.toOutput, source, output);
      append(this.toSource, output, source);
    }
  }

  /**
   * The same after an edit of the IR that puts `count` lines in the place of `first` to `last`. With `isWhole` it began before
   * the first word of its line, which is now in the last of them.
   */
  afterEdit(first: number, last: number, count: number, isWhole: boolean): LinkedLines {
    const newLast = first + count - 1;
    const moved = (line: number): number =>
      line > last || (line === last && (last > first || isWhole))
        ? line + newLast - last
        : Math.min(line, newLast);
    return new LinkedLines(
      this.pairs.map(
        ([source, output]) => [source < first ? source : moved(source), output] as const,
      ),
    );
  }

  /** The lines of the preview that line `source` of the IR became; empty for a line without code. */
  outputs(source: number): readonly number[] {
    return this.toOutput.get(source) ?? [];
  }

  /** The lines of the IR that line `output` of the preview came from. */
  sources(output: number): readonly number[] {
    return this.toSource.get(output) ?? [];
  }
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
