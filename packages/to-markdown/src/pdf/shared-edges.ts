import { median } from "./geometry.ts";
import { segmentOf } from "./build-segments.ts";
import type { Segment } from "./layout.ts";

/** So many other lines begin a column at a place. */
const MIN_LINES = 2;
/** The space before it, in type sizes, … */
const GAP = 0.6;
/** … and times the usual space between words of the line. */
const WIDER = 2.5;

/**
 * Divides pieces where several other lines begin a column: a long cell may stand nearly as close to
 * the next one as words do.
 */
export function partAtEdges(pieces: readonly Segment[]): Segment[] {
  const baselines = new Map<number, Set<number>>();
  const lines = Map.groupBy(pieces, ({ baseline }) => Math.round(baseline));
  for (const [baseline, line] of lines) {
    const first = Math.min(...line.map(({ left }) => left));
    for (const { left } of line) {
      if (left === first) continue;
      for (const at of placesOf(left))
        baselines.set(at, (baselines.get(at) ?? new Set()).add(baseline));
    }
  }
  return pieces.flatMap((piece) => partOf(piece, baselines));
}

/** A place in whole points: edges less than a point apart share one. */
const placesOf = (left: number): number[] => [Math.floor(left), Math.ceil(left)];

function partOf(
  piece: Segment,
  baselines: ReadonlyMap<number, ReadonlySet<number>>,
): Segment[] {
  const words = piece.words.toSorted((a, b) => a.left - b.left);
  const gaps = words
    .slice(1)
    .map((word, at) => word.left - (words[at]?.right ?? word.left));
  const usual = median(gaps.filter((gap) => gap > 0));
  const at = words.findIndex((word, index) => {
    const gap = gaps[index - 1];
    if (gap === undefined || gap < Math.max(GAP * word.size, WIDER * usual)) return false;
    return placesOf(word.left).some((x) => (baselines.get(x)?.size ?? 0) >= MIN_LINES);
  });
  return at < 1 ? [piece] : [segmentOf(words.slice(0, at)), segmentOf(words.slice(at))];
}
