import { linesOfWords, segmentOf } from "./build-segments.ts";
import { around, type Box, middleY } from "./geometry.ts";
import type { Table, Word } from "./layout.ts";
import type { Rule } from "./page-content.ts";
import { writePlain } from "./write-inline.ts";
import { RTL } from "./right-to-left.ts";

const MIN_FILLED_SHARE = 0.35;
/** The same where lines are drawn around all cells: some are to be filled in. */
const MIN_DRAWN_SHARE = 0.2;

/**
 * Makes a table of these cells; undefined if too few of them have content.
 * @param source how the cells were found: tagged ones are correct as they are, and in reading
 * order; drawn ones have lines around them; blank ones are to be filled in
 */
export function tableFrom(
  box: Box,
  cells: Word[][][],
  columns: number[],
  source: "told" | "seen" | "drawn" | "blank" = "seen",
): Table | undefined {
  const filledRows = cells.filter((row) => row.some((cell) => cell.length > 0));
  const kept = columns
    .map((_, at) => at)
    .filter((at) => filledRows.some((row) => (row[at]?.length ?? 0) > 0));
  if (filledRows.length < 2 || kept.length < Math.min(2, columns.length)) return undefined;
  const rows = filledRows.map((row) => kept.map((at) => textOfCell(row[at] ?? [])));
  const filled = rows.flat().filter(Boolean).length;
  const least = { told: 0, blank: 0, seen: MIN_FILLED_SHARE, drawn: MIN_DRAWN_SHARE }[
    source
  ];
  if (filled < rows.length * kept.length * least) return undefined;
  // columns of Arabic and Hebrew tables are counted from the right
  if (isRightToLeft(rows)) {
    for (const row of rows) {
      const ordered = source === "told" ? row : row.toReversed();
      row.splice(0, row.length, ...ordered.map(asSpoken));
    }
  }
  return {
    ...around([box]),
    rows,
    headed: true,
    columns: kept.map((at) => columns[at] ?? 0),
  };
}

/** Writes a number as it is typed: the sign before it, the unit after it. */
function asSpoken(text: string): string {
  return text
    .replace(/^(\S{1,3}) ([\d.,:/-]+)$/u, "$2 $1")
    .replace(/^([\d.,]+)-(?= |$)/, "-$1");
}

/**
 * Decides by most of the cells, or by the names of the columns, because cells may contain foreign
 * names.
 */
function isRightToLeft(rows: readonly (readonly string[])[]): boolean {
  const share = (cells: readonly string[]) => {
    const worded = cells.filter((text) => /\p{L}/u.test(text));
    return worded.filter((text) => RTL.test(text)).length / Math.max(worded.length, 1);
  };
  return share(rows.flat()) > 0.5 || share(rows[0] ?? []) === 1;
}

/** The words of a cell, line by line. */
function textOfCell(words: readonly Word[]): string {
  return writePlain(linesOfWords(words).map(segmentOf));
}

/**
 * Joins a line whose first cell and most other cells are empty with the row above, if all of its
 * filled cells continue filled ones.
 */
export function withContinued(rows: Word[][][]): Word[][][] {
  const whole: Word[][][] = [];
  for (const row of rows) {
    const above = whole.at(-1);
    const goesOn =
      above &&
      whole.length > 1 &&
      row[0]?.length === 0 &&
      row.filter((cell) => cell.length > 0).length <= Math.max(1, row.length / 3) &&
      row.every((cell, at) => cell.length === 0 || (above[at]?.length ?? 0) > 0);
    if (goesOn) row.forEach((cell, at) => above[at]?.push(...cell));
    else whole.push(row);
  }
  return whole;
}

/**
 * Joins the lines of the names of columns that are above the first line of a table, where those
 * further down go on with names and not all have a further one: rows may be as close to each other.
 */
export function withWholeHead(rows: Word[][][], levels: readonly Rule[]): Word[][][] {
  const [head, ...others] = rows;
  const top = head && Math.min(...head.flat().map(middleY));
  const line = levels.find(({ at }) => top !== undefined && at > top);
  if (!head || !line) return rows;
  const below = others.findIndex((row) =>
    row.flat().some((word) => middleY(word) > line.at),
  );
  const more = others.slice(0, Math.max(below, 0));
  const goesOn = (row: readonly Word[][]) =>
    row.some((cell) => cell.length === 0) &&
    // a name in the first column alone begins a part of the table
    row.slice(1).some((cell) => cell.length > 0) &&
    row.every((cell, at) => cell.length === 0 || (head[at]?.length ?? 0) > 0);
  if (more.length === 0) return rows;
  if (!more.every(goesOn) && !areBottomAligned([head, ...more])) return rows;
  const whole = head.map((cell, at) => [...cell, ...more.flatMap((row) => row[at] ?? [])]);
  return [whole, ...others.slice(more.length)];
}

/** A name has at most so many lines, no farther from each other than this, in ems. */
const MAX_LINES = 4;
const LEADING = 1.5;
const NUMBER = /^[-−–+]?\p{N}/u;
/** The edges of the lines of a name differ by at most these points. */
const SAME_EDGE = 1.5;

/**
 * Whether lines are those of names whose last lines are level: each line of a name stands exactly
 * over the next one, and the last lines name all columns but perhaps the first. A name over several
 * columns stands alone over the middle of these.
 */
function areBottomAligned(lines: readonly (readonly Word[][])[]): boolean {
  const [last = []] = lines.slice(-1);
  const others = lines.slice(0, -1);
  const heights = lines.map((row) =>
    Math.max(...row.flat().map(({ baseline }) => baseline)),
  );
  const size = last.flat()[0]?.size ?? 0;
  const steps = heights.slice(1).map((height, at) => height - (heights[at] ?? 0));
  if (lines.length > MAX_LINES || steps.some((step) => step > LEADING * size)) return false;
  if (others.some((row) => row.slice(1).every((cell) => cell.length > 0))) return false;
  if (lines.flat(2).some(({ text }) => NUMBER.test(text))) return false;
  if (last.slice(1).some((cell) => cell.length === 0)) return false;
  return others.every((row, at) =>
    row.every((cell, column) => {
      if (cell.length === 0 || column === 0) return true;
      const [name, next] = [around(cell), around(lines[at + 1]?.[column] ?? [])];
      const isLevel = (one: number, other: number) => Math.abs(one - other) < SAME_EDGE;
      if (isLevel(name.left, next.left) || isLevel(name.right, next.right)) return true;
      const beside = [row[column - 1], row[column + 1]].some((other) => other?.length);
      return beside && isLevel(name.left + name.right, next.left + next.right);
    }),
  );
}
