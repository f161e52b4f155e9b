import { linesOfWords } from "./build-segments.ts";
import type { Word } from "./layout.ts";
import { MEETS } from "./join-rules.ts";
import type { Rule } from "./page-content.ts";

/** A row or column of cells is at least this wide and high, in points. */
const MIN_CELL = 8;
/** Lines end together at the side that has none, at least so many … */
const MIN_ENDS = 2;
/** … and this share of them. */
const MOSTLY = 0.5;
/** A line with cells in this share of the columns is a row. */
const FULL_ROW = 0.6;

export interface Places {
  /** The heights of the level lines, sorted. */
  ys: readonly number[];
  /** The places of the upright lines, sorted. */
  xs: readonly number[];
}

/**
 * The places of the lines of a grid with those of its open sides: many tables have no line above
 * the names of columns, below the last row, or at the left and right of all rows. The lines across
 * end there together.
 */
export function withOpenSides(
  { ys, xs }: Places,
  rules: readonly Rule[],
  words: readonly Word[],
): Places {
  const levels = rules.filter(({ horizontal }) => horizontal);
  const uprights = rules.filter(({ horizontal }) => !horizontal);
  const [left, right] = ends(xs, levels, ys);
  const columns = [...left, ...xs, ...right];
  const [above, below] = ends(ys, uprights, xs);
  const within = (from: number, to: number) =>
    words.filter(
      (word) =>
        isIn((word.top + word.bottom) / 2, from, to) &&
        isIn((word.left + word.right) / 2, columns[0] ?? 0, columns.at(-1) ?? 0),
    );
  const isRow = (from: number, to: number) => isOneRow(within(from, to), columns);
  const rows = [
    ...above.filter((at) => isRow(at, ys[0] ?? 0)),
    ...ys,
    ...below.filter((at) => isRow(ys.at(-1) ?? 0, at)),
  ];
  const isColumn = (from: number, to: number) => isFilled(words, rows, [from, to]);
  return {
    ys: rows,
    xs: [
      ...left.filter((at) => isColumn(at, xs[0] ?? 0)),
      ...xs,
      ...right.filter((at) => isColumn(xs.at(-1) ?? 0, at)),
    ],
  };
}

const isIn = (at: number, from: number, to: number): boolean => at >= from && at <= to;

/**
 * Where lines across end together beyond the first and the last of `places`.
 * @param across the lines from side to side, of which several pieces may be on one place of `at`
 */
function ends(
  places: readonly number[],
  across: readonly Rule[],
  at: readonly number[],
): [number[], number[]] {
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const lines = at.map((place) =>
    across.filter((rule) => Math.abs(rule.at - place) <= MEETS),
  );
  const least = Math.max(MIN_ENDS, at.length * MOSTLY);
  const common = (all: readonly number[]) =>
    all.filter(
      (end) => all.filter((other) => Math.abs(other - end) <= MEETS).length >= least,
    );
  const starts = lines.map((pieces) => Math.min(...pieces.map(({ from }) => from)));
  const stops = lines.map((pieces) => Math.max(...pieces.map(({ to }) => to)));
  const before = common(starts.filter((end) => end < first - MIN_CELL));
  const after = common(stops.filter((end) => end > last + MIN_CELL));
  return [
    before.length > 0 ? [Math.min(...before)] : [],
    after.length > 0 ? [Math.max(...after)] : [],
  ];
}

/** Whether words are the lines of one row: at most one of them has most cells. */
function isOneRow(words: readonly Word[], xs: readonly number[]): boolean {
  if (words.length === 0) return false;
  const least = Math.max(2, (xs.length - 1) * FULL_ROW);
  return linesOfWords(words).filter((line) => piecesIn(line) >= least).length <= 1;
}

/** The number of parts of a line that stand as far from each other as cells do. */
function piecesIn(line: readonly Word[]): number {
  const apart = line.filter((word, at) => {
    const before = line[at - 1];
    return before && word.left - before.right > word.size;
  });
  return apart.length + 1;
}

/** Whether most rows have a cell between two places. */
function isFilled(
  words: readonly Word[],
  ys: readonly number[],
  [from, to]: readonly [number, number],
): boolean {
  const inside = words.filter((word) => isIn((word.left + word.right) / 2, from, to));
  const filled = ys
    .slice(1)
    .filter((bottom, at) =>
      inside.some((word) => isIn((word.top + word.bottom) / 2, ys[at] ?? 0, bottom)),
    );
  return filled.length > (ys.length - 1) * MOSTLY;
}
