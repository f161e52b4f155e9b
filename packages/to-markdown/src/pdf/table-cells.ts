import { linesOfWords, segmentOf } from "./build-segments.ts";
import { around, type Box } from "./geometry.ts";
import type { Table, Word } from "./layout.ts";
import { writePlain } from "./write-inline.ts";
import { RTL } from "./right-to-left.ts";

const MIN_FILLED_SHARE = 0.35;

/**
 * Makes a table of these cells; undefined if too few of them have content.
 * @param source how the cells were found: tagged ones are correct as they are, and in reading
 * order; blank ones are to be filled in
 */
export function tableFrom(
  box: Box,
  cells: Word[][][],
  columns: number[],
  source: "told" | "seen" | "blank" = "seen",
): Table | undefined {
  const filledRows = cells.filter((row) => row.some((cell) => cell.length > 0));
  const kept = columns
    .map((_, at) => at)
    .filter((at) => filledRows.some((row) => (row[at]?.length ?? 0) > 0));
  if (filledRows.length < 2 || kept.length < Math.min(2, columns.length)) return undefined;
  const rows = filledRows.map((row) => kept.map((at) => textOfCell(row[at] ?? [])));
  const filled = rows.flat().filter(Boolean).length;
  if (source === "seen" && filled < rows.length * kept.length * MIN_FILLED_SHARE)
    return undefined;
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
