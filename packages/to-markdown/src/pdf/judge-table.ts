import { type Segment, textOf, type Word } from "./layout.ts";

/**
 * A column of text has longer lines than cells: one column, at least, is short, and so are most
 * cells of few columns.
 */
const SHORT_CELL = 24;
const MAX_SHORT_PAIR_CHARACTERS = 32;
/** Cells of which rows are not told apart by more space hold no running text. */
const MAX_LINE_CHARACTERS = 32;

/** Of lists, so many lines of the first column begin with a bullet. */
const MAX_ITEMS = 0.25;
const BULLET = /^[•◦▪■●○‣⁃∙➢✓❖◻□❑]/;

/**
 * Whether pieces are as short as cells are, column by column.
 * @param spaced whether rows stand farther apart than lines of a cell
 */
export function areCells(
  pieces: readonly Segment[],
  starts: readonly number[],
  spaced: boolean,
): boolean {
  const first = pieces.filter(({ left }) => left < (starts[1] ?? Infinity) - 1);
  const items = first.filter((piece) => BULLET.test(textOf(piece))).length;
  if (items > first.length * MAX_ITEMS) return false;
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
export function isHeaded([first = [], ...others]: readonly (readonly Word[][])[]): boolean {
  const bold = (row: readonly Word[][]) => row.flat().every((word) => word.style.bold);
  return bold(first) && !others.some(bold);
}
