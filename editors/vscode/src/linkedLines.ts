// The map between lines of the IR and lines of a preview, both ways.

export class LinkedLines {
  private readonly toOutput = new Map<number, number[]>();
  private readonly toSource = new Map<number, number[]>();

  constructor(pairs: readonly (readonly [number, number])[]) {
    for (const [source, output] of pairs) {
      append(this.toOutput, source, output);
      append(this.toSource, output, source);
    }
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
