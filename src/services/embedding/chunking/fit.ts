import type { Ruler } from "./ruler.ts";

/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/** The sorted places where a text may be cut. `at(0)` is its start and `at(length - 1)` its end. */
export interface Cuts {
  length: number;
  at(index: number): number;
  /** Whether the text may be cut between any two characters. */
  everywhere?: boolean;
}

export interface Sizes {
  chunkSize: number;
  chunkOverlap: number;
}

/** The length of a chunk, and of the overlap with the chunk before it. */
export interface Measures {
  chunk(start: number, end: number): number;
  overlap(start: number, end: number): number;
}

/**
 * Joins adjacent pieces into chunks as large as the size permits. Each begins with the last pieces
 * of the chunk before, as many as fit into the overlap and leave room for the next piece. The
 * result is that of LangChain's `mergeSplits`, but by binary search instead of one attempt per
 * piece.
 */
export function mergePieces(
  cuts: Cuts,
  { chunkSize, chunkOverlap }: Sizes,
  measures: Measures,
  ruler: Ruler,
): Span[] {
  const last = cuts.length - 1;
  const chunks: Span[] = [];
  let from = 0;
  while (from < last) {
    const to = lastFit(cuts, from, chunkSize, measures, ruler);
    chunks.push({ start: cuts.at(from), end: cuts.at(to) });
    if (to === last) break;
    from = overlapStart(cuts, from, to, { chunkSize, chunkOverlap }, measures, ruler);
  }
  return chunks;
}

/** The last cut up to which the chunk fits; at least the next cut. */
function lastFit(
  cuts: Cuts,
  from: number,
  size: number,
  measures: Measures,
  ruler: Ruler,
): number {
  const start = cuts.at(from);
  const last = cuts.length - 1;
  const fits = (to: number) => to <= from + 1 || measures.chunk(start, cuts.at(to)) <= size;
  return largest(
    clamp(indexAt(cuts, ruler.guessEnd(start, size)), from + 1, last),
    from + 1,
    last,
    fits,
  );
}

/** The first cut from which the overlap fits together with the next piece. */
function overlapStart(
  cuts: Cuts,
  from: number,
  to: number,
  sizes: Sizes,
  measures: Measures,
  ruler: Ruler,
): number {
  if (sizes.chunkOverlap === 0) return to;
  const end = cuts.at(to);
  if (cuts.everywhere && ruler.unit === "tokens") {
    // a start inside a piece would make each attempt count everything again
    const fits = (start: number) =>
      measures.overlap(start, end) <= sizes.chunkOverlap &&
      measures.chunk(start, cuts.at(to + 1)) <= sizes.chunkSize;
    let start = ruler.guessStart(end, sizes.chunkOverlap);
    if (start <= cuts.at(from)) start = ruler.boundaryAfter(cuts.at(from));
    while (start < end && !fits(start)) start = ruler.boundaryAfter(start);
    return start < end ? indexAt(cuts, start) : to;
  }
  const fits = (back: number) => {
    const start = cuts.at(to - back);
    return (
      back === 0 ||
      (measures.overlap(start, end) <= sizes.chunkOverlap &&
        measures.chunk(start, cuts.at(to + 1)) <= sizes.chunkSize)
    );
  };
  const most = to - from - 1;
  return (
    to -
    largest(
      clamp(to - indexAt(cuts, ruler.guessStart(end, sizes.chunkOverlap)), 0, most),
      0,
      most,
      fits,
    )
  );
}

/**
 * The largest number from `least` to `most` that fits, searched near a guess. `least` always fits.
 */
function largest(
  guess: number,
  least: number,
  most: number,
  fits: (value: number) => boolean,
): number {
  let low = least;
  let high = most + 1;
  let step = 1;
  if (fits(guess)) {
    low = guess;
    while (low + step < high) {
      if (fits(low + step)) low += step;
      else high = low + step;
      if (high <= most) break;
      step *= 2;
      if (low + step > most) step = Math.max(1, most - low);
      if (low === most) return low;
    }
  } else {
    high = guess;
    while (high - step > least) {
      if (!fits(high - step)) high -= step;
      else {
        low = high - step;
        break;
      }
      step *= 2;
    }
  }
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The last cut that is not after a position. */
function indexAt(cuts: Cuts, position: number): number {
  let low = 0;
  let high = cuts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cuts.at(middle) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** A part without the white space at both ends, like `String.trim` but with positions. */
export function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text, from)) from += 1;
  while (to > from && isSpace(text, to - 1)) to -= 1;
  return { start: from, end: to };
}

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit >= 160 && /\s/.test(text.charAt(at));
}
