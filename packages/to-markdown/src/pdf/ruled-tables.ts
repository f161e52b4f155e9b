import { linesOfWords } from "./build-segments.ts";
import { type Box, holds, overlapX } from "./geometry.ts";
import { APART, hidesColumns, isApart, partGridRows } from "./grid-rows.ts";
import { MEETS } from "./join-rules.ts";
import type { Table, Word } from "./layout.ts";
import type { Rule } from "./page-content.ts";
import { withOpenSides } from "./open-grids.ts";
import { tableFrom } from "./table-cells.ts";

const MAX_CELLS = 20_000;
/** A cell with more words, in a grid of few cells, is a part of the page's layout. */
const MAX_CELL_WORDS = 90;
const FEW_CELLS = 6;
/** Text with more words, left of all rows, belongs to the page. */
const MIN_PAGE_WORDS = 40;
/** A single column with fewer rows is a box, … */
const MIN_COLUMN_ROWS = 4;
/** … and so is one with more lines in a row, … */
const MAX_COLUMN_LINES = 3;
/** … or with rows that are this many times higher than others. */
const MAX_ALIKE = 2.5;

/** With so many numbers that would share cells with others, lines are edges of coloured cells. */
const MAX_TORN = 4;
/** … or with so many, where this many numbers go on in its columns, this near in type sizes. */
const MIN_TORN = 2;
const MIN_GOING_ON = 3;
const NEAR = 3;
/** The share of the rows of a grid that go on beside it. */
const MOSTLY = 0.6;
const NUMBER = /^[-−+]?\p{N}[\p{N}.,]*%?$/u;

/** So many frames may be around each other; what is left of one may look like the same again. */
const MAX_FRAMES = 3;

/**
 * Finds tables whose cells are drawn: lines that cross or touch each other form a grid.
 * @param frames the number of frames around these lines
 */
export function ruledTables(
  rules: readonly Rule[],
  words: readonly Word[],
  frames = 0,
): Table[] {
  return withoutNested(
    crossing(rules).flatMap((group) => tablesOfGrid(group, words, frames)),
  );
}

/** A table inside a cell is text of that cell, unless it has more rows than the outer grid. */
function withoutNested(tables: readonly Table[]): Table[] {
  const outer = tables.filter(
    (table) =>
      !tables.some(
        (inner) => encloses(table, inner) && inner.rows.length > table.rows.length,
      ),
  );
  return outer.filter((table) => !outer.some((other) => encloses(other, table)));
}

const encloses = (outer: Box, inner: Box): boolean =>
  outer !== inner &&
  outer.left <= inner.left &&
  outer.right >= inner.right &&
  outer.top <= inner.top &&
  outer.bottom >= inner.bottom;

/** Groups lines that cross or touch each other, directly or through others. */
function crossing(rules: readonly Rule[]): Rule[][] {
  const levels = rules.filter(({ horizontal }) => horizontal);
  const uprights = rules.filter(({ horizontal }) => !horizontal);
  const groupOf = new Map<Rule, Rule[]>();
  for (const level of levels) {
    for (const upright of uprights) {
      const touch =
        upright.at >= level.from - MEETS &&
        upright.at <= level.to + MEETS &&
        level.at >= upright.from - MEETS &&
        level.at <= upright.to + MEETS;
      if (!touch) continue;
      const one = groupOf.get(level) ?? [level];
      const other = groupOf.get(upright) ?? [upright];
      if (one === other) continue;
      const [large, small] = one.length < other.length ? [other, one] : [one, other];
      large.push(...small);
      for (const rule of small) groupOf.set(rule, large);
      groupOf.set(level, large);
      groupOf.set(upright, large);
    }
  }
  return [...new Set(groupOf.values())];
}

function tablesOfGrid(
  group: readonly Rule[],
  words: readonly Word[],
  frames: number,
): Table[] {
  const drawn = {
    ys: positions(group.filter(({ horizontal }) => horizontal)),
    xs: positions(group.filter(({ horizontal }) => !horizontal)),
  };
  if (drawn.xs.length < 2 || drawn.ys.length < 2) return [];
  const { xs, ys } = withOpenSides(drawn, group, words);
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  if (rows < 2 || columns < 1 || rows * columns > MAX_CELLS) return [];
  const box = {
    left: xs[0] ?? 0,
    right: xs.at(-1) ?? 0,
    top: ys[0] ?? 0,
    bottom: ys.at(-1) ?? 0,
  };
  const cells = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, (): Word[] => []),
  );
  const ruled = (horizontal: boolean, at: number, middle: number) =>
    group.some(
      (rule) =>
        rule.horizontal === horizontal &&
        Math.abs(rule.at - at) <= MEETS &&
        rule.from <= middle &&
        rule.to >= middle,
    );
  let apart = 0;
  for (const word of words) {
    if (!holds(box, word)) continue;
    const place = {
      row: indexOf(ys, (word.top + word.bottom) / 2),
      column: indexOf(xs, (word.left + word.right) / 2),
    };
    let { row, column } = place;
    // places without a line between them are one cell, whose position is the top left one
    while (column > 0 && !ruled(false, xs[column] ?? 0, middle(ys, row))) column -= 1;
    while (row > 0 && !ruled(true, ys[row] ?? 0, middle(xs, column))) row -= 1;
    if ((row < place.row || column < place.column) && NUMBER.test(word.text)) {
      if (cells[row]?.[column]?.some(({ text }) => NUMBER.test(text))) apart += 1;
    }
    cells[row]?.[column]?.push(word);
  }
  const isPart = apart >= MIN_TORN && goesOn(cells.flat(2), box, words);
  if (apart >= MAX_TORN || isPart || isIsland(cells, box, words)) return [];
  if (columns === 1 && !isColumn(cells, ys)) return [];
  partSpanned(cells, xs);
  if (hidesColumns(cells)) return [];
  const filled = cells.flat().filter((cell) => cell.length > 0);
  if (filled.length < FEW_CELLS && filled.some((cell) => cell.length > MAX_CELL_WORDS))
    return [];
  if (isFramed(cells))
    return frames < MAX_FRAMES
      ? ruledTables(withoutFrame(group, box), words, frames + 1)
      : [];
  const parted = partGridRows({ cells, ys });
  const table = tableFrom(box, parted.cells, xs.slice(0, -1), "drawn");
  if (!table) return [];
  const isWhole = table.rows.length === parted.cells.length;
  return isWhole ? [{ ...table, heights: parted.ys }] : [table];
}

/**
 * Whether all cells are numbers, and other numbers go on beside most of the rows: coloured cells
 * are a part of a table whose other cells have no colour.
 */
function isIsland(
  cells: readonly (readonly Word[][])[],
  box: Box,
  words: readonly Word[],
): boolean {
  const inside = cells.flat(2);
  if (inside.length === 0 || !inside.every(({ text }) => NUMBER.test(text))) return false;
  const beside = words.filter(
    (word) => NUMBER.test(word.text) && (word.right < box.left || word.left > box.right),
  );
  const heights = new Set(beside.map(({ baseline }) => Math.round(baseline)));
  const rows = cells.filter((row) => row.some((cell) => cell.length > 0));
  const goOn = rows.filter((row) =>
    row.flat().some(({ baseline }) => heights.has(Math.round(baseline))),
  );
  return goOn.length > rows.length * MOSTLY;
}

/** Whether numbers go on in columns of numbers, just above or below a grid. */
function goesOn(inside: readonly Word[], box: Box, words: readonly Word[]): boolean {
  const numbers = inside.filter(({ text }) => NUMBER.test(text));
  const beyond = words.filter(
    (word) =>
      NUMBER.test(word.text) &&
      (word.bottom <= box.top || word.top >= box.bottom - MEETS) &&
      word.bottom > box.top - NEAR * word.size &&
      word.top < box.bottom + NEAR * word.size,
  );
  const columns = new Set(
    beyond.flatMap((word) => numbers.find((number) => overlapX(word, number) > 0) ?? []),
  );
  return columns.size >= MIN_GOING_ON;
}

/** Whether cells below each other are a table of one column: short texts in rows of one kind. */
function isColumn(cells: readonly Word[][][], ys: readonly number[]): boolean {
  const texts = cells.flatMap(([cell = []]) => [cell]);
  const heights = ys.slice(1).map((bottom, at) => bottom - (ys[at] ?? 0));
  return (
    texts.length >= MIN_COLUMN_ROWS &&
    Math.max(...heights) <= MAX_ALIKE * Math.min(...heights) &&
    texts.every(
      (cell) => cell.length > 0 && linesOfWords(cell).length <= MAX_COLUMN_LINES,
    ) &&
    !texts.every((cell) => cell.every(({ style }) => style.mono)) &&
    // positions show the columns where only the rows are drawn
    !texts.some((cell) => linesOfWords(cell).some(isApart))
  );
}

/**
 * Gives the values of a cell over several columns to these, where no line parts them but each
 * stands in a column of its own, far from the next.
 */
function partSpanned(cells: readonly Word[][][], xs: readonly number[]): void {
  for (const row of cells) {
    for (const [at, cell] of row.entries()) {
      if (cell.length < 2 || row[at + 1]?.length !== 0) continue;
      const lines = linesOfWords(cell);
      const end = row.findIndex((other, index) => index > at && other.length > 0);
      for (let column = at + 1; column < (end < 0 ? row.length : end); column += 1) {
        const [from, to] = [xs[column] ?? 0, xs[column + 1] ?? Infinity];
        const moved = lines.map((line) => line.filter((word) => isBetween(word, from, to)));
        if (moved.flat().length > 0 && lines.every((line) => isParted(line, from)))
          for (const word of moved.flat()) move(word, cell, row[column] ?? []);
      }
    }
  }
}

const isBetween = ({ left, right }: Word, from: number, to: number): boolean =>
  (left + right) / 2 > from && (left + right) / 2 < to;

/** Whether the words of a line stand apart on both sides of a place. */
function isParted(line: readonly Word[], at: number): boolean {
  const left = line.filter((word) => (word.left + word.right) / 2 < at);
  const right = line.filter((word) => (word.left + word.right) / 2 >= at);
  if (left.length === 0 || right.length === 0) return left.length === line.length;
  const [end, start] = [
    Math.max(...left.map((word) => word.right)),
    Math.min(...right.map((word) => word.left)),
  ];
  const size = line[0]?.size ?? 0;
  // names may begin a little before the line that parts the values below them
  return end <= at + size && start >= at - size && start - end > APART * size;
}

function move(word: Word, from: Word[], to: Word[]): void {
  from.splice(from.indexOf(word), 1);
  to.push(word);
}

/** Whether text of the page is left of all rows of a table: then the grid frames both. */
function isFramed(cells: readonly (readonly Word[][])[]): boolean {
  const firsts = cells.map(([first = []]) => first.length).filter((count) => count > 0);
  return firsts.length > 0 && firsts.every((count) => count > MIN_PAGE_WORDS);
}

/** The lines inside a frame, and the parts of the frame that they touch. */
function withoutFrame(group: readonly Rule[], frame: Box): Rule[] {
  const inner = group.filter(({ horizontal, at, from, to }) => {
    const [first, last] = horizontal
      ? [frame.top, frame.bottom]
      : [frame.left, frame.right];
    const [start, end] = horizontal ? [frame.left, frame.right] : [frame.top, frame.bottom];
    return !(
      (meet(at, first) || meet(at, last)) &&
      from <= start + MEETS &&
      to >= end - MEETS
    );
  });
  return [true, false].reduce((kept, horizontal) => {
    const across = inner.filter((rule) => rule.horizontal !== horizontal);
    const places = across.map(({ at }) => at);
    const [from, to] = [Math.min(...places), Math.max(...places)];
    const edges = horizontal ? [frame.top, frame.bottom] : [frame.left, frame.right];
    const reached = edges.filter((at) =>
      across.some((rule) => meet(rule.from, at) || meet(rule.to, at)),
    );
    return [...kept, ...reached.map((at) => ({ horizontal, at, from, to }))];
  }, inner);
}

const meet = (a: number, b: number): boolean => Math.abs(a - b) <= MEETS;

/** The distinct positions of lines, sorted. */
function positions(rules: readonly Rule[]): number[] {
  const places: number[] = [];
  for (const { at } of rules.toSorted((a, b) => a.at - b.at))
    if (places.length === 0 || at - (places.at(-1) ?? 0) > MEETS) places.push(at);
  return places;
}

/** The index of the interval between two positions that contains `at`. */
function indexOf(places: readonly number[], at: number): number {
  return Math.min(
    Math.max(
      0,
      places.findLastIndex((place) => place <= at),
    ),
    Math.max(0, places.length - 2),
  );
}

function middle(places: readonly number[], index: number): number {
  return ((places[index] ?? 0) + (places[index + 1] ?? 0)) / 2;
}
