import { bandsOf, type Gap, gapsOf, intersect } from "./bands.ts";
import { groupsOf, rowsOfGroups } from "./band-rows.ts";
import { around } from "./geometry.ts";
import { type Segment, type Table, textOf, type Word } from "./layout.ts";
import { columnsOfProse } from "./order-regions.ts";
import { tableFrom } from "./table-cells.ts";
import { columnsBetween } from "./table-columns.ts";

/** Bands of a table without rules stand no farther apart, in type sizes. */
const FARTHEST_ROW = 2.6;
/** The gap between two columns, at least, in type sizes. */
const GAP = 0.7;
/** Type of a row is at most so much larger than that of the row above: a heading is no row. */
const LARGER = 1.15;
/**
 * A column of text has longer lines than cells: one column, at least, is short, and so are most
 * cells of few columns.
 */
const SHORT_CELL = 24;
const MAX_SHORT_PAIR_CHARACTERS = 32;
/** Cells of which rows are not told apart by more space hold no running text. */
const MAX_LINE_CHARACTERS = 32;
const MIN_ROWS = 3;
/** Points that lead from a title to its page. */
const LEADERS = /\.{4,}|(\. ){4,}/;

type Band = Segment[];

/**
 * Tables that nothing but the places of their words tells: bands of pieces with gaps in common.
 * Page columns of text are looked at one by one.
 */
export function alignedTables(segments: readonly Segment[]): Table[] {
  return columnsOfProse(segments).flatMap((column) =>
    runsOf(bandsOf(column)).flatMap((run) => tableOf(run) ?? []),
  );
}

/**
 * Neighbouring bands that have a gap between pieces in common, from one with several pieces to the
 * last that may be a row.
 */
function runsOf(bands: readonly Band[]): Band[][] {
  const runs: Band[][] = [];
  let open: Band[] = [];
  let free: Gap[] = [];
  const flush = () => {
    while (open.length > 0 && !isRow(open.at(-1) ?? [], open)) open.pop();
    if (open.length > 1) runs.push(open);
    open = [];
  };
  for (const band of bands) {
    const common = open.length === 0 ? gapsOf(band) : intersect(free, gapsOf(band));
    const goesOn =
      open.length > 0 && follows(open, band) && inner(common, [...open, band]).length > 0;
    if (!goesOn) flush();
    if (goesOn || isApart(band)) {
      free = goesOn ? common : gapsOf(band);
      open.push(band);
    }
  }
  flush();
  return runs;
}

/**
 * Whether the last of a run is a row of it, or the line that goes on in a later column; else it is
 * what follows the table.
 */
function isRow(last: Band, run: readonly Band[]): boolean {
  if (isApart(last)) return true;
  const left = Math.min(...run.flat().map((piece) => piece.left));
  return last.every((piece) => piece.left > left + 2 * piece.size);
}

/** Several pieces beside each other. */
function isApart(band: Band): boolean {
  return inner(gapsOf(band), [band]).length > 0;
}

function inner(gaps: readonly Gap[], bands: readonly Band[]): Gap[] {
  const size = bands[0]?.[0]?.size ?? 10;
  const { left, right } = around(bands.flat());
  return gaps.filter((gap) => gap.from > left && gap.to < right && gap.to - gap.from >= GAP * size);
}

function follows(open: readonly Band[], band: Band): boolean {
  const before = open.at(-1) ?? [];
  const size = Math.max(...before.map((piece) => piece.size), 1);
  const step =
    Math.min(...band.map(({ baseline }) => baseline)) -
    Math.max(...before.map(({ baseline }) => baseline));
  return step <= FARTHEST_ROW * size && band.every((piece) => piece.size <= size * LARGER);
}

function tableOf(bands: readonly Band[]): Table | undefined {
  const pieces = bands.flat();
  const box = around(pieces);
  const starts = columnsBetween(bands, box);
  const code = pieces.filter(({ words }) => words.every(({ style }) => style.mono));
  if (starts.length < 2 || code.length > pieces.length * 0.7) return undefined;
  const groups = groupsOf(bands);
  const spaced = groups.length < bands.length;
  if (pieces.some((piece) => LEADERS.test(textOf(piece))) || !areCells(pieces, starts, spaced))
    return undefined;
  const rows = rowsOfGroups(groups, starts);
  // pieces that stand beside each other by chance fall into few columns
  const used = starts.filter(
    (_, at) => rows.filter((row) => (row[at]?.length ?? 0) > 0).length > 1,
  ).length;
  const columns = used < 2 ? starts.length : used;
  const whole = rows.filter((row) => filledIn(row) >= Math.min(columns, Math.max(2, columns - 1)));
  const enough = headed(rows) && starts.length > 2 ? MIN_ROWS - 1 : MIN_ROWS;
  if (whole.length < Math.max(enough, rows.length * 0.5)) return undefined;
  return tableFrom(box, rows, starts);
}

const filledIn = (row: readonly Word[][]): number => row.filter((cell) => cell.length > 0).length;

function areCells(pieces: readonly Segment[], starts: readonly number[], spaced: boolean): boolean {
  const means = starts.map((start, at) => {
    const lengths = pieces
      .filter(({ left }) => left >= start - 1 && left < (starts[at + 1] ?? Infinity) - 1)
      .map((piece) => textOf(piece).length);
    return lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1);
  });
  const mean = means.reduce((sum, length) => sum + length, 0) / means.length;
  if (!spaced && Math.max(...means) > MAX_LINE_CHARACTERS) return false;
  return (
    Math.min(...means) <= SHORT_CELL && (starts.length > 2 || mean <= MAX_SHORT_PAIR_CHARACTERS)
  );
}

/** Whether the first row is set to stand out from the others. */
function headed([first = [], ...others]: Word[][][]): boolean {
  const bold = (row: Word[][]) => row.flat().every((word) => word.style.bold);
  return bold(first) && !others.some(bold);
}
