import { linesOf } from "./cell-rows.ts";
import { type Segment, textOf, type Word } from "./layout.ts";

/**
 * Columns of running text have longer lines than cells: at least one column must be short, and in
 * tables with few columns most cells.
 */
const SHORT_CELL = 24;
const MAX_SHORT_PAIR_CHARACTERS = 32;
/** Without extra space between rows, cells contain no running text. */
const MAX_LINE_CHARACTERS = 32;

/** This many columns are always cells, however long some of them are. */
const MANY_COLUMNS = 4;
/** A column is a list if this share of its lines begins with a marker. */
const MAX_ITEMS = 0.25;
/** The minimum number of items in a list, however many lines each has. */
const MIN_ITEMS = 2;
/** Numbers from one may name the rows of a table, but not beside other cells. */
const MIN_NUMBERS = 3;
/** A table has words or numbers in more than a fifth of its cells. */
const MAX_MARKS = 0.8;
const MOSTLY = 0.7;
const NUMBER = /^\(?(\d{1,2})[.)]\s/;
const LABEL = /^[([]?(\d{1,3})[.)\]]$/;
const BULLET = /^[•◦▪■●○‣⁃∙➢✓❖◻□❑]/;

/**
 * Whether pieces are short enough to be cells, column by column.
 * @param set whether rows are farther apart than lines of a cell, and whether the first row looks
 * like a header; then cells next to short ones may be long
 */
export function areCells(
  pieces: readonly Segment[],
  starts: readonly number[],
  set: { spaced: boolean; headed: boolean },
): boolean {
  if (areLists(pieces, starts)) return false;
  const means = starts.map((_, at) => {
    const lengths = linesOf(inColumn(pieces, starts, at)).map(
      (line) => line.map(textOf).join(" ").length,
    );
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

/** Whether the first column contains list items, or several columns do: parallel lists. */
function areLists(pieces: readonly Segment[], starts: readonly number[]): boolean {
  const columns = starts.map((_, at) => inColumn(pieces, starts, at).map(textOf));
  const [first = []] = columns;
  const bullets = first.filter((text) => BULLET.test(text)).length;
  return (
    bullets > first.length * MAX_ITEMS ||
    areSigns(first) ||
    areNumbered(columns) ||
    columns.filter((texts) => isList(texts)).length > 1 ||
    columns
      .slice(1)
      .some((texts) => numbersIn(texts).length >= MIN_NUMBERS && isList(texts))
  );
}

/** Whether most texts are one sign: the bullet of a list, or what marks lines of a program. */
function areSigns(texts: readonly string[]): boolean {
  const sign = texts.find((text) => /^[^\p{L}\p{Nd}\s]$/u.test(text));
  const signs = texts.filter((text) => text === sign).length;
  return signs > MIN_ITEMS && signs > texts.length * MOSTLY;
}

/** Whether numbers in order, each alone before a line of text, are those of a list. */
function areNumbered([first = [], ...others]: readonly (readonly string[])[]): boolean {
  const [texts = [], ...more] = others;
  const numbers = first.map((text) => Number(LABEL.exec(text)?.[1] ?? Number.NaN));
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  return (
    more.length === 0 &&
    numbers.length >= MIN_NUMBERS &&
    numbers.every((number, at) => number === (numbers[0] ?? 0) + at) &&
    characters > SHORT_CELL * texts.length
  );
}

const numbersIn = (texts: readonly string[]): number[] =>
  texts.flatMap((text) => NUMBER.exec(text)?.[1] ?? []).map(Number);

/** Whether a column contains several list items: with bullets, or numbered from one. */
function isList(texts: readonly string[]): boolean {
  if (texts.filter((text) => BULLET.test(text)).length >= MIN_ITEMS) return true;
  const numbers = numbersIn(texts);
  return numbers.length >= MIN_ITEMS && numbers.every((number, at) => number === at + 1);
}

/** An address of mail. */
const MAIL = /\S@\S+\.\S/;
/** Rows of addresses are at most this share of the lines of their owners. */
const MAX_MAIL_ROWS = 0.34;

/** Whether lines are names of people side by side, each above the ways to reach them. */
export function areAuthors(bands: readonly (readonly Segment[])[]): boolean {
  const rows = bands.filter(
    (band) => band.length > 1 && band.every((piece) => MAIL.test(textOf(piece))),
  );
  return rows.length > 0 && rows.length <= Math.max(1, bands.length * MAX_MAIL_ROWS);
}

/** Whether most pieces have neither letter nor digit: points of a chart, not cells. */
export function areMarks(pieces: readonly Segment[]): boolean {
  const marks = pieces.filter((piece) => !/[\p{L}\p{N}]/u.test(textOf(piece)));
  return marks.length >= pieces.length * MAX_MARKS;
}

/** Whether the first row has a typography of its own. */
export function isHeaded([first = [], ...others]: readonly (readonly Word[][])[]): boolean {
  const bold = (row: readonly Word[][]) => row.flat().every((word) => word.style.bold);
  return bold(first) && !others.some(bold);
}
