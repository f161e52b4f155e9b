import type { PageQuality } from "../parsed-file.ts";
import { width } from "./geometry.ts";
import type { Glyph } from "./page-content.ts";

/** A font with fewer characters proves nothing. */
const MIN_CHARACTERS = 30;
/** Characters drawn in this many widths are more than one or two letters. */
const MIN_WIDTHS = 5;
const MAX_LETTERS = 2;
/** Widths are compared in steps of this many ems. */
const STEP = 0.05;
/** Fewer unread characters are not worth a warning: a symbol, a logo. */
const MIN_UNREAD = 5;
const MIN_SHARE = 0.02;
const MAX_NAMED = 10;

/** Counts the characters of fonts that map everything they draw to one letter. */
export function countMisread(glyphs: readonly Glyph[]): number {
  const fonts = new Map<
    string,
    { count: number; texts: Set<string>; widths: Set<number> }
  >();
  for (const glyph of glyphs) {
    const { font } = glyph.style;
    let seen = fonts.get(font);
    if (!seen) fonts.set(font, (seen = { count: 0, texts: new Set(), widths: new Set() }));
    seen.count += 1;
    if (seen.texts.size <= MAX_LETTERS) seen.texts.add(glyph.text);
    seen.widths.add(Math.round(width(glyph) / (glyph.size * STEP)));
  }
  let misread = 0;
  for (const { count, texts, widths } of fonts.values())
    if (count >= MIN_CHARACTERS && texts.size <= MAX_LETTERS && widths.size >= MIN_WIDTHS)
      misread += count;
  return misread;
}

/**
 * A warning about pages that show more letters than the file names.
 * @returns undefined if everything was read
 */
export function warnOfUnread(pages: readonly PageQuality[]): string | undefined {
  const lacking = pages.filter(
    ({ characters, unread = 0 }) =>
      unread >= MIN_UNREAD && unread >= (characters + unread) * MIN_SHARE,
  );
  if (lacking.length === 0) return undefined;
  const named = lacking.slice(0, MAX_NAMED).map(({ page }) => page);
  const more = lacking.length > MAX_NAMED ? ` and ${lacking.length - MAX_NAMED} more` : "";
  const unread = lacking.reduce((sum, page) => sum + (page.unread ?? 0), 0);
  const all = lacking.reduce((sum, { characters }) => sum + characters, unread);
  return (
    `${unread} of ${all} characters on ${named.length === 1 ? "page" : "pages"} ${named.join(", ")}${more} ` +
    "cannot be read: their fonts do not say which letters they are. OCR reads pages that are mostly so, where it is on."
  );
}
