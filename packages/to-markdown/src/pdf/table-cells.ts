import { linesOfWords, segmentOf } from "./build-segments.ts";
import { around, type Box } from "./geometry.ts";
import type { Table, Word } from "./layout.ts";
import { writePlain } from "./write-inline.ts";

const MIN_FILLED_SHARE = 0.35;

/** The table of these cells; undefined where too few of them hold anything. */
export function tableFrom(box: Box, cells: Word[][][], columns: number[]): Table | undefined {
  const filledRows = cells.filter((row) => row.some((cell) => cell.length > 0));
  const kept = columns
    .map((_, at) => at)
    .filter((at) => filledRows.some((row) => (row[at]?.length ?? 0) > 0));
  if (filledRows.length < 2 || kept.length < 2) return undefined;
  const rows = filledRows.map((row) => kept.map((at) => textOfCell(row[at] ?? [])));
  const filled = rows.flat().filter(Boolean).length;
  if (filled < rows.length * kept.length * MIN_FILLED_SHARE) return undefined;
  return { ...around([box]), rows, headed: true, columns: kept.map((at) => columns[at] ?? 0) };
}

/** Words of a cell, line by line. */
function textOfCell(words: readonly Word[]): string {
  return writePlain(linesOfWords(words).map(segmentOf));
}

/**
 * A line whose first cell is empty goes on with the row above where that has something in all of
 * its cells.
 */
export function withContinued(rows: Word[][][]): Word[][][] {
  const whole: Word[][][] = [];
  for (const row of rows) {
    const above = whole.at(-1);
    const goesOn =
      above &&
      whole.length > 1 &&
      row[0]?.length === 0 &&
      row.every((cell, at) => cell.length === 0 || (above[at]?.length ?? 0) > 0);
    if (goesOn) row.forEach((cell, at) => above[at]?.push(...cell));
    else whole.push(row);
  }
  return whole;
}
