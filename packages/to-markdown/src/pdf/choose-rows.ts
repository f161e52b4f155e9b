import {
  CLOSE_ROW_GAP,
  groupsOf,
  isFarther,
  LOOSE_LEADING,
  rowsOfGroups,
  stepBetween,
  stepsOf,
} from "./band-rows.ts";
import { linesOfWords, segmentOf } from "./build-segments.ts";
import { rowsOfCells } from "./cell-rows.ts";
import { areNumbers } from "./grid-rows.ts";
import { median, middleY, width } from "./geometry.ts";
import { withNamesAbove } from "./name-lines.ts";
import { type Segment, textOf, type Word } from "./layout.ts";

type Band = readonly Segment[];
type Rows = Word[][][];

/**
 * A band that fills a larger share of the columns than this is a row. Lines of cells fill fewer.
 */
const FULL = 0.6;
/** How far, in ems, lines may be from the place that vertically centred cells give them. */
const OFF = 0.4;
/** Rows are set so far, in ems, to the right of the name above them. */
const INDENT = 0.8;
/** A word that goes on in the next line. */
const HYPHENATED = /\p{L}[-\u00ad\u2010]$/u;
/** The width in ems of a space between words. */
const SPACE = 0.3;
/** The cost of a line that ends where the next word would have fit. */
const BROKEN = 2;
/** … a row in which little stands, … */
const SPARSE = 1;
/** The cost of a row whose lines are farther apart than rows are elsewhere. */
const UNEVEN = 2;

/**
 * Divides a table without lines into rows. It tries several ways to group bands, and chooses the
 * one with the most plausible cells: by the space between bands, also where the space between lines
 * is large; with full bands as the first lines of rows; and with full bands in the middle of rows.
 */
export function chooseRows(lines: readonly Band[], starts: readonly number[]): Rows {
  const bands = withNamesAbove(lines, starts);
  const widths = widthsOf(bands, starts);
  const bySpace = [
    groupsOf(bands),
    groupsOf(bands, LOOSE_LEADING),
    groupsOf(bands, LOOSE_LEADING, CLOSE_ROW_GAP),
  ].map((groups) => ({
    rows: rowsOfGroups(
      groups.flatMap((group) => partAtNames(group, starts)),
      starts,
    ),
    uneven: 0,
  }));
  const byFull = [fromTop(bands, starts, widths[0]), aroundMiddle(bands, starts)].flatMap(
    (groups) =>
      groups
        ? [{ rows: rowsOfGroups(groups, starts, true), uneven: unevenIn(groups) }]
        : [],
  );
  const cells = rowsOfCells(bands.flat(), starts);
  const byCells = cells ? [{ rows: cells, uneven: 0 }] : [];
  let best: { rows: Rows; cost: number } | undefined;
  for (const { rows, uneven } of [...bySpace, ...byFull, ...byCells]) {
    const cost = costOf(rows, widths) + UNEVEN * uneven;
    if (!best || cost < best.cost) best = { rows, cost };
  }
  return best?.rows ?? [];
}

/** How many lines of rows stand farther from each other than two rows do. */
function unevenIn(groups: readonly (readonly Band[])[]): number {
  const between = groups
    .slice(1)
    .map(([first = []], at) => stepBetween(groups[at]?.at(-1) ?? [], first));
  const nearest = Math.min(...between);
  return groups.flatMap(stepsOf).filter((step) => isFarther(step, nearest)).length;
}

/**
 * Whether a band is a row by itself: it has something in the first column, and at least half of it
 * are numbers, which never go on in a second line.
 */
function isRowOfNumbers(band: Band, starts: readonly number[]): boolean {
  const hasFirst = band.some((piece) => columnOf(piece, starts) === 0);
  return hasFirst && areNumbers(band.map(textOf));
}

/** Parts a group below each name of rows of numbers: these stand further to the right. */
function partAtNames(group: readonly Band[], starts: readonly number[]): Band[][] {
  const parts: Band[][] = [];
  for (const [at, band] of group.entries()) {
    const [name, ...more] = group[at - 1] ?? [];
    const [first] = band.toSorted((a, b) => a.left - b.left);
    const isNamed =
      name !== undefined &&
      more.length === 0 &&
      columnOf(name, starts) === 0 &&
      (first?.left ?? 0) > name.left + INDENT * name.size &&
      isRowOfNumbers(band, starts);
    if (isNamed || parts.length === 0) parts.push([band]);
    else parts.at(-1)?.push(band);
  }
  return parts;
}

/** The rows of bands between two drawn lines: one, unless several rows of numbers are there. */
export function rowsBetweenLines(bands: readonly Band[], starts: readonly number[]): Rows {
  const numbers = bands.filter((band) => isRowOfNumbers(band, starts));
  return numbers.length > 1
    ? chooseRows(bands, starts)
    : rowsOfGroups([bands], starts, true);
}

const columnOf = ({ left }: Segment, starts: readonly number[]): number =>
  Math.max(
    0,
    starts.findLastIndex((start) => start <= left + 1),
  );

function isFull(band: Band, starts: readonly number[]): boolean {
  const columns = new Set(band.map((piece) => columnOf(piece, starts)));
  return columns.size > starts.length * FULL;
}

const isBold = (band: Band): boolean =>
  band.every(({ words }) => words.every(({ style }) => style.bold));

/**
 * Groups each full band with the bands below it; undefined if one of these is a row by itself.
 * @param most the width of the first column
 */
function fromTop(
  bands: readonly Band[],
  starts: readonly number[],
  most = 0,
): Band[][] | undefined {
  const groups: Band[][] = [];
  for (const band of bands) {
    const open = groups.at(-1);
    if (!open || isFull(band, starts)) {
      if (!isFull(band, starts)) return undefined;
      groups.push([band]);
    } else if (goesOn(open, band, starts, most)) open.push(band);
    else groups.push([band]);
  }
  return groups;
}

/**
 * Whether a band continues a group. Text in the first column alone begins a new part of the table,
 * unless it ends a word, or goes on in lower case with a line that had no room for it.
 */
function goesOn(
  group: readonly Band[],
  band: Band,
  starts: readonly number[],
  most: number,
): boolean {
  const above = group.flat();
  if (isRowOfNumbers(band, starts)) return false;
  if (isBold(band) && !above.every(({ words }) => words.every(({ style }) => style.bold)))
    return false;
  return band.every((piece) => {
    const column = columnOf(piece, starts);
    const last = above.findLast((other) => columnOf(other, starts) === column);
    if (!last) return false;
    if (column > 0 || band.length > 1) return true;
    return HYPHENATED.test(last.words.at(-1)?.text ?? "") || hadNoRoom(last, piece, most);
  });
}

/** Whether a line goes on in lower case with the one above, which its first word did not fit on. */
function hadNoRoom(above: Segment, line: Segment, most: number): boolean {
  const [next] = line.words;
  if (!next || !/^\p{Ll}/u.test(next.text)) return false;
  return width(above) + width(next) + SPACE * line.size > most;
}

/** Whether a band has text in the first column alone, as labels of the parts of a table have. */
const isName = (band: Band, starts: readonly number[]): boolean =>
  band.every((piece) => columnOf(piece, starts) === 0);

/**
 * Groups the bands around full ones, symmetrically above and below; undefined if the bands are not
 * symmetric. A table with vertically centred cells has only such rows.
 */
function aroundMiddle(
  bands: readonly Band[],
  starts: readonly number[],
): Band[][] | undefined {
  if (bands.some((band) => isName(band, starts))) return undefined;
  const groups: Band[][] = [];
  let from = 0;
  while (from < bands.length) {
    const full = bands.slice(from).find((band) => isFull(band, starts));
    const [top] = bands[from]?.map(middleY).toSorted((a, b) => a - b) ?? [];
    if (!full || top === undefined) return undefined;
    const middle = middleOf(full, starts);
    const end = 2 * middle - top;
    const slack = OFF * (full[0]?.size ?? 10);
    const lowest = (band: Band) => Math.max(...band.map(middleY));
    const to = bands.findIndex((band, at) => at >= from && lowest(band) >= end - slack);
    const last = bands[to];
    if (!last || to < bands.indexOf(full) || lowest(last) > end + slack) return undefined;
    const group = bands.slice(from, to + 1);
    if (group.some((band) => band !== full && isRowOfNumbers(band, starts)))
      return undefined;
    groups.push(group);
    from = to + 1;
  }
  return groups;
}

/** The vertical middle of the cells of a band that have one line. */
function middleOf(band: Band, starts: readonly number[]): number {
  const columns = Map.groupBy(band, (piece) => columnOf(piece, starts));
  const single = [...columns.values()].flatMap((pieces) =>
    pieces.length === 1 ? pieces : [],
  );
  return median((single.length > 0 ? single : band).map(middleY));
}

/** The widest line of each column. */
function widthsOf(bands: readonly Band[], starts: readonly number[]): number[] {
  return starts.map((_, at) =>
    Math.max(
      0,
      ...bands.flat().map((piece) => (columnOf(piece, starts) === at ? width(piece) : 0)),
    ),
  );
}

/** The cost of a division into rows: how implausible it is. */
function costOf(rows: Rows, widths: readonly number[]): number {
  let cost = 0;
  for (const row of rows) {
    const filled = row.filter((cell) => cell.length > 0).length;
    if (filled * 2 <= row.length) cost += SPARSE;
    for (const [at, cell] of row.entries())
      cost += BROKEN * brokenIn(cell, widths[at] ?? 0);
  }
  return cost;
}

/** Counts the lines of a cell that end where the first word of the next line would have fit. */
function brokenIn(cell: Word[], most: number): number {
  const lines = linesOfWords(cell).map(segmentOf);
  return lines.slice(1).filter((line, at) => {
    const [above, next] = [lines[at], line.words[0]];
    if (!above || !next || HYPHENATED.test(above.words.at(-1)?.text ?? "")) return false;
    return width(above) + width(next) + SPACE * line.size < most;
  }).length;
}
