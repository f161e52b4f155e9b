import type { CountPiece } from "./byte-pairs.ts";
import { endOfPretoken, isSpaceAt } from "./pretoken.ts";

/** Measures parts of one text. */
export interface Ruler {
  unit: "tokens" | "characters";
  /** How long a part is: exact. */
  size(start: number, end: number): number;
  /** About where a part of this size ends that begins at `start`. */
  guessEnd(start: number, size: number): number;
  /** About where a part of this size begins that ends at `end`. */
  guessStart(end: number, size: number): number;
  /**
   * The next place where a part may begin without its pieces coming out otherwise than in the text.
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
 * Counts tokens of cl100k_base in parts of a text that it reads once. A part is the sum of its
 * pieces; only those at its edges, which the edge changes, are counted again. Runs of one kind that
 * are longer than 512 characters are counted in pieces.
 */
export function tokenRuler(text: string, countPiece: CountPiece): Ruler {
  // where each piece begins, and how many tokens come before it; one more for the end
  let starts = new Int32Array(text.length / 3 + 16);
  let before = new Int32Array(starts.length);
  let pieces = 0;
  let total = 0;
  for (let at = 0; at < text.length; pieces += 1) {
    if (pieces + 1 >= starts.length) [starts, before] = [grown(starts), grown(before)];
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
  /** The piece that holds the position. */
  const pieceAt = (position: number) =>
    Math.min(lastNotAbove(starts, pieces + 1, position), pieces);

  const size = (start: number, end: number): number => {
    if (end <= start) return 0;
    // pieces from here on may come out otherwise in the part than in the text: it ends there, and
    // spaces look at what follows
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

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** The last index below `length` whose value is not above `value`, in an array that rises. */
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
