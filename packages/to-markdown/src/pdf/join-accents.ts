import { middleX, overlapX, width } from "./geometry.ts";
import type { Glyph } from "./page-content.ts";

/** Accents that are separate characters, with their combining forms. */
const COMBINING: Record<string, string> = {
  "`": "\u0300",
  "\u02cb": "\u0300",
  "´": "\u0301",
  "\u02ca": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "\u02c9": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
};
const DOTLESS: Record<string, string> = { "\u0131": "i", "\u0237": "j" };
/** The maximum distance in ems from an accent to the middle of its letter. */
const MAX_ASIDE = 0.3;
const MAX_ABOVE = 0.6;

/** Letters are looked up by squares with sides of this many points. */
const SQUARE = 24;

/**
 * Joins accents that are drawn over a letter, as TeX does it, with the letter, in whatever order
 * the file draws them.
 */
export function joinAccents(glyphs: Glyph[]): Glyph[] {
  const accents = glyphs.filter(({ text }) => text in COMBINING);
  if (accents.length === 0) return glyphs;
  const squares = new Map<string, Glyph[]>();
  for (const glyph of glyphs)
    if (/^\p{L}$/u.test(glyph.text) && !(glyph.text in COMBINING))
      squares.set(keyOf(glyph), [...(squares.get(keyOf(glyph)) ?? []), glyph]);
  const joined = new Set<Glyph>();
  for (const accent of accents) {
    const letter = nearest(accent, squares);
    if (!letter) continue;
    joined.add(accent);
    const base = DOTLESS[letter.text] ?? letter.text;
    letter.text = (base + (COMBINING[accent.text] ?? "")).normalize("NFC");
  }
  for (const [at, accent] of glyphs.entries()) {
    const next = glyphs[at + 1];
    if (next && joined.has(accent) && accent.spaced) next.spaced = true;
  }
  return glyphs.filter((glyph) => !joined.has(glyph));
}

const keyOf = (glyph: Glyph, right = 0, down = 0): string =>
  `${Math.floor(middleX(glyph) / SQUARE) + right} ${Math.floor(glyph.baseline / SQUARE) + down}`;

/** The letter below an accent; each letter takes one accent. */
function nearest(accent: Glyph, squares: ReadonlyMap<string, Glyph[]>): Glyph | undefined {
  let best: Glyph | undefined;
  for (const right of [-1, 0, 1]) {
    for (const down of [-1, 0, 1]) {
      for (const letter of squares.get(keyOf(accent, right, down)) ?? []) {
        if (!isOver(accent, letter)) continue;
        const distance = Math.abs(middleX(accent) - middleX(letter));
        if (!best || distance < Math.abs(middleX(accent) - middleX(best))) best = letter;
      }
    }
  }
  return best;
}

function isOver(accent: Glyph, letter: Glyph): boolean {
  const { size } = letter;
  return (
    Math.abs(middleX(accent) - middleX(letter)) <= MAX_ASIDE * size &&
    overlapX(accent, letter) >= Math.min(width(accent), width(letter)) * 0.5 &&
    Math.abs(accent.baseline - letter.baseline) <= MAX_ABOVE * size
  );
}
