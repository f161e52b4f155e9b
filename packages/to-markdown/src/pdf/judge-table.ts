import { type Segment, textOf, type Word } from "./layout.ts";

/**
 * A column of text has longer lines than cells: one column, at least, is short, and so are most
 * cells of few columns.
 */
const SHORT_CELL = 24;
const MAX_SHORT_PAIR_CHARACTERS = 32;
/** Cells of which rows are not told apart by more space hold no running text. */
const MAX_LINE_CHARACTERS = 32;

/** So many columns are cells, however long some are. */
const MANY_COLUMNS = 4;
/** Of lists, so many lines of a column begin with a marker. */
const MAX_ITEMS = 0.25;
const MAX_NUMBERED = 0.12;
const NUMBER = /^\(?\d{1,2}[.)]\s/;
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
  if (areLists(pieces, starts)) return false;
  const means = starts.map((_, at) => {
    const lengths = inColumn(pieces, starts, at).map((piece) => textOf(piece).length);
    return lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1);
  });
  const mean = means.reduce((sum, length) => sum + length, 0) / means.length;
  if (!spaced && starts.length < MANY_COLUMNS && Math.max(...means) > MAX_LINE_CHARACTERS)
    return false;
  return (
    Math.min(...means) <= SHORT_CELL &&
    (starts.length > 2 || mean <= MAX_SHORT_PAIR_CHARACTERS)
  );
}

const inColumn = (
  pieces: readonly Segment[],
  starts: readonly number[],
  at: number,
): Segment[] =>
  pieces.filter(
    ({ left }) => left >= (starts[at] ?? 0) - 1 && left < (starts[at + 1] ?? Infinity) - 1,
  );

/** Whether items are in the first column, or numbered ones in several: parallel lists. */
function areLists(pieces: readonly Segment[], starts: readonly number[]): boolean {
  const hold = (marker: RegExp, most: number) =>
    starts.map((_, at) => {
      const column = inColumn(pieces, starts, at);
      const items = column.filter((piece) => marker.test(textOf(piece))).length;
      return items > column.length * most;
    });
  return (
    hold(BULLET, MAX_ITEMS)[0] === true ||
    hold(NUMBER, MAX_NUMBERED).filter(Boolean).length > 1
  );
}

/** Whether the first row is set to stand out from the others. */
export function isHeaded([first = [], ...others]: readonly (readonly Word[][])[]): boolean {
  const bold = (row: readonly Word[][]) => row.flat().every((word) => word.style.bold);
  return bold(first) && !others.some(bold);
}
