import { overlapX } from "./geometry.ts";
import type { Segment } from "./layout.ts";

/** Pieces on one baseline, in type sizes. */
const LEVEL = 0.3;
/** Lines of a cell stand nearer to each other, in type sizes. */
const ROW_STEP = 1.45;
/** Lines of a cell stand nearer to each other than rows do. */
const NEARER = 0.85;
/** So many cells under each other on two lines are of two rows, however near they stand. */
const MANY = 3;

/** What stands nearer to a line, in type sizes, stands between it and another. */
const BETWEEN = 0.9;

/** The rows that bands hold, with names that stand between two rows in the first of them. */
export function rowsIn(bands: readonly Segment[][]): Segment[][] {
  const rows: Segment[][] = [];
  const all = bands.flatMap((band, at) => splitBand(band, stepBeside(bands, at)));
  for (const [at, band] of all.entries()) {
    const [before, only, next] = [rows.at(-1), band[0], all[at + 1]?.[0]];
    const near = BETWEEN * (only?.size ?? 0);
    const between =
      band.length === 1 &&
      before?.[0] &&
      only &&
      next &&
      only.baseline - before[0].baseline < near &&
      next.baseline - only.baseline < near;
    if (before && between) before.push(only);
    else rows.push([...band]);
  }
  return rows;
}

/**
 * A band as the rows that it holds: a name set between two rows that it covers makes one band of
 * them. What stands alone between rows goes with the one above.
 */
function splitBand(band: readonly Segment[], outer: number): Segment[][] {
  const lines = linesOf(band);
  const rows: Segment[][] = [];
  let last: Segment[] | undefined;
  for (const line of lines) {
    const isNew =
      line.length > 1 &&
      (last === undefined ? rows.length === 0 : areRows(last, line, outer));
    const open = rows.at(-1);
    if (open && !isNew) open.push(...line);
    else rows.push([...line]);
    if (line.length > 1 && (isNew || last === undefined)) last = line;
  }
  return rows;
}

/** The smaller distance from a band to those above and below it. */
function stepBeside(bands: readonly Segment[][], at: number): number {
  const [band = [], before, next] = [bands[at], bands[at - 1], bands[at + 1]];
  const first = (of: readonly Segment[]) => Math.min(...of.map(({ baseline }) => baseline));
  const last = (of: readonly Segment[]) => Math.max(...of.map(({ baseline }) => baseline));
  return Math.min(
    before ? first(band) - last(before) : Infinity,
    next ? first(next) - last(band) : Infinity,
  );
}

function linesOf(band: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = [];
  for (const piece of band.toSorted((a, b) => a.baseline - b.baseline)) {
    const line = lines.at(-1);
    const first = line?.[0];
    if (line && first && piece.baseline - first.baseline <= LEVEL * first.size)
      line.push(piece);
    else lines.push([piece]);
  }
  return lines;
}

/** Whether two lines with several pieces each are of two rows. */
function areRows(
  above: readonly Segment[],
  below: readonly Segment[],
  outer: number,
): boolean {
  const [first, second] = [above[0], below[0]];
  if (!first || !second) return false;
  const shared = below.filter((piece) =>
    above.some((other) => overlapX(piece, other) > 0),
  ).length;
  const step = second.baseline - first.baseline;
  if (step < outer * NEARER) return false;
  if (shared >= MANY || (shared > 1 && step >= ROW_STEP * first.size)) return true;
  // names over several columns stand over the names of each
  const covered = above.every((piece) => below.some((other) => overlapX(piece, other) > 0));
  return covered && below.length > above.length;
}
