import { median, overlapX } from "./geometry.ts";
import type { Segment } from "./layout.ts";

/** The maximum difference in ems between the baselines of pieces of one line. */
const LEVEL = 0.3;
/** The maximum distance in ems between the lines of a cell. */
const ROW_STEP = 1.45;
/** The same as a share of the distance between rows. */
const NEARER = 0.85;
/** Two lines with this many cells below each other are two rows, however close they are. */
const MANY = 3;

/** A piece at a smaller distance from a line, in ems, is between that line and another. */
const BETWEEN = 0.9;
/** … or in the middle of two rows, which stand no farther apart than others, within this share. */
const MIDDLE = 0.12;

/**
 * Divides bands into rows. A label that is vertically between two rows is in the first of them.
 * @param whole bands that stay as they are, and part those above from those below
 */
export function rowsIn(
  bands: readonly Segment[][],
  whole: ReadonlySet<readonly Segment[]> = new Set(),
): Segment[][] {
  const rows: Segment[][] = [];
  let open: Segment[][] = [];
  for (const band of bands) {
    if (!whole.has(band)) {
      open.push(band);
      continue;
    }
    rows.push(...rowsBetween(open), band);
    open = [];
  }
  return [...rows, ...rowsBetween(open)];
}

function rowsBetween(bands: readonly Segment[][]): Segment[][] {
  const rows: Segment[][] = [];
  const all = bands.flatMap((band, at) => splitBand(band, stepBeside(bands, at)));
  const usual = usualStep(all);
  for (const [at, band] of all.entries()) {
    const [before, only, next] = [rows.at(-1), band[0], all[at + 1]];
    if (band.length === 1 && before && only && next && isBetween(only, before, next, usual))
      before.push(only);
    else rows.push([...band]);
  }
  return rows;
}

/** The distance of most bands that hold several pieces. */
function usualStep(bands: readonly Segment[][]): number {
  const rows = bands.filter((band) => band.length > 1);
  const steps = rows.slice(1).map(([first], at) => {
    const above = rows[at]?.[0];
    return first && above ? first.baseline - above.baseline : 0;
  });
  return median(steps);
}

/** Whether a name stands between two rows that it covers. */
function isBetween(
  name: Segment,
  [above]: readonly Segment[],
  next: readonly Segment[],
  usual: number,
): boolean {
  const [below] = next;
  if (!above || !below) return false;
  const [over, under] = [name.baseline - above.baseline, below.baseline - name.baseline];
  if (Math.max(over, under) < BETWEEN * name.size) return true;
  const isMiddle = Math.abs(over - under) < MIDDLE * (over + under);
  return isMiddle && next.length > 1 && over + under < usual * (1 + MIDDLE);
}

/**
 * Divides a band into its rows: a label that covers two rows makes one band of them. Single pieces
 * between rows belong to the row above.
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

/** The smaller distance from a band to its neighbours. */
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

/** Whether two lines with several pieces each belong to two rows. */
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
  // a name that spans several columns is above the name of each
  const covered = above.every((piece) => below.some((other) => overlapX(piece, other) > 0));
  return covered && below.length > above.length;
}
