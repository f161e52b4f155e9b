import { stepBetween } from "./band-rows.ts";
import {
  around,
  type Box,
  type Gap,
  gapsOf,
  intersect,
  median,
  middleX,
  middleY,
} from "./geometry.ts";
import { type Segment, textOf } from "./layout.ts";
import { isOutsideRows } from "./outside-rows.ts";
import type { Rule } from "./page-content.ts";
import { COLUMN_GAP as GAP } from "./row-pieces.ts";

/** The maximum distance in ems between rows without a line between them. */
const MAX_ROW_STEP = 2.6;
/** The same for rows of three cells or more. */
const MAX_FULL_ROW_STEP = 3.6;
/** The same for rows with a line between them. */
const MAX_RULED_ROW_STEP = 5;
/**
 * A row's font is at most this many times larger than that of the row above. A larger one is a
 * heading's.
 */
const LARGER = 1.08;
/** Rows with remarks below them have at least so many cells. */
const MIN_CELLS = 3;
/**
 * A single piece whose distance to the row above is this many times the usual one follows the
 * table.
 */
const FARTHER = 1.45;
/** The left edges of a column differ by at most these points. */
export const SAME_EDGE = 1.5;
/** So many values show that a row goes on with the columns of another. */
const MIN_VALUES = 4;
const NUMBER = /^(?:[-−–+($€£]*\p{N}[\p{N}.,%)]*|[-–—*])$/u;
/** The lines of a name of a column stand no farther from each other, in ems. */
const NAME_STEP = 1.4;
/** The number of previous rows that predict the next one. */
const MAX_LOOK_BACK = 12;

/** The pieces of text of one line. */
export type Band = Segment[];

/**
 * Runs of neighbouring bands with a common gap, each from a band with several pieces to the last
 * one that may be a row.
 */
export function runsOf(bands: readonly Band[], levels: readonly Rule[]): Band[][] {
  const runs: Band[][] = [];
  let open: Band[] = [];
  let free: Gap[] = [];
  let before: Band | undefined;
  const flush = () => {
    while (open.length > 0 && !isRow(open.at(-1) ?? [], open)) open.pop();
    if (open.length > 1) runs.push(open);
    open = [];
  };
  for (const [at, band] of bands.entries()) {
    if (isOutsideRows(band, [bands[at - 1], bands[at + 1]])) {
      flush();
      before = undefined;
      continue;
    }
    const common = open.length === 0 ? gapsOf(band) : intersect(free, gapsOf(band));
    const isPart = open.length > 0 && isPartName(open, band, bands[at + 1]);
    const goesOn =
      open.length > 0 &&
      (isPart || follows(open, band, levels)) &&
      inner(common, [...open.slice(-MAX_LOOK_BACK), band]).length > 0;
    if (!goesOn) flush();
    if (goesOn || isApart(band)) {
      free = goesOn ? common : gapsOf(band);
      // the first line of a cell whose neighbours are set around its middle
      const isFirst =
        before && (isBesideLine(before, band) || isNameOver(before, band, levels));
      if (open.length === 0 && before && isFirst) open.push(before);
      open.push(band);
    }
    before = band;
  }
  flush();
  return runs;
}

/** Whether a line is the first of a name that goes on in a band, under the line of a table. */
function isNameOver(above: Band, below: Band, levels: readonly Rule[]): boolean {
  const [name] = above;
  const [first, ...others] = below.toSorted((a, b) => a.left - b.left);
  if (!name || !first || above.length > 1 || name.left < first.right) return false;
  const isUnder = levels.some(
    ({ at, from, to }) =>
      at <= name.top + SAME_EDGE &&
      at > name.top - name.size &&
      from < first.right &&
      to > name.right,
  );
  return (
    isUnder &&
    stepBetween(above, below) < NAME_STEP * name.size &&
    others.some(
      (piece) => areLevel(name.left, piece.left) || areLevel(name.right, piece.right),
    )
  );
}

const areLevel = (one: number, other: number): boolean => Math.abs(one - other) < SAME_EDGE;

/** Whether two bands stand nearer to each other than lines of one text do. */
function isBesideLine(above: Band, below: Band): boolean {
  const [upper, lower] = [above[0], below[0]];
  if (!upper || !lower || Math.abs(upper.size - lower.size) > 0.5) return false;
  return lower.baseline - Math.max(...above.map(({ baseline }) => baseline)) < lower.size;
}

/**
 * Whether the last band of a run is a row of it, or a line that continues a later column. Otherwise
 * it follows the table.
 */
function isRow(last: Band, run: readonly Band[]): boolean {
  const before = run.at(-2);
  if (isApart(last) || (before && isBesideLine(before, last))) return true;
  const others = run
    .slice(-MAX_LOOK_BACK)
    .filter((band) => band.length > 1)
    .flat();
  const left = Math.min(...others.map((piece) => piece.left));
  return last.every(
    (piece) =>
      piece.left > left + 2 * piece.size &&
      others.some((other) => areAligned(piece, other)),
  );
}

function areAligned(a: Box, b: Box): boolean {
  const near = (one: number, other: number) => Math.abs(one - other) < 3;
  return near(a.left, b.left) || near(a.right, b.right) || near(middleX(a), middleX(b));
}

/** Whether a band has several pieces side by side. */
function isApart(band: Band): boolean {
  return inner(gapsOf(band), [band]).length > 0;
}

function inner(gaps: readonly Gap[], bands: readonly Band[]): Gap[] {
  const size = bands[0]?.[0]?.size ?? 10;
  const { left, right } = around(bands.flat());
  return gaps.filter(
    (gap) => gap.from > left && gap.to < right && gap.to - gap.from >= GAP * size,
  );
}

/** Whether a band may be the next row of a run. */
export function follows(
  open: readonly Band[],
  band: Band,
  levels: readonly Rule[],
): boolean {
  const before = open.at(-1) ?? [];
  const size = Math.max(...before.map((piece) => piece.size), 1);
  const [above, below] = [around(before), around(band)];
  const step = stepBetween(before, band);
  const parted = levels.some(
    ({ at, from, to }) =>
      at > middleY(above) && at < middleY(below) && from < below.right && to > below.left,
  );
  const farthest = band.length > 2 && widest(open) > 2 ? MAX_FULL_ROW_STEP : MAX_ROW_STEP;
  if (step > (parted ? MAX_RULED_ROW_STEP : farthest) * size) return false;
  // a remark in smaller type may stand between two rows
  const row = open.at(-2) ?? [];
  const isBelow = Math.min(row.length, band.length) >= MIN_CELLS && isRemark(before, [row]);
  const largest = isBelow ? (row[0]?.size ?? size) : size;
  if (!band.every((piece) => piece.size <= largest * LARGER)) return false;
  if (band.length > 1 || open.length < 2) return true;
  return !leadsOn(open, band, step);
}

/**
 * Whether a line in the first column names a part of a table that goes on below it: the values of
 * the next row stand exactly under those of a row before.
 */
function isPartName(
  open: readonly Band[],
  [name, ...others]: Band,
  next: Band = [],
): boolean {
  const rows = open.slice(-MAX_LOOK_BACK).filter((row) => row.length >= MIN_VALUES);
  const [first, ...values] = next.toSorted((a, b) => a.left - b.left);
  const above = rows.at(-1)?.toSorted((a, b) => a.left - b.left)[0];
  if (!name || !first || !above || others.length > 0 || next.length < MIN_VALUES)
    return false;
  const size = above.size;
  const isNear =
    stepBetween(open.at(-1) ?? [], [name]) < MAX_FULL_ROW_STEP * size &&
    stepBetween([name], next) < MAX_ROW_STEP * size;
  const cells = rows.flat();
  return (
    isNear &&
    name.size <= size * LARGER &&
    name.left < above.left + size &&
    name.left <= first.left + SAME_EDGE &&
    values.every(
      (value) =>
        NUMBER.test(textOf(value)) &&
        cells.some(({ right }) => areLevel(right, value.right)),
    )
  );
}

/** The largest number of cells in one of the last rows. */
const widest = (rows: readonly Band[]): number =>
  Math.max(...rows.slice(-MAX_LOOK_BACK).map((row) => row.length));

/** Whether a single piece in the first column is a heading or the line after the table. */
function leadsOn(open: readonly Band[], [piece]: Band, step: number): boolean {
  const left = Math.min(...open.flat().map((each) => each.left));
  if (!piece || piece.left > left + piece.size) return false;
  const steps = open.slice(1).map((band, at) => stepBetween(open[at] ?? [], band));
  const bold = (band: Band) =>
    band.every(({ words }) => words.every(({ style }) => style.bold));
  const stands = bold([piece]) && !bold(open.at(-1) ?? []);
  return step > median(steps) * (stands ? 1.15 : FARTHER);
}

/** Whether a line is one text in smaller type, which begins below a cell of a row. */
export function isRemark(line: Band, rows: readonly Band[]): boolean {
  const [text] = line;
  const cells = rows.flat();
  return (
    text !== undefined &&
    line.length === 1 &&
    cells.every(({ size }) => size > text.size * LARGER) &&
    cells.some(({ left }) => Math.abs(left - text.left) < SAME_EDGE)
  );
}
