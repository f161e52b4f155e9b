import type { CountPiece } from "./byte-pairs.ts";

/** Measures parts of one text. */
export interface Ruler {
  unit: "tokens" | "characters";
  /** The exact size of a part. */
  size(start: number, end: number): number;
  /** The approximate end of a part of this size that begins at `start`. */
  guessEnd(start: number, size: number): number;
  /** The approximate start of a part of this size that ends at `end`. */
  guessStart(end: number, size: number): number;
  /**
   * The next position where a part may begin without changing the division of its text into pieces.
   */
  boundaryAfter(position: number): number;
}

export function characterRuler(): Ruler {
  return {
    unit: "characters",
    size: (start, end) => end - start,
    guessEnd: (start, size) => start + size,
    guessStart: (end, size) => end - size,
    boundaryAfter: (position) => position + 1,
  };
}

/**
 * Counts tokens of cl100k_base in parts of a text, which is read once. The count of a part is the
 * sum over its pieces; only the pieces at its edges, which the edges change, are counted again.
 * Runs of one kind longer than 512 characters are divided.
 */
export function tokenRuler(text: string, countPiece: CountPiece): Ruler {
  // the start of each piece, and the number of tokens before it; one more for the end
  // memory that is not written is not taken
  const starts = new Int32Array(text.length + 1);
  const before = new Int32Array(text.length + 1);
  let pieces = 0;
  let total = 0;
  for (let at = 0; at < text.length; pieces += 1) {
    starts[pieces] = at;
    before[pieces] = total;
    const end = endOfPretoken(text, at, text.length);
    total += countPiece(text.slice(at, end));
    at = end;
  }
  starts[pieces] = text.length;
  before[pieces] = total;

  const startOf = (piece: number) => starts[piece] ?? text.length;
  const tokensBefore = (piece: number) => before[piece] ?? total;
  /** The index of the piece that contains the position. */
  const pieceAt = (position: number) =>
    Math.min(lastNotAbove(starts, pieces + 1, position), pieces);

  const size = (start: number, end: number): number => {
    if (end <= start) return 0;
    // from here on the pieces of the part may differ from those of the text, because the part ends
    // there and the pattern of white space looks at the next character
    let tail = pieceAt(end - 1);
    while (tail > 0 && startOf(tail) > start && isSpaceAt(text, startOf(tail) - 1))
      tail -= 1;
    let count = 0;
    let at = start;
    let piece = pieceAt(start);
    while (at < end) {
      while (piece < tail && startOf(piece) < at) piece += 1;
      if (at < startOf(tail) && at === startOf(piece)) {
        count += tokensBefore(tail) - tokensBefore(piece);
        at = startOf(tail);
        continue;
      }
      const next = endOfPretoken(text, at, end);
      count += countPiece(text.slice(at, next));
      at = next;
    }
    return count;
  };

  return {
    unit: "tokens",
    size,
    guessEnd: (start, tokens) =>
      startOf(lastNotAbove(before, pieces + 1, tokensBefore(pieceAt(start)) + tokens)),
    guessStart: (end, tokens) =>
      startOf(
        lastNotAbove(before, pieces + 1, Math.max(0, tokensBefore(pieceAt(end)) - tokens)),
      ),
    boundaryAfter: (position) => startOf(pieceAt(position) + 1),
  };
}

/** The last index below `length` whose value is at most `value`, in a sorted array. */
function lastNotAbove(array: Int32Array, length: number, value: number): number {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((array[middle] ?? Infinity) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

const OTHER = 0;
const LETTER = 1;
const NUMBER = 2;
const SPACE = 3;
const LINE_END = 4;

/** Longer words are divided, because merging the byte pairs of a piece takes quadratic time. */
const MAX_WORD_CHARACTERS = 128;
const MAX_WIDE_WORD_CHARACTERS = 64;
/** The same for runs of spaces, or of one repeated sign. */
const MAX_SAME_CHARACTERS = 512;

/** The class of each UTF-16 unit of the basic multilingual plane, made on first use. */
let classes: Uint8Array | undefined;

/**
 * The end of the piece that begins at `at`: what the pattern of cl100k_base matches there, in the
 * text up to `end`. One pass without the regular expression. Source: openai/tiktoken `cl100k_base`,
 * as gpt-tokenizer states it.
 */
function endOfPretoken(text: string, at: number, end: number): number {
  const first = classAt(text, at);
  if (text.charCodeAt(at) === 39) {
    const contraction = contractionLength(text, at, end);
    if (contraction > 0) return at + contraction;
  }
  if (first === LETTER) return endOfRun(text, at, end, LETTER);
  const next = at + widthAt(text, at);
  if (
    first !== LINE_END &&
    first !== NUMBER &&
    next < end &&
    classAt(text, next) === LETTER
  )
    return endOfRun(text, next, end, LETTER);
  if (first === NUMBER) return endOfNumber(text, at, end);
  if (first === OTHER) return endOfMarks(text, at, end);
  if (text.charCodeAt(at) === 32 && next < end && classAt(text, next) === OTHER)
    return endOfMarks(text, next, end);
  return endOfSpace(text, at, end);
}

function isSpaceAt(text: string, at: number): boolean {
  const found = classAt(text, at);
  return found === SPACE || found === LINE_END;
}

function classAt(text: string, at: number): number {
  classes ??= makeClasses();
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit < 0xdc00 && widthAt(text, at) === 2)
    return classOf(text.slice(at, at + 2));
  return classes[unit] ?? OTHER;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function makeClasses(): Uint8Array {
  return Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    classOf(String.fromCharCode(unit)),
  );
}

function classOf(character: string): number {
  if (character === "\r" || character === "\n") return LINE_END;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{L}/u.test(character)) return LETTER;
  return /\p{N}/u.test(character) ? NUMBER : OTHER;
}

function endOfRun(text: string, from: number, end: number, wanted: number): number {
  const first = text.charCodeAt(from);
  const sameUntil = Math.min(end, from + MAX_SAME_CHARACTERS);
  const most = Math.min(
    end,
    from + (first > 0x7ff ? MAX_WIDE_WORD_CHARACTERS : MAX_WORD_CHARACTERS),
  );
  let at = from;
  while (at < sameUntil && text.charCodeAt(at) === first && first < 0xd800) at += 1;
  while (at < most && classAt(text, at) === wanted) at += widthAt(text, at);
  return Math.min(at, end);
}

function endOfNumber(text: string, from: number, end: number): number {
  let at = from;
  for (let digits = 0; digits < 3 && at < end && classAt(text, at) === NUMBER; digits += 1)
    at += widthAt(text, at);
  return Math.min(at, end);
}

function endOfMarks(text: string, from: number, end: number): number {
  let at = endOfRun(text, from, end, OTHER);
  const most = Math.min(end, from + MAX_SAME_CHARACTERS);
  while (at < most && classAt(text, at) === LINE_END) at += 1;
  return at;
}

/**
 * The end of a run of white space: after its last line end; without one, before its last character,
 * which belongs to the next piece.
 */
function endOfSpace(text: string, from: number, end: number): number {
  const most = Math.min(end, from + MAX_SAME_CHARACTERS);
  let at = from;
  let afterLine = from;
  while (at < most && isSpaceAt(text, at)) {
    if (classAt(text, at) === LINE_END) afterLine = at + 1;
    at += 1;
  }
  if (at === end || at === most) return at;
  if (afterLine > from) return afterLine;
  return at - from > 1 ? at - 1 : at;
}

function contractionLength(text: string, at: number, end: number): number {
  const first = at + 1 < end ? text.charCodeAt(at + 1) | 32 : 0;
  const second = at + 2 < end ? text.charCodeAt(at + 2) | 32 : 0;
  if (first > 127 || !isAsciiLetter(text.charCodeAt(at + 1))) return 0;
  const letter = String.fromCharCode(first);
  if ("sdmt".includes(letter)) return 2;
  if (!isAsciiLetter(text.charCodeAt(at + 2))) return 0;
  return ["ll", "ve", "re"].includes(letter + String.fromCharCode(second)) ? 3 : 0;
}

function isAsciiLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122 && unit < 128;
}
