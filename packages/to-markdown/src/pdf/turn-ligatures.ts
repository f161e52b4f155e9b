import { width } from "./geometry.ts";
import type { Glyph } from "./page-content.ts";
import { RTL } from "./right-to-left.ts";

/**
 * The maximum rounding error, in ems, of the positions and widths of the letters of one drawing.
 */
const NEAR = 0.1;

/**
 * Sorts the letters of ligatures such as lam with alef. PDFium returns the letters of one drawing
 * from left to right, at one place or in parts of the drawing's width; Arabic and Hebrew begin at
 * the right.
 */
export function turnLigatures(glyphs: Glyph[]): void {
  for (let from = 0; from < glyphs.length; from += 1) {
    let to = from + 1;
    while (isOfOne(glyphs[to - 1], glyphs[to])) to += 1;
    if (to - from > 1) turn(glyphs, from, to);
    from = to - 1;
  }
}

function isOfOne(last: Glyph | undefined, glyph: Glyph | undefined): boolean {
  if (!last || !glyph || glyph.spaced) return false;
  if (!RTL.test(last.text) || !RTL.test(glyph.text)) return false;
  if (glyph.ligature) return true;
  return (
    glyph.baseline === last.baseline &&
    Math.abs(glyph.left - last.right) < NEAR &&
    Math.abs(width(glyph) - width(last)) < NEAR
  );
}

function turn(glyphs: Glyph[], from: number, to: number): void {
  const letters = glyphs.slice(from, to);
  const { spaced, ligature } = letters[0] ?? {};
  const order = letters.toReversed().map((glyph, at) => ({
    ...glyph,
    spaced: at === 0 && (spaced ?? false),
    ligature: at === 0 ? (ligature ?? false) : letters.some((each) => each.ligature),
  }));
  glyphs.splice(from, letters.length, ...order);
}
