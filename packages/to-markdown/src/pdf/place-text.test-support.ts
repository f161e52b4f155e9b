import type { Word } from "./layout.ts";
import type { Rule } from "./page-content.ts";

export const STYLE = { font: "f", bold: false, italic: false, mono: false };
export const SIZE = 10;
const CHARACTER_WIDTH = 5;

export const widthOf = (word: string): number => word.length * CHARACTER_WIDTH;

/** A word with its left edge at `left`, on the line whose baseline is `baseline`. */
export function placeWord(
  text: string,
  left: number,
  baseline: number,
  isFirst: boolean,
): Word {
  return {
    text,
    left,
    right: left + widthOf(text),
    top: baseline - 8,
    bottom: baseline + 2,
    baseline,
    size: SIZE,
    style: STYLE,
    glued: false,
    script: false,
    spaced: !isFirst,
    begins: isFirst,
  };
}

/** The words of a text from `left` on. */
export function line(text: string, left: number, baseline: number): Word[] {
  let x = left;
  return text.split(" ").map((word, at) => {
    const placed = placeWord(word, x, baseline, at === 0);
    x = placed.right + 3;
    return placed;
  });
}
export const level = (at: number, from: number, to: number): Rule => ({
  horizontal: true,
  at,
  from,
  to,
});
export const upright = (at: number, from: number, to: number): Rule => ({
  horizontal: false,
  at,
  from,
  to,
});
