import type { Style } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";

const FIXED_PITCH = 1;
const ITALIC = 1 << 6;
const FORCE_BOLD = 1 << 18;
const BOLD_NAME = /bold|black|heavy|demi|semib|[-,]bd\b|cmbx|cmb\d|sfbx|medi$|-bx\d/i;
const ITALIC_NAME = /ital|obliq|slanted|[-,]it\b|cmti|cmsl|cmmi|sfti|-ri\d/i;
const MONO_NAME =
  /mono|courier|consol|typewriter|menlo|inconsolata|cmtt|sftt|source ?code|fira ?code|letter ?gothic|andale/i;

/**
 * Chinese, Japanese and Korean fonts: all characters have the same width, in code and in other
 * text.
 */
const WIDE_NAME = /cjk|song|hei|ming|gothic(?!.*letter)|mincho|kai/i;

/** Returns the style of a font by its handle. Asks PDFium once per font. */
export type FontStyles = (font: number, stroked: boolean, tag: string | undefined) => Style;

/** Styles are shared: glyphs with the same style have the same object. */
export function createFontStyles(pdfium: Pdfium): FontStyles {
  const { api, text } = pdfium;
  const known = new Map<string, Style>();
  return (font, stroked, tag) => {
    const key = `${font} ${stroked} ${tag ?? ""}`;
    const found = known.get(key);
    if (found) return found;
    const name =
      font === 0
        ? ""
        : text("utf-8", (buffer, size) => api.FPDFFont_GetBaseFontName(font, buffer, size));
    const flags = font === 0 ? 0 : Math.max(api.FPDFFont_GetFlags(font), 0);
    const plain = name.replace(/^[A-Z]{6}\+/, "");
    const style = {
      font: plain,
      bold: stroked || BOLD_NAME.test(plain) || (flags & FORCE_BOLD) !== 0,
      italic: ITALIC_NAME.test(plain) || (flags & ITALIC) !== 0,
      mono:
        (MONO_NAME.test(plain) && !WIDE_NAME.test(plain)) ||
        ((flags & FIXED_PITCH) !== 0 &&
          !/^(cid|t3|f)?\d*$/i.test(plain) &&
          !WIDE_NAME.test(plain) &&
          !hasNarrowLetters(pdfium, font)),
      ...(tag !== undefined && { tag }),
    };
    known.set(key, style);
    return style;
  };
}

/** In fonts of one width no letter is so much narrower than another. */
const NARROW = 0.7;

/** Whether an i is narrower than an m and an o: some programs say "fixed pitch" of every font. */
function hasNarrowLetters({ api, scratch, float }: Pdfium, font: number): boolean {
  const [i = 0, m = 0, o = 0] = [..."imo"].map((letter) =>
    api.FPDFFont_GetGlyphWidth(font, letter.charCodeAt(0), 1, scratch) ? float(scratch) : 0,
  );
  return i > 0 && i < NARROW * Math.min(m, o);
}
