import type { Word } from "./layout.ts";
import type { Rule } from "./page-content.ts";

export const STYLE = { font: "f", bold: false, italic: false, mono: false };
export const SIZE = 10;
/**
 * Words of a text, five points a character, from `left` on the line whose baseline is `baseline`.
 */
export function line(text: string, left: number, baseline: number): Word[] {
  let x = left;
  return text.split(" ").map((word, at) => {
    const placed = {
      text: word,
      left: x,
      right: x + word.length * 5,
      top: baseline - 8,
      bottom: baseline + 2,
      baseline,
      size: SIZE,
      style: STYLE,
      glued: false,
      script: false,
      spaced: at > 0,
      begins: at === 0,
    };
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
