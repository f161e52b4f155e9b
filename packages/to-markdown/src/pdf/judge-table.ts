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
/** So many items make a list, however many lines each has. */
const MIN_ITEMS = 2;
const NUMBER = /^\(?(\d{1,2})[.)]\s/;
const BULLET = /^[•◦▪■●○‣⁃∙➢✓❖◻□❑]/;

/**
 * Whether pieces are as short as cells are, column by column.
 * @param set whether rows stand farther apart than lines of a cell, and whether the first of them
 * stands out as names do: under these, cells beside short ones may be long
 */
export function areCells(
  pieces: readonly Segment[],
  starts: readonly number[],
  set: { spaced: boolean; headed: boolean },
): boolean {
  if (areLists(pieces, starts)) return false;
  const means = starts.map((_, at) => {
    const lengths = inColumn(pieces, starts, at).map((piece) => textOf(piece).length);
    return lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1);
  });
  if (Math.min(...means) > SHORT_CELL) return false;
  if (set.headed || starts.length >= MANY_COLUMNS) return true;
  const mean = means.reduce((sum, length) => sum + length, 0) / means.length;
  return (
    (set.spaced || Math.max(...means) <= MAX_LINE_CHARACTERS) &&
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

/** Whether items are in the first column, or a list in several: parallel lists. */
function areLists(pieces: readonly Segment[], starts: readonly number[]): boolean {
  const columns = starts.map((_, at) => inColumn(pieces, starts, at).map(textOf));
  const [first = []] = columns;
  const bullets = first.filter((text) => BULLET.test(text)).length;
  return (
    bullets > first.length * MAX_ITEMS ||
    columns.filter((texts) => isList(texts)).length > 1
  );
}

/** Whether a column holds several items: with bullets, or numbered from one on. */
function isList(texts: readonly string[]): boolean {
  if (texts.filter((text) => BULLET.test(text)).length >= MIN_ITEMS) return true;
  const numbers = texts.flatMap((text) => NUMBER.exec(text)?.[1] ?? []).map(Number);
  return numbers.length >= MIN_ITEMS && numbers.every((number, at) => number === at + 1);
}

/** Whether the first row is set to stand out from the others. */
export function isHeaded([first = [], ...others]: readonly (readonly Word[][])[]): boolean {
  const bold = (row: readonly Word[][]) => row.flat().every((word) => word.style.bold);
  return bold(first) && !others.some(bold);
}
