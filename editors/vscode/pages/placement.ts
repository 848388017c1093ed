// A layout as its bases: where an element is, and which element is there. Both are xors of bases.

import type { MappedDim, PlacedTensor } from "../src/protocol";

function apply(dims: MappedDim[], values: readonly number[], outputs: number): number[] {
  const result = new Array<number>(outputs).fill(0);
  dims.forEach((dim, i) => {
    dim.bases.forEach((basis, bit) => {
      if ((values[i]! >>> bit) & 1) basis.forEach((value, out) => (result[out]! ^= value));
    });
  });
  return result;
}

/** More copies than this are not listed. */
const mostCopies = 4096;

export class Placement {
  /** Of the tensor that the layout covers. */
  readonly shape: number[];

  constructor(readonly tensor: PlacedTensor) {
    this.shape = tensor.elements.map((dim) => 2 ** dim.bases.length);
  }

  /** The values of `tensor.places` at an element; of several places that hold it, one. */
  placeOf(element: readonly number[]): number[] {
    return apply(this.tensor.elements, element, this.tensor.places.length);
  }

  elementAt(place: readonly number[]): number[] {
    return apply(this.tensor.places, place, this.shape.length);
  }

  /** The other places that hold what `place` does, and how many there are. */
  copiesOf(place: readonly number[]): { places: number[][]; count: number } {
    let places = [[...place]];
    for (const copy of this.tensor.copies) {
      if (places.length >= mostCopies) break;
      places = places.concat(places.map((at) => at.map((value, i) => value ^ copy[i]!)));
    }
    return { places: places.slice(1), count: 2 ** this.tensor.copies.length - 1 };
  }

  dim(name: string): number {
    return this.tensor.places.findIndex((dim) => dim.name === name);
  }

  /** How many values the dimension of places has; 1 of one that the layout does not have. */
  sizeOf(name: string): number {
    return 2 ** (this.tensor.places[this.dim(name)]?.bases.length ?? 0);
  }

  get isShared(): boolean {
    return this.dim("offset") >= 0;
  }

  get isDistributed(): boolean {
    return this.dim("register") >= 0;
  }

  /** Of an element in shared memory, its byte in the buffer: offsets do not count the gaps. */
  byteOf(offset: number): number {
    let padding = 0;
    for (const [interval, gap] of this.tensor.gaps) padding += Math.floor(offset / interval) * gap;
    return ((offset + padding) * this.tensor.bits) / 8;
  }
}

/** Which words of which banks one access of a group of lanes touches. */
export interface BankUse {
  lanes: number[];
  /** Different words, per bank. */
  words: number[];
}

/**
 * The access of `place`, in registers, to shared memory: the lanes that are served with it, and their words. Elements of
 * both tensors have the same numbers.
 */
export function bankUse(
  registers: Placement,
  memory: Placement,
  place: readonly number[],
  access: { vectorMask: number; lanesTogether: number[][] },
  banks: number,
): BankUse {
  const reg = registers.dim("register"),
    lane = registers.dim("lane"),
    offset = memory.dim("offset");
  const lanes = access.lanesTogether.find((group) => group.includes(place[lane]!)) ?? [];
  const seen = new Set<number>();
  const words = new Array<number>(banks).fill(0);
  for (const other of lanes)
    for (const bits of subsetsOf(access.vectorMask)) {
      const at = [...place];
      at[lane] = other;
      at[reg] = (at[reg]! & ~access.vectorMask) | bits;
      const element = registers.elementAt(at);
      const word = Math.floor(memory.byteOf(memory.placeOf(element)[offset]!) / 4);
      if (!seen.has(word)) words[word % banks]!++;
      seen.add(word);
    }
  return { lanes, words };
}

/** The numbers with bits of `mask` only. */
function subsetsOf(mask: number): number[] {
  const subsets = [0];
  for (let at = (0 - mask) & mask; at !== 0; at = (at - mask) & mask) subsets.push(at);
  return subsets;
}
