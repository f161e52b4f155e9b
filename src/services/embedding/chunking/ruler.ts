import type { CountPiece } from "./byte-pairs.ts";
import { endOfPretoken, isSpaceAt } from "./pretoken.ts";

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
