import { around, type Box, height, median, middleY } from "./geometry.ts";
import { type Segment, textOf, type Word } from "./layout.ts";

/** The lines of one cell stand no farther from each other than this, in type sizes, … */
const LEADING = 1.6;
/** … and their distances differ by at most this share. Rows stand farther apart. */
const SAME_STEP = 1.1;
/** Distances below this, in type sizes, are those of one line. */
const LEVEL = 0.3;
/** Two cells are beside each other where the smaller one shares this much of its height. */
const BESIDE = 0.3;
/** A name in the middle of rows is no farther from it, in type sizes. */
const OFF = 0.4;
const NUMBER = /^[-−–+($€£]*\p{N}[\p{N}.,%)]*$/u;

interface Cell extends Box {
  column: number;
  lines: Segment[][];
}

/**
 * Divides a table without lines into rows by its cells: the lines of one column that stand as near
 * to each other as lines of text are one cell, wherever the lines of the cells beside it are. The
 * column with the most cells shows the rows. A cell beside several of them is in the first.
 * @returns undefined where no cell has several lines, or cells do not stand beside each other
 */
export function rowsOfCells(
  pieces: readonly Segment[],
  starts: readonly number[],
): Word[][][] | undefined {
  const columns = starts.map((_, at) =>
    linesOf(pieces.filter((piece) => columnOf(piece, starts) === at)),
  );
  const leading = leadingOf(columns);
  if (leading === undefined) return undefined;
  const cells = columns.map((lines, column) => cellsOf(lines, column, leading));
  if (!cells.flat().some(({ lines }) => lines.length > 1)) return undefined;
  if (cells.flat().some(areRows)) return undefined;
  const rows = rowsOf(cells);
  if (!rows?.every((row, at) => areAligned(row, at === 0))) return undefined;
  return withNames(rows)?.map((row) =>
    starts.map((_, column) =>
      row.flatMap((cell) => (cell.column === column ? wordsOf(cell) : [])),
    ),
  );
}

const wordsOf = ({ lines }: Cell): Word[] => lines.flat().flatMap(({ words }) => words);

const columnOf = ({ left }: Segment, starts: readonly number[]): number =>
  Math.max(
    0,
    starts.findLastIndex((start) => start <= left + 1),
  );

/** The pieces of a column, line by line. */
export function linesOf(pieces: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.baseline - b.baseline)) {
    const open = lines.at(-1);
    const [first] = open ?? [];
    if (open && first && piece.baseline - first.baseline <= LEVEL * first.size)
      open.push(piece);
    else lines.push([piece]);
  }
  return lines;
}

const stepOf = ([above]: readonly Segment[], [below]: readonly Segment[]): number =>
  (below?.baseline ?? 0) - (above?.baseline ?? 0);

/** The smallest distance between lines of a column, if it is one between lines of text. */
function leadingOf(columns: readonly Segment[][][]): number | undefined {
  const steps = columns.flatMap((lines) =>
    lines.slice(1).map((line, at) => stepOf(lines[at] ?? [], line)),
  );
  const size = median(
    columns.flat(2).map((piece) => piece.size),
    10,
  );
  const least = Math.min(...steps);
  const isOfText = least <= LEADING * size;
  const some = steps.filter((step) => step > least * SAME_STEP).length;
  return isOfText && some > 0 ? least : undefined;
}

function cellsOf(lines: readonly Segment[][], column: number, leading: number): Cell[] {
  const cells: Cell[] = [];
  for (const [at, line] of lines.entries()) {
    const open = cells.at(-1);
    const before = lines[at - 1];
    const goesOn =
      open &&
      before &&
      stepOf(before, line) <= leading * SAME_STEP &&
      isBold(before) === isBold(line);
    if (open && goesOn) {
      open.lines.push(line);
      Object.assign(open, around(open.lines.flat()));
    } else cells.push({ column, lines: [line], ...around(line) });
  }
  return cells;
}

const isBold = (line: readonly Segment[]): boolean =>
  line.every(({ words }) => words.every(({ style }) => style.bold));

/** Whether lines of a cell are numbers, each of a row of its own. */
const areRows = ({ lines }: Cell): boolean =>
  lines.filter((line) => line.every((piece) => NUMBER.test(textOf(piece)))).length > 1;

/** The cells of each row; undefined where two of one column would share a row. */
function rowsOf(cells: readonly Cell[][]): Cell[][] | undefined {
  const most = Math.max(...cells.map((column) => column.length));
  const shown = cells.find((column) => column.length === most) ?? [];
  const rows = shown.map((cell) => [cell]);
  for (const cell of cells.flat()) {
    if (shown.includes(cell)) continue;
    const row = rows.find((others) => others.some((other) => areBeside(cell, other)));
    if (!row) rows.push([cell]);
    else if (row.some(({ column }) => column === cell.column)) return undefined;
    else row.push(cell);
  }
  return rows.toSorted((a, b) => topOf(a) - topOf(b));
}

/**
 * The rows with the names of the first column, each beside one row, or in the middle of several and
 * then in the first of them; undefined where other rows are left.
 */
function withNames(rows: readonly Cell[][]): Cell[][] | undefined {
  const named: Cell[][] = [];
  let from = 0;
  while (from < rows.length) {
    const at = rows.findIndex((row, index) => index >= from && nameOf(row) !== undefined);
    const name = nameOf(rows[at] ?? []);
    if (!name) return undefined;
    const next = rows.findIndex((row, index) => index > at && nameOf(row) !== undefined);
    const to = lastUnder(name, rows.slice(0, next < 0 ? rows.length : next), { from, at });
    if (to === undefined) return undefined;
    const others = rows
      .slice(from, to + 1)
      .map((row) => row.filter((cell) => cell !== name));
    const [first = [], ...more] = others.filter((row) => row.length > 0);
    named.push([name, ...first], ...more);
    from = to + 1;
  }
  return named;
}

/** The last row of those in whose middle a name stands, or the row that it is beside. */
function lastUnder(
  name: Cell,
  rows: readonly Cell[][],
  { from, at }: { from: number; at: number },
): number | undefined {
  const size = name.lines[0]?.[0]?.size ?? 10;
  for (let to = rows.length - 1; to >= at; to -= 1) {
    if (to === from) return to;
    const cells = rows
      .slice(from, to + 1)
      .flatMap((row) => row.filter((cell) => cell !== name));
    if (Math.abs(middleY(around(cells)) - middleY(name)) < OFF * size) return to;
  }
  return undefined;
}

const nameOf = (row: readonly Cell[]): Cell | undefined =>
  row.find(({ column }) => column === 0);

/**
 * Whether the cells of a row begin at one height or have one middle; those of the first row may end
 * at one height.
 */
function areAligned(row: readonly Cell[], isHead: boolean): boolean {
  const [tallest] = row.toSorted((a, b) => height(b) - height(a));
  const size = tallest?.lines[0]?.[0]?.size ?? 10;
  const isLevel = (one: number, other: number) => Math.abs(one - other) < OFF * size;
  return row.every(
    (cell) =>
      tallest === undefined ||
      isLevel(cell.top, tallest.top) ||
      isLevel(middleY(cell), middleY(tallest)) ||
      (isHead && isLevel(cell.bottom, tallest.bottom)),
  );
}

const topOf = (row: readonly Cell[]): number => Math.min(...row.map(({ top }) => top));

const areBeside = (one: Cell, other: Cell): boolean =>
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) >
  BESIDE * Math.min(one.bottom - one.top, other.bottom - other.top);
