import { bandsOf } from "./bands.ts";
import { groupsOf, rowsOfGroups } from "./band-rows.ts";
import { around, type Box, height, holds, middleY, overlap, width } from "./geometry.ts";
import type { Segment, Table, Word } from "./layout.ts";
import { segmentOf } from "./build-segments.ts";
import type { Fill, PageContent, Rule } from "./page-content.ts";
import { alignedTables } from "./aligned-tables.ts";
import { tableFrom } from "./table-cells.ts";
import { columnsBetween } from "./table-columns.ts";

/** Ends of lines that are drawn to meet miss each other by as much. */
const MEETS = 3;
/** Drawn lines whose ends lie so near each other are of one table. */
const ALIKE = 6;
/** A page whose lines make more than this is a plan or a chart. */
const MAX_RULES = 3_000;
const MAX_CELLS = 20_000;
/** A higher background is that of a box. */
const HIGHEST_ROW = 90;
const NARROWEST_CELL = 12;

interface Found {
  tables: Table[];
  /** What stands outside of them. */
  rest: Segment[];
}

/**
 * Finds the tables of a page: full grids of ruling lines, those that only lines or backgrounds of
 * rows part, and those that nothing but the places of their words tells.
 */
export function findTables(
  segments: readonly Segment[],
  { rules, fills }: Pick<PageContent, "rules" | "fills">,
): Found {
  const drawn = [...rules, ...fills.flatMap(edgesOf)];
  const joined = drawn.length > MAX_RULES ? [] : joinCollinear(drawn);
  const words = segments.flatMap((segment) => segment.words);
  const grids = crossing(joined).flatMap((group) => tableOfGrid(group, words) ?? []);
  const isFree = (tables: readonly Table[]) => (segment: Segment) =>
    !tables.some((table) => holds(table, segment, 1));
  const levels = joined.filter(
    ({ horizontal, at }) =>
      horizontal && !grids.some(({ top, bottom }) => at >= top - MEETS && at <= bottom + MEETS),
  );
  const free = segments.filter(isFree(grids));
  const stacked = stacksOf(levels).flatMap((stack) => tableBetween(stack, free) ?? []);
  const known = [...grids, ...stacked];
  const tables = [...known, ...alignedTables(segments.filter(isFree(known)))];
  if (tables.length === 0) return { tables, rest: [...segments] };
  return { tables, rest: segments.flatMap((segment) => outside(segment, tables)) };
}

/** The background of a row, or of a cell of it, tells where the row begins and ends. */
function edgesOf(fill: Fill): Rule[] {
  if (height(fill) > HIGHEST_ROW || width(fill) < NARROWEST_CELL) return [];
  return [fill.top, fill.bottom].map((at) => ({
    horizontal: true,
    at,
    from: fill.left,
    to: fill.right,
  }));
}

/** A segment without the words that stand in tables. */
function outside(segment: Segment, tables: readonly Table[]): Segment[] {
  const words = segment.words.filter((word) => !tables.some((table) => holds(table, word, 1)));
  if (words.length === segment.words.length) return [segment];
  return words.length === 0 ? [] : [segmentOf(words)];
}

/** Pieces of one drawn line as one. */
function joinCollinear(rules: readonly Rule[]): Rule[] {
  const joined: Rule[] = [];
  const sorted = rules.toSorted(
    (a, b) => Number(a.horizontal) - Number(b.horizontal) || a.at - b.at || a.from - b.from,
  );
  for (const rule of sorted) {
    const same = joined.findLast(
      (other) =>
        other.horizontal === rule.horizontal &&
        rule.at - other.at <= MEETS &&
        overlap(other.from, other.to, rule.from, rule.to) >= -MEETS,
    );
    if (same) {
      same.from = Math.min(same.from, rule.from);
      same.to = Math.max(same.to, rule.to);
    } else joined.push({ ...rule });
  }
  return joined;
}

/** Lines that cross or touch each other, directly or by others. */
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
      const both = [...one, ...other];
      for (const rule of both) groupOf.set(rule, both);
    }
  }
  return [...new Set(groupOf.values())];
}

function tableOfGrid(group: readonly Rule[], words: readonly Word[]): Table | undefined {
  const ys = positions(group.filter(({ horizontal }) => horizontal));
  const xs = positions(group.filter(({ horizontal }) => !horizontal));
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  if (rows < 2 || columns < 2 || rows * columns > MAX_CELLS) return undefined;
  const box = { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0 };
  const inside = words.filter((word) => holds(box, word));
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
  for (const word of inside) {
    let row = indexOf(ys, (word.top + word.bottom) / 2);
    let column = indexOf(xs, (word.left + word.right) / 2);
    // what no line parts is one cell, which begins further left or above
    while (column > 0 && !ruled(false, xs[column] ?? 0, middle(ys, row))) column -= 1;
    while (row > 0 && !ruled(true, ys[row] ?? 0, middle(xs, column))) row -= 1;
    cells[row]?.[column]?.push(word);
  }
  return tableFrom(box, cells, xs.slice(0, -1));
}

/** Levels of one width below each other: the rules of a table without upright lines. */
function stacksOf(levels: readonly Rule[]): Rule[][] {
  const stacks: Rule[][] = [];
  for (const level of levels.toSorted((a, b) => a.at - b.at)) {
    if (level.to - level.from < 60) continue;
    const stack = stacks.find(
      ([first]) =>
        first &&
        Math.abs(first.from - level.from) <= ALIKE &&
        Math.abs(first.to - level.to) <= ALIKE,
    );
    if (stack) stack.push(level);
    else stacks.push([level]);
  }
  return stacks.filter((stack) => stack.length >= 3);
}

function tableBetween(stack: readonly Rule[], segments: readonly Segment[]): Table | undefined {
  const [first, last] = [stack[0], stack.at(-1)];
  if (!first || !last) return undefined;
  const box = { left: first.from - 2, right: first.to + 2, top: first.at, bottom: last.at };
  const bands = withNext(bandsOf(segments.filter((segment) => holds(box, segment))), segments, box);
  const starts = columnsBetween(bands, box);
  if (starts.length < 2 || bands.length < 2) return undefined;
  const ys = stack.map(({ at }) => at);
  // lines between every two rows part them
  const parted = stack.length - 1 >= bands.length * 0.6;
  const rows = rowsOfGroups(parted ? bandsBetween(ys, bands) : groupsOf(bands), starts, parted);
  return tableFrom(box, rows, starts);
}

/**
 * Bands between the same two lines together; what stands above the first or below the last of them
 * is a row of its own.
 */
function bandsBetween(ys: readonly number[], bands: readonly Segment[][]): Segment[][][] {
  const groups = new Map<number, Segment[][]>();
  for (const band of bands) {
    const row = ys.findLastIndex((y) => y <= middleY(around(band)));
    groups.set(row, [...(groups.get(row) ?? []), band]);
  }
  return [...groups.values()];
}

/**
 * Every other row has a background: the first and the last one may stand outside of all of them.
 */
function withNext(bands: Segment[][], segments: readonly Segment[], box: Box): Segment[][] {
  const boxes = bands.map(around);
  const pitch =
    bands.length > 1
      ? (middleY(around(boxes.slice(-1))) - middleY(around(boxes.slice(0, 1)))) / (bands.length - 1)
      : 0;
  const outside = bandsOf(
    segments.filter(
      (segment) => segment.left >= box.left && segment.right <= box.right && !holds(box, segment),
    ),
  ).filter((band) => band.length > 1);
  const isNear = (band: Segment[], to: Box | undefined) =>
    to !== undefined && Math.abs(middleY(around(band)) - middleY(to)) <= pitch * 1.3;
  const above = outside
    .filter((band) => around(band).bottom <= box.top + 2 && isNear(band, boxes[0]))
    .slice(-1);
  const below = outside
    .filter((band) => around(band).top >= box.bottom - 2 && isNear(band, boxes.at(-1)))
    .slice(0, 1);
  const whole = around([box, ...above.flat(), ...below.flat()]);
  Object.assign(box, { top: whole.top, bottom: whole.bottom });
  return [...above, ...bands, ...below];
}

/** The distinct places of lines, in order. */
function positions(rules: readonly Rule[]): number[] {
  const places: number[] = [];
  for (const { at } of rules.toSorted((a, b) => a.at - b.at))
    if (places.length === 0 || at - (places.at(-1) ?? 0) > MEETS) places.push(at);
  return places;
}

/** Between which two of the places something stands. */
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
