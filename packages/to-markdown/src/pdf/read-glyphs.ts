import { type Box, height } from "./geometry.ts";
import type { ContentRole, Glyph, TaggedCell, TurnedGlyph } from "./page-content.ts";
import { joinAccents } from "./join-accents.ts";
import { mendLetters } from "./mend-letters.ts";
import type { Pdfium } from "./pdfium.ts";
import { type Matrix, placeBox, placeX, placeY } from "./placement.ts";
import type { FontStyles } from "./read-fonts.ts";
import { overhangTrimmer } from "./trim-overhang.ts";
import { turnLigatures } from "./turn-ligatures.ts";

/** All text of a page. */
export interface PageText {
  glyphs: Glyph[];
  turned: TurnedGlyph[];
  hidden: number;
  /** The number of visible characters whose letter is unknown, in `glyphs` and beyond. */
  unread: number;
  cut: boolean;
}

interface Ask {
  /** PDFium's text page. */
  text: number;
  toPage: Matrix;
  /** The quarter turns of `toPage`. */
  turns: number;
  width: number;
  height: number;
  /** Everything that may be behind white or invisible text. */
  grounds: readonly Box[];
  fontStyles: FontStyles;
  /** The roles of marked content by its id, in a tagged file. */
  roles: ReadonlyMap<number, ContentRole>;
  /** Text objects on layers that are switched off. */
  off: ReadonlySet<number>;
}

/** A page with more characters is not meant to be read: the rest is left out, with a warning. */
const MAX_GLYPHS = 200_000;
const INVISIBLE = 3;
const STROKED = 2;
const CLIPPED = 7;
/** Smaller text, in points, is invisible to a reader. */
const SMALLEST = 1.2;
const QUARTER = Math.PI / 2;
/** Text with a larger rotation, in degrees, does not belong to the lines of the page. */
const MAX_LEAN = 10;

/** Properties that all characters of one text object share. */
interface TextObject {
  handle: number;
  font: number;
  size: number;
  /** The width of an em on the page. */
  across: number;
  /** The direction of its lines in the PDF, in degrees. */
  angle: number;
  /** Whether it is rotated against the lines of the page. */
  leans: boolean;
  style: Glyph["style"];
  cell: TaggedCell | undefined;
  /** Whether it is visible only in front of something. */
  pale: boolean;
  unseen: boolean;
  /** Whether it is on a layer that is switched off. */
  off: boolean;
}

/**
 * The quarter turn of most of a page's text, by a sample of it; undefined for a page without text.
 */
export function mainDirection(
  { api, scratch, float }: Pdfium,
  text: number,
): number | undefined {
  const count = Math.min(api.FPDFText_CountChars(text), MAX_GLYPHS);
  const votes = [0, 0, 0, 0];
  const step = Math.max(1, Math.floor(count / 400));
  for (let index = 0; index < count; index += step) {
    if (
      api.FPDFText_IsGenerated(text, index) === 1 ||
      !api.FPDFText_GetMatrix(text, index, scratch)
    )
      continue;
    const sign = signOf(api.FPDFText_GetFontSize(text, index));
    const turns = quarterOf(float(scratch) * sign, float(scratch + 4) * sign);
    votes[turns] = (votes[turns] ?? 0) + 1;
  }
  const most = Math.max(...votes);
  return most === 0 ? undefined : votes.indexOf(most);
}

/** Letters of a negative size stand on their heads: some programs turn these back by the matrix. */
const signOf = (size: number): number => (size < 0 ? -1 : 1);

function quarterOf(a: number, b: number): number {
  return (Math.round(Math.atan2(b, a) / QUARTER) + 4) % 4;
}

/**
 * Reads the characters of a page in the order of the file. Counts invisible ones and leaves them
 * out.
 */
export function readGlyphs(pdfium: Pdfium, ask: Ask): PageText {
  const { api } = pdfium;
  const count = api.FPDFText_CountChars(ask.text);
  const glyphs: Glyph[] = [];
  const turned: TurnedGlyph[] = [];
  let hidden = 0;
  let unread = 0;
  let spaced = false;
  let parted = false;
  let high = 0;
  let object: TextObject | undefined;
  const overhang = overhangTrimmer(pdfium);
  let last: { handle: number; left: number; baseline: number } | undefined;
  for (let index = 0; index < count && index < MAX_GLYPHS; index += 1) {
    const unit = api.FPDFText_GetUnicode(ask.text, index);
    if (isHighSurrogate(unit)) {
      high = unit;
      continue;
    }
    const code = wholeOf(high, unit);
    high = 0;
    if (isSpace(code)) {
      spaced ||= api.FPDFText_IsGenerated(ask.text, index) !== 1;
      parted = true;
      continue;
    }
    const text = characterOf(code);
    const unknown =
      isUnknown(code, text) || api.FPDFText_HasUnicodeMapError(ask.text, index) === 1;
    if (text === "" && !unknown) continue;
    const handle = api.FPDFText_GetTextObject(ask.text, index);
    if (object?.handle !== handle) object = objectOf(pdfium, ask, index, handle);
    const place = placeOf(pdfium, ask, index);
    if (!place) continue;
    const { box, x, y } = place;
    // the characters of a Type 3 font have a scale of their own
    if (object.size < SMALLEST) object.size = Math.max(object.size, height(box));
    const baseline = placeY(ask.toPage, x, y);
    const ligature =
      last?.handle === handle && last.left === box.left && last.baseline === baseline;
    const glyph = { ...glyphOf(text, box, baseline, object), spaced, ligature };
    const isSeen = !isHidden(glyph, object, ask, placeX(ask.toPage, x, y));
    if (unknown && isSeen) unread += 1;
    if (text === "") continue;
    const { angle, size } = object;
    if (!isSeen) hidden += 1;
    else if (object.leans) turned.push({ ...box, text, angle, x, y, size, spaced: parted });
    else {
      glyphs.push(glyph);
      // the widths of fonts are along the lines of pages that are not turned
      if (ask.turns === 0) {
        const { font, across: em } = object;
        overhang.add({ glyph, font, code, origin: placeX(ask.toPage, x, y), em });
      }
    }
    last = { handle, left: glyph.left, baseline: glyph.baseline };
    spaced = false;
    parted = false;
  }
  overhang.trim();
  mendLetters(glyphs);
  mendLetters(turned);
  turnLigatures(glyphs);
  const cut = count > MAX_GLYPHS;
  return { glyphs: joinAccents(glyphs), turned, hidden, unread, cut };
}

const isSpace = (code: number): boolean =>
  code === 32 || code === 0xa0 || code === 9 || code === 10 || code === 13;

interface GlyphPlace {
  /** On the upright page. */
  box: Box;
  /** Its origin in the coordinates of the PDF. */
  x: number;
  y: number;
}

/** The place of a character; undefined if PDFium finds none. */
function placeOf(
  { api, scratch, double, float }: Pdfium,
  ask: Ask,
  index: number,
): GlyphPlace | undefined {
  if (!api.FPDFText_GetCharOrigin(ask.text, index, scratch, scratch + 8)) return undefined;
  const x = double(scratch);
  const y = double(scratch + 8);
  if (!api.FPDFText_GetLooseCharBox(ask.text, index, scratch)) return undefined;
  const box = placeBox(ask.toPage, {
    left: float(scratch),
    top: float(scratch + 4),
    right: float(scratch + 8),
    bottom: float(scratch + 12),
  });
  return { box, x, y };
}

/** The heights that fonts state differ widely, so the font size determines the box. */
function glyphOf(
  text: string,
  { left, right }: Box,
  baseline: number,
  { size, style, cell }: TextObject,
) {
  const top = baseline - size * 0.8;
  const bottom = baseline + size * 0.2;
  return { left, right, top, bottom, baseline, text, size, style, cell };
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/**
 * The code point of a UTF-16 unit, with the unit before it where that is the first half of a pair.
 */
function wholeOf(high: number, unit: number): number {
  if (high === 0 || unit < 0xdc00 || unit > 0xdfff) return unit;
  return 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
}

function objectOf(pdfium: Pdfium, ask: Ask, index: number, handle: number): TextObject {
  const { api, scratch, float, uint } = pdfium;
  const stated = api.FPDFText_GetFontSize(ask.text, index);
  const sign = signOf(stated);
  let scale = 1;
  let stretch = 1;
  let angle = ask.turns * 90;
  if (api.FPDFText_GetMatrix(ask.text, index, scratch)) {
    scale = Math.hypot(float(scratch + 8), float(scratch + 12)) || 1;
    stretch = Math.hypot(float(scratch), float(scratch + 4)) || 1;
    const [a, b] = [float(scratch) * sign, float(scratch + 4) * sign];
    angle = Math.round((Math.atan2(b, a) * 180) / Math.PI);
  }
  const lean = ((((angle - ask.turns * 90) % 360) + 540) % 360) - 180;
  const leans = Math.abs(lean) > MAX_LEAN;
  const [size, across] = [stated * sign * scale, stated * sign * stretch];
  const mode = handle === 0 ? 0 : api.FPDFTextObj_GetTextRenderMode(handle);
  const font = handle === 0 ? 0 : api.FPDFTextObj_GetFont(handle);
  const role =
    handle === 0 ? undefined : ask.roles.get(api.FPDFPageObj_GetMarkedContentID(handle));
  let pale = false;
  let transparent = false;
  if (
    handle !== 0 &&
    api.FPDFPageObj_GetFillColor(handle, scratch, scratch + 4, scratch + 8, scratch + 12)
  ) {
    pale = Math.min(uint(scratch), uint(scratch + 4), uint(scratch + 8)) >= 0xf4;
    transparent = uint(scratch + 12) < 8;
  }
  const unseen = mode === INVISIBLE || mode === CLIPPED || (transparent && mode === 0);
  const style = ask.fontStyles(font, mode === STROKED, role?.tag);
  const off = ask.off.has(handle);
  const cell = role?.cell;
  return { handle, font, size, across, angle, leans, style, cell, pale, unseen, off };
}

function isHidden(glyph: Glyph, object: TextObject, ask: Ask, x: number): boolean {
  if (object.size < SMALLEST || object.off) return true;
  if (glyph.right < 0 || glyph.bottom < 0 || x > ask.width || glyph.top > ask.height)
    return true;
  if (!object.pale && !object.unseen) return false;
  // text from OCR is invisible and over the picture that it was read from; white text is over
  // something dark
  const middle = (glyph.left + glyph.right) / 2;
  const level = glyph.baseline - glyph.size * 0.3;
  return !ask.grounds.some(
    (ground) =>
      middle >= ground.left &&
      middle <= ground.right &&
      level >= ground.top &&
      level <= ground.bottom,
  );
}

/** Private-use characters of symbol fonts, mostly list markers. */
const SYMBOLS: Record<number, string> = {
  0xf0b7: "•",
  0xf0a7: "▪",
  0xf06e: "■",
  0xf0d8: "➢",
  0xf0fc: "✓",
  0xf02d: "-",
  0xf076: "❖",
  0xf0a8: "◻",
  0xf06f: "□",
  0xf071: "❑",
  0xf0e0: "→",
  0xf0ae: "→",
  0xf0b0: "°",
  0xf0b1: "±",
  0xf0b4: "×",
  0xf02b: "+",
  0xf03d: "=",
  0xf061: "α",
  0xf062: "β",
  0xf06d: "μ",
};

const FRACTION_SLASH = 0x2044;
const LIGATURES = /[\ufb00-\ufb06]/;

/** The text of a code point as a person would type it; empty if it has none. */
function characterOf(code: number): string {
  // PDFium marks a hyphen at the end of a line like this
  if (code === 2 || code === 0xad) return "\u00ad";
  if (code < 32 || (code >= 0x7f && code < 0xa0)) return "";
  if (code >= 0x200b && code <= 0x200f) return "";
  if (code === 0xfeff || code === 0xfffe || code === 0xffff || code > 0x10ffff) return "";
  if (code === FRACTION_SLASH) return "/";
  const symbol = SYMBOLS[code];
  if (symbol !== undefined) return symbol;
  const text = code >= 0xd800 && code <= 0xdfff ? "\ufffd" : String.fromCodePoint(code);
  return LIGATURES.test(text) ? text.normalize("NFKC") : text;
}

const PRIVATE = /^[\ue000-\uf8ff\u{f0000}-\u{10ffff}]$/u;

/**
 * Whether a code does not state the drawn letter: no code, a control character, or a private one.
 */
function isUnknown(code: number, text: string): boolean {
  if (code < 32) return code !== 2;
  return text === "\ufffd" || PRIVATE.test(text) || (code >= 0x7f && code < 0xa0);
}
