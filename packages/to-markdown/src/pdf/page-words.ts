import type { Pdfium } from "./pdfium.ts";

/** A word of a page, in shares of the page as it is drawn: 0 is its left or upper edge. */
export interface PageWord {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PageWords {
  /** Of the page as it is drawn, in points. */
  width: number;
  height: number;
  /** In the order of the file. */
  words: PageWord[];
}

/** A full page of a newspaper has about 5,000 words. */
const MAX_WORDS = 8_000;
const MAX_CHARACTERS = 100_000;
const MAX_WORD_CHARACTERS = 200;
/** Shares are whole numbers of this many parts, so that an answer stays short. */
const PARTS = 10_000;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Reads where the words of an open page stand. */
export function readPageWords(pdfium: Pdfium, page: number): PageWords {
  const { api } = pdfium;
  const size = {
    width: Math.max(1, api.FPDF_GetPageWidthF(page)),
    height: Math.max(1, api.FPDF_GetPageHeightF(page)),
  };
  const text = api.FPDFText_LoadPage(page);
  if (text === 0) return { ...size, words: [] };
  try {
    return { ...size, words: wordsOf(pdfium, page, text) };
  } finally {
    api.FPDFText_ClosePage(text);
  }
}

function wordsOf(pdfium: Pdfium, page: number, text: number): PageWord[] {
  const { api } = pdfium;
  const words: PageWord[] = [];
  const count = Math.min(api.FPDFText_CountChars(text), MAX_CHARACTERS);
  let word = "";
  let box: Box | undefined;
  const end = () => {
    const letters = word.normalize("NFKC").toWellFormed().slice(0, MAX_WORD_CHARACTERS);
    if (box && letters) words.push(toWord(letters, box));
    word = "";
    box = undefined;
  };
  for (let index = 0; index < count && words.length < MAX_WORDS; index += 1) {
    const code = api.FPDFText_GetUnicode(text, index);
    const character = code > 0x10_ff_ff ? "" : String.fromCodePoint(code);
    if (!/[^\s\p{C}]/u.test(character)) {
      end();
      continue;
    }
    const at = boxOf(pdfium, page, text, index);
    if (!at) continue;
    if (box && isElsewhere(box, at)) end();
    word += character;
    box = box ? around(box, at) : at;
  }
  if (words.length < MAX_WORDS) end();
  return words;
}

/** Where a character is drawn; undefined for one outside the page. */
function boxOf(pdfium: Pdfium, page: number, text: number, index: number): Box | undefined {
  const { api, scratch, float } = pdfium;
  if (!api.FPDFText_GetLooseCharBox(text, index, scratch)) return undefined;
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => float(scratch + at));
  const one = toDrawn(pdfium, page, left ?? 0, top ?? 0);
  const other = toDrawn(pdfium, page, right ?? 0, bottom ?? 0);
  if (!one || !other) return undefined;
  const box = {
    left: Math.max(0, Math.min(one.x, other.x)),
    top: Math.max(0, Math.min(one.y, other.y)),
    right: Math.min(PARTS, Math.max(one.x, other.x)),
    bottom: Math.min(PARTS, Math.max(one.y, other.y)),
  };
  return box.left < box.right && box.top < box.bottom ? box : undefined;
}

/** Converts a point of the file, with the turn of the page and what of it is visible. */
function toDrawn({ api, scratch, uint }: Pdfium, page: number, x: number, y: number) {
  const [toX, toY] = [scratch + 32, scratch + 36];
  if (!api.FPDF_PageToDevice(page, 0, 0, PARTS, PARTS, 0, x, y, toX, toY)) return undefined;
  return { x: uint(toX) | 0, y: uint(toY) | 0 };
}

/** A word that goes on in the next line is two: a mark around both would cover other words. */
function isElsewhere(word: Box, next: Box): boolean {
  const middle = (next.top + next.bottom) / 2;
  return middle < word.top || middle > word.bottom;
}

function around(one: Box, other: Box): Box {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

function toWord(text: string, { left, top, right, bottom }: Box): PageWord {
  return {
    text,
    left: left / PARTS,
    top: top / PARTS,
    width: (right - left) / PARTS,
    height: (bottom - top) / PARTS,
  };
}
