import { linesOfWords, segmentOf } from "./build-segments.ts";
import { textOf, type Word } from "./layout.ts";

/** A number, or a mark in the place of one. */
const NUMBER = /^(?:[-+−–(]?[$€£]?\d[\d.,]*[%)]?|[-–—]|n\/a)$/;
/** Rows of numbers have at least this many, … */
const MIN_NUMBERS = 2;
/** … and lines of one row differ in height by less than this, in type sizes. */
const LEVEL = 0.3;

/** Rows below a name that are set in are so by at least these points. */
const INDENT = 3;

/** Values of several columns in one cell stand so far from each other, in type sizes. */
export const APART = 1.2;

/** Whether words of a line stand as far from each other as cells do. */
export const isApart = (line: readonly Word[]): boolean =>
  line.some(
    (word, at) => at > 0 && word.left - (line[at - 1]?.right ?? 0) > APART * word.size,
  );

/** Whether at least half of the texts of a line are numbers, which never go on in the next one. */
export const areNumbers = (texts: readonly string[]): boolean =>
  texts.filter((text) => NUMBER.test(text)).length >=
  Math.max(MIN_NUMBERS, texts.length / 2);

/** Columns without lines show in at least so many lines, … */
const MIN_HIDDEN = 4;
/** … and in this share of all lines. */
const MOSTLY = 0.5;

/** So many lines of short values in one row of a grid are rows, … */
const MIN_MARKED = 3;
/** … and these values have at most so many characters. */
const MAX_MARK = 8;

interface Grid {
  /** The words of each cell, row by row. */
  cells: Word[][][];
  /** The upper edge of each row, and the lower one of the last. */
  ys: readonly number[];
}

/** A grid in which rows of numbers that no line parts are rows of their own. */
export function partGridRows({ cells, ys }: Grid): { cells: Word[][][]; ys: number[] } {
  const parts = cells.map((row, at) => linesOfNumbers(row) ?? [{ row, top: ys[at] ?? 0 }]);
  const whole = parts.flatMap(([first, ...others], at) =>
    first ? [{ ...first, top: ys[at] ?? 0 }, ...others] : [],
  );
  return {
    cells: whole.map(({ row }) => row),
    ys: [...whole.map(({ top }) => top), ...ys.slice(-1)],
  };
}

interface Line {
  row: Word[][];
  top: number;
}

/**
 * The lines of a row, if there are several and each of them is a row of numbers; the first may name
 * the others.
 */
function linesOfNumbers(row: readonly Word[][]): Line[] | undefined {
  const lines: (Line & { baseline: number })[] = [];
  for (const [column, cell] of row.entries()) {
    for (const words of linesOfWords(cell)) {
      // the columns of such a cell are drawn nowhere: positions tell them and the rows
      if (isApart(words)) return undefined;
      const { baseline, size, top } = segmentOf(words);
      let line = lines.find((each) => Math.abs(each.baseline - baseline) < LEVEL * size);
      if (!line) lines.push((line = { baseline, top, row: row.map(() => []) }));
      line.row[column]?.push(...words);
      line.top = Math.min(line.top, top);
    }
  }
  const first = row.findIndex((cell) => cell.length > 0);
  const isRow = (line: Line) =>
    line.row[first]?.length !== 0 &&
    areNumbers(
      line.row.flatMap((cell) => (cell.length > 0 ? textOf(segmentOf(cell)) : [])),
    );
  const sorted = lines.toSorted((a, b) => a.baseline - b.baseline);
  const [name, ...others] = sorted;
  const rows = name && isNameOf(name.row, others) ? others : sorted;
  const areRows = rows.length > 1 && (rows.every(isRow) || areRowsOfMarks(rows));
  return areRows ? sorted : undefined;
}

/** Whether each line has a name and, in several columns, short values that come again and again. */
function areRowsOfMarks(lines: readonly Line[]): boolean {
  const [names = [], ...values] = (lines[0]?.row ?? []).map((_, at) =>
    lines.flatMap(({ row }) => {
      const words = row[at] ?? [];
      return words.length > 0 ? [textOf(segmentOf(words))] : [];
    }),
  );
  const marks = values.filter(
    (texts) => texts.length > 1 && new Set(texts).size < texts.length,
  );
  return (
    lines.length >= MIN_MARKED &&
    names.length === lines.length &&
    values.flat().every((text) => text.length <= MAX_MARK) &&
    marks.length >= Math.max(2, values.length / 2)
  );
}

/** Whether the first line of a row names those below it: it alone is bold, or they are indented. */
function isNameOf([name = [], ...empty]: Line["row"], lines: readonly Line[]): boolean {
  const firsts = lines.map(({ row: [first = []] }) => first);
  if (name.length === 0 || empty.some((cell) => cell.length > 0)) return false;
  const bold = (words: readonly Word[]) => words.every(({ style }) => style.bold);
  const left = (words: readonly Word[]) => Math.min(...words.map((word) => word.left));
  const indent = left(name) + INDENT;
  return (
    (bold(name) && !firsts.some(bold)) || firsts.every((words) => left(words) > indent)
  );
}

/**
 * Whether lines part only some of the columns and rows: most lines of text in its cells are numbers
 * that stand apart, line below line.
 */
export function hidesColumns(cells: readonly (readonly (readonly Word[])[])[]): boolean {
  const rows = cells.map((row) => row.map(linesOfWords));
  const all = rows.reduce(
    (sum, row) => sum + Math.max(...row.map((lines) => lines.length)),
    0,
  );
  const hidden = rows.map((row) =>
    Math.max(...row.map((lines) => lines.filter(isOfNumbers).length)),
  );
  const several = hidden
    .filter((count) => count > 1)
    .reduce((sum, count) => sum + count, 0);
  return several >= MIN_HIDDEN && several > all * MOSTLY;
}

/** Whether a line is several numbers that stand apart. */
function isOfNumbers(line: readonly Word[]): boolean {
  const texts: string[] = [];
  for (const [at, { text, left, size }] of line.entries()) {
    const gap = left - (line[at - 1]?.right ?? 0);
    if (at === 0 || gap > APART * size) texts.push(text);
    else texts.push((texts.pop() ?? "") + text);
  }
  return texts.length > 1 && texts.every((text) => NUMBER.test(text));
}
