import type { Segment } from "./layout.ts";

/** Letters of Hebrew, Arabic and other right-to-left scripts. */
export const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Whether most of the words are written from right to left. */
export function isRightToLeft(lines: readonly Segment[]): boolean {
  let words = 0;
  let reversed = 0;
  for (const line of lines) {
    for (const { text } of line.words) {
      if (RTL.test(text)) reversed += 1;
      else if (!/\p{L}/u.test(text)) continue;
      words += 1;
    }
  }
  return reversed * 2 > words;
}

/** A line mirrored horizontally, so that code about left edges applies to right edges. */
export function mirrored(line: Segment): Segment {
  const flip = <Placed extends { left: number; right: number }>(
    placed: Placed,
  ): Placed => ({
    ...placed,
    left: -placed.right,
    right: -placed.left,
  });
  return { ...flip(line), words: line.words.map(flip) };
}
