// What the colour of a cell can show, and the words for a place.

import type { Placement } from "./placement";

/** What cells are coloured by. */
export interface Aspect {
  name: string;
  size: number;
  valueOf: (place: readonly number[]) => number;
  /** The text of a cell, in one line or two. */
  cellText: (place: readonly number[], lines: number) => string[];
}

const words: Record<string, string> = { block: "CTA", row: "lane", col: "column" };
export const wordOf = (dim: string): string => words[dim] ?? dim;

/** Different for neighbours, and in the order of the rainbow for all. */
export function colorOf(value: number, size: number): string {
  const isDark = !/vscode-(high-contrast-)?light/.test(document.body.className);
  const hue = Math.round((value * (size > 4 ? 330 : 300)) / Math.max(size, 2) + 215) % 360;
  const lightness = (isDark ? 27 : 76) + (size > 8 && value % 2 ? 11 : 0);
  return `hsl(${hue} ${isDark ? 55 : 75}% ${lightness}%)`;
}

/** In the order of how useful they are; never empty. */
export function aspectsOf(placement: Placement, banks: number): Aspect[] {
  const { places } = placement.tensor;
  const cellText = textOf(placement, banks);
  const aspects: Aspect[] = [];
  if (placement.isShared) {
    const offset = placement.dim("offset");
    const bankOf = (place: readonly number[]) =>
      Math.floor(placement.byteOf(place[offset]!) / 4) % banks;
    aspects.push({ name: "bank", size: banks, valueOf: bankOf, cellText });
  }
  const order = ["warp", "lane", "register", "block"];
  const names = places.map((dim) => dim.name).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  for (const name of names) {
    const at = placement.dim(name),
      size = placement.sizeOf(name);
    if (size > 1)
      aspects.push({ name: wordOf(name), size, valueOf: (place) => place[at]!, cellText });
  }
  if (!aspects.length) aspects.push({ name: "place", size: 1, valueOf: () => 0, cellText });
  return aspects;
}

function textOf(placement: Placement, banks: number): Aspect["cellText"] {
  const cta = placement.sizeOf("block") > 1 ? placement.dim("block") : -1;
  const prefix = (place: readonly number[]) => (cta < 0 ? "" : `B${place[cta]!} `);
  if (placement.isDistributed) {
    const warp = placement.dim("warp"),
      lane = placement.dim("lane"),
      reg = placement.dim("register");
    const lanes = placement.sizeOf("lane");
    return (place, lines) =>
      lines === 1
        ? [`${prefix(place)}T${place[warp]! * lanes + place[lane]!}:${place[reg]!}`]
        : [`${prefix(place)}w${place[warp]!} l${place[lane]!}`, `r${place[reg]!}`];
  }
  if (placement.isShared) {
    const offset = placement.dim("offset");
    return (place, lines) => {
      const bank = Math.floor(placement.byteOf(place[offset]!) / 4) % banks;
      return [`${prefix(place)}${place[offset]!}`, `bank ${bank}`].slice(0, lines);
    };
  }
  return (place) => [place.join(",")];
}

/** "warp 0, lane 5, register 3". */
export function describePlace(
  placement: Placement,
  place: readonly number[],
  banks: number,
): string {
  const parts = placement.tensor.places
    .flatMap((dim, i) =>
      dim.bases.length || ["lane", "register", "offset"].includes(dim.name)
        ? [`${wordOf(dim.name)} ${place[i]!}`]
        : [],
    )
    .reverse();
  if (placement.isShared) {
    const byte = placement.byteOf(place[placement.dim("offset")]!);
    parts.push(
      `byte ${byte} (0x${byte.toString(16)}) of the buffer`,
      `bank ${Math.floor(byte / 4) % banks}`,
    );
  }
  return parts.join(", ");
}
