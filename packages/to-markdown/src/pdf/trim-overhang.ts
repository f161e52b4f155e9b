import type { Glyph } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";
import { RTL } from "./right-to-left.ts";

/** How far, in ems, a letter may reach over its neighbours. */
const MAX_OVERHANG = 0.2;
/** A letter follows another at its advance, but for this many ems. */
const EXACT = 0.03;
const KERNED = 0.15;
const LETTER = /^\p{L}$/u;

/** A letter whose box is wider than its font says. */
interface Wide {
  glyph: Glyph;
  /** Its origin. */
  from: number;
  /** Where the next letter would begin. */
  to: number;
  letter: Letter;
}

/** What a font says of a letter, and whether other letters follow it so. */
interface Letter {
  advance: number;
  follows: boolean;
}

interface Drawn {
  glyph: Glyph;
  font: number;
  code: number;
  /** Its origin on the page. */
  origin: number;
  /** The width of an em on the page. */
  em: number;
}

/**
 * Takes from the boxes of letters what reaches over their neighbours, as the top of an f does: the
 * space behind it would be too narrow for one. What a font says of a letter counts only where the
 * letters behind it are set so, because its codes may be those of other letters.
 */
export function overhangTrimmer({ api, scratch, float }: Pdfium) {
  const fonts = new Map<number, Map<number, Letter>>();
  const wide: Wide[] = [];
  let last: (Drawn & { letter: Letter }) | undefined;

  function askFont(font: number, code: number): Letter {
    const known = fonts.get(font) ?? new Map<number, Letter>();
    fonts.set(font, known);
    let letter = known.get(code);
    if (!letter) {
      const isStated = api.FPDFFont_GetGlyphWidth(font, code, 1, scratch);
      letter = { advance: isStated ? float(scratch) : 0, follows: false };
      known.set(code, letter);
    }
    return letter;
  }

  /** Notes whether a letter is set where the one before it ends. */
  function compare({ font, glyph, origin }: Drawn): void {
    if (last?.font !== font || last.glyph.baseline !== glyph.baseline) return;
    const beyond = (origin - last.origin) / last.em - last.letter.advance;
    if (beyond < EXACT && beyond > -KERNED) last.letter.follows = true;
  }

  return {
    /** Notes a character, in the order of the file. */
    add(drawn: Drawn): void {
      const { glyph, origin, em, font, code } = drawn;
      // the letters of a ligature share a place
      if (glyph.ligature && wide.at(-1)?.glyph === last?.glyph) wide.pop();
      if (!glyph.ligature) compare(drawn);
      last = undefined;
      const isLetter = LETTER.test(glyph.text) && !RTL.test(glyph.text);
      if (font === 0 || em <= 0 || !isLetter || glyph.ligature) return;
      const letter = askFont(font, code);
      const to = origin + letter.advance * em;
      if (letter.advance <= 0 || to <= glyph.left || origin >= glyph.right) return;
      if (to >= glyph.right && origin <= glyph.left) return;
      last = { ...drawn, letter };
      wide.push({ glyph, from: origin, to, letter });
    },
    trim(): void {
      for (const { glyph, from, to, letter } of wide) {
        const most = MAX_OVERHANG * glyph.size;
        if (from - glyph.left < most) glyph.left = Math.max(glyph.left, from);
        if (letter.follows && glyph.right - to < most)
          glyph.right = Math.min(glyph.right, to);
      }
    },
  };
}
