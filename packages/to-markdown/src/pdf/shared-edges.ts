import { median } from "./geometry.ts";
import { segmentOf } from "./build-segments.ts";
import { COLUMN_GAP } from "./row-pieces.ts";
import type { Segment } from "./layout.ts";

/** So many other lines begin a column at a place. */
const MIN_LINES = 2;
/** The space before it, in type sizes, … */
const GAP = 0.6;
/** … and times the usual space between words of the line. */
const WIDER = 2.5;
/** A line has so many pieces below names that nothing parts, … */
const MIN_PIECES = 3;
/** … which begin within these points of them, … */
const SAME = 0.75;
/** … and is no farther away, in type sizes. */
const MAX_STEP = 2.2;
/** Columns have this space between them, in type sizes, and a little for rounding. */
const APART = COLUMN_GAP + 0.2;

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
  const inOrder = [...lines.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, line]) => line);
  const names = new Map(
    inOrder.flatMap((line, at) => {
      const parts = namesOver(line, inOrder[at + 1] ?? []);
      return parts ? [[line[0], parts] as const] : [];
    }),
  );
  return pieces.flatMap((piece) => names.get(piece) ?? partOf(piece, baselines));
}

/**
 * The names of columns in a line of bold words that nothing parts: one begins exactly where each
 * piece of the line below does.
 */
function namesOver(
  [piece, ...others]: readonly Segment[],
  below: readonly Segment[],
): Segment[] | undefined {
  if (!piece || others.length > 0 || below.length < MIN_PIECES) return undefined;
  if (!piece.words.every(({ style }) => style.bold)) return undefined;
  const lefts = below.map(({ left }) => left).toSorted((a, b) => a - b);
  const words = piece.words.toSorted((a, b) => a.left - b.left);
  const starts = lefts.map((left) =>
    words.findIndex((word) => Math.abs(word.left - left) < SAME),
  );
  const [first] = below;
  const isNear = first && first.baseline - piece.baseline < MAX_STEP * piece.size;
  if (!isNear || starts[0] !== 0 || starts.includes(-1)) return undefined;
  if (new Set(starts).size < starts.length) return undefined;
  const names = starts.map((from, at) => segmentOf(words.slice(from, starts[at + 1])));
  // as far from each other as columns are
  for (const [at, name] of names.entries())
    name.right = Math.min(name.right, (lefts[at + 1] ?? Infinity) - APART * name.size);
  return names;
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
