import { alignedTables, type Drawn } from "./aligned-tables.ts";
import type { Drawings } from "./chart-marks.ts";
import { type Box, holds, middleY, overlapX, overlapY } from "./geometry.ts";
import { breaksOf, edgesOf, joinCollinear, MEETS } from "./join-rules.ts";
import { blankTable } from "./blank-columns.ts";
import { findFigures } from "./find-figures.ts";
import { withHeadAbove } from "./head-above.ts";
import { joinParts } from "./join-parts.ts";
import type { Figure, Segment, Table } from "./layout.ts";
import { segmentOf } from "./build-segments.ts";
import { columnsOfProse } from "./order-regions.ts";
import type { Rule } from "./page-content.ts";
import { ruledTables } from "./ruled-tables.ts";
import { withSpanningHead } from "./spanning-heads.ts";
import { withTitleRow } from "./title-rows.ts";
import { withLabelsBeside } from "./label-columns.ts";
import { taggedTables } from "./tagged-tables.ts";
import { isUpright, withoutCells, withTurnedNames } from "./turned-names.ts";
import { nameAxes, type TurnedText, wordOf } from "./turned-text.ts";
import { withoutValueLeaders } from "./value-leaders.ts";

/** The maximum difference in points between the ends of the lines of one table. */
const ALIKE = 6;
/** A page with more lines is a plan or a chart. */
const MAX_RULES = 3_000;
const MIN_LEVEL = 60;
/** … and one with more groups of lines of one width is so too. */
const MAX_STACKS = 60;
/** How far, in ems, rows may be above the first line of a table or below the last. */
const REACH = 4;
/** The maximum distance in points from the edge of a table to its words. */
const EDGE = 12;
/** A grid with at most this many rows may be the header of a table that continues without lines. */
const MAX_HEAD_ROWS = 3;

interface Found {
  tables: Table[];
  figures: Figure[];
  /** The content outside of the tables and figures. */
  rest: Segment[];
  /** The rotated text outside of them. */
  turned: TurnedText[];
}

/**
 * Finds the tables of a page: those in the tags of the file, complete grids of lines and
 * backgrounds, tables with only horizontal lines or row backgrounds, and tables that only the
 * positions of their words show. Of two that overlap, the one with more rows is kept. Charts are
 * found first, because their labels stand in rows as cells do.
 * @param turned rotated text: names of axes, and of columns and rows of tables
 */
export function findTables(
  all: readonly Segment[],
  drawn: Drawings,
  turned: readonly TurnedText[] = [],
): Found {
  const told = taggedTables(all);
  const { figures, rest, drawn: left } = findFigures(told.rest, drawn);
  const axes = nameAxes(figures, turned);
  const seen = tablesSeen(withoutValueLeaders(rest), left, axes.rest);
  let open = { turned: seen.turned, rest: seen.rest };
  const tables = [...told.tables, ...seen.tables].map((table) => {
    const named = withTurnedNames(table, open.turned, open.rest);
    open = named;
    return named.table;
  });
  return { tables, figures: axes.figures, rest: open.rest, turned: open.turned };
}

function tablesSeen(
  segments: readonly Segment[],
  { rules, fills }: Drawings,
  turned: readonly TurnedText[],
): Omit<Found, "figures"> {
  const all = [...rules, ...edgesOf(fills)];
  const joined = all.length > MAX_RULES ? [] : joinCollinear(all);
  const upright = turned.flatMap(({ lines }) => lines.filter(isUpright));
  const grids = ruledTables(joined, [
    ...segments.flatMap((segment) => segment.words),
    ...upright.map(wordOf),
  ]);
  const certain = grids.filter(({ rows }) => rows.length > MAX_HEAD_ROWS);
  const heads = grids.filter(({ rows }) => rows.length <= MAX_HEAD_ROWS);
  const free = (tables: readonly Table[]) =>
    segments.filter((segment) => !tables.some((table) => holds(table, segment, 1)));
  const breaks = joined.length > 0 ? breaksOf(all) : [];
  const drawn = drawnBeside(joined, breaks, certain);
  const wide = heads.length > 0 ? tablesWithoutGrid(free(certain), drawn) : [];
  const known = [
    ...certain,
    ...heads.filter((head) => !wide.some((table) => outgrows(table, head))),
  ].map((table) => withHeadAbove(withLabelsBeside(table, segments), segments));
  const open = [
    ...known,
    ...tablesWithoutGrid(free(known), drawnBeside(joined, breaks, known)),
  ];
  const named = open.map((table) => withSpanningHead(table, free(open), joined));
  const tables = joinParts(named, free(named));
  if (tables.length === 0) return { tables, rest: [...segments], turned: [...turned] };
  const rest = segments.flatMap((segment) => outside(segment, tables));
  return { tables, rest, turned: withoutCells(turned, known) };
}

/** Whether a table has more rows than a small grid in it, or around it where it has its columns. */
const outgrows = (table: Table, head: Table): boolean =>
  (table.columns.length === head.columns.length || !encloses(head, table, MEETS)) &&
  overlapX(table, head) > 0 &&
  overlapY(table, head) > 0 &&
  table.rows.length > head.rows.length &&
  table.columns.length >= head.columns.length;

const encloses = (outer: Box, inner: Box, slack: number): boolean =>
  inner.left >= outer.left - slack &&
  inner.right <= outer.right + slack &&
  inner.top >= outer.top - slack &&
  inner.bottom <= outer.bottom + slack;

/** Lines that are of no grid, and the breaks in them. */
function drawnBeside(
  rules: readonly Rule[],
  breaks: readonly Rule[],
  grids: readonly Table[],
): Drawn {
  const outsideOf = ({ horizontal, at, from, to }: Rule) =>
    !grids.some((grid) =>
      horizontal
        ? at >= grid.top - MEETS &&
          at <= grid.bottom + MEETS &&
          to > grid.left &&
          from < grid.right
        : at >= grid.left - MEETS &&
          at <= grid.right + MEETS &&
          to > grid.top &&
          from < grid.bottom,
    );
  const left = rules.filter(outsideOf);
  return {
    levels: left.filter(({ horizontal }) => horizontal).toSorted((a, b) => a.at - b.at),
    uprights: [
      ...left.filter(({ horizontal }) => !horizontal),
      ...breaks.filter(outsideOf),
    ],
  };
}

/** Finds tables between horizontal lines of equal length, then tables without lines. */
function tablesWithoutGrid(segments: readonly Segment[], drawn: Drawn): Table[] {
  const tables: Table[] = [];
  let free = segments;
  let all: Table[] | undefined;
  const withoutStacks = () =>
    (all ??= columnsOfProse(segments).flatMap((column) => alignedTables(column, drawn)));
  const stacks = stacksOf(drawn.levels);
  const isDrawing = stacks.length > MAX_STACKS;
  for (const stack of stacks) {
    const region = regionOf(stack, free);
    const inside = free.filter((segment) => holds(region, segment));
    const levels = isDrawing
      ? stack
      : drawn.levels.filter((level) => isOfStack(level, stack));
    const found = alignedTables(inside, { ...drawn, levels }).filter(
      (table) => stack.filter(({ at }) => isAlong(at, table)).length > 1,
    );
    const whole = found
      .filter(
        (table) =>
          isDrawing ||
          !mayGoOn(table, stack, free) ||
          !withoutStacks().some((other) => isPartOf(table, other)),
      )
      .map((table) => withTitleRow(withHeadAbove(table, free), stack, inside));
    const blank = found.length === 0 && !isDrawing ? blankTable(stack, inside) : undefined;
    if (blank) whole.push(blank);
    tables.push(...whole);
    free = free.filter((segment) => !whole.some((table) => holds(table, segment, 1)));
  }
  for (const column of columnsOfProse(free)) tables.push(...alignedTables(column, drawn));
  return tables;
}

/** Whether a level is of a stack, or parts some of the columns between two of its lines. */
function isOfStack(level: Rule, stack: readonly Rule[]): boolean {
  const [first, last] = [stack[0], stack.at(-1)];
  if (!first || !last) return false;
  if (stack.includes(level)) return true;
  const isWithin = level.from >= first.from - ALIKE && level.to <= first.to + ALIKE;
  return isWithin && level.at > first.at && level.at < last.at;
}

/**
 * Whether a table may have more rows below the last line of its stack, as under the background of a
 * head, or more columns beside it, as where lines are drawn under groups of columns.
 */
function mayGoOn(table: Table, stack: readonly Rule[], free: readonly Segment[]): boolean {
  if (table.bottom >= (stack.at(-1)?.at ?? 0) + EDGE) return true;
  return free.some(
    (segment) =>
      middleY(segment) > table.top &&
      middleY(segment) < table.bottom &&
      (segment.right < table.left || segment.left > table.right),
  );
}

/** Whether another table holds a table, and reaches beyond it at the side or below. */
const isPartOf = (table: Table, other: Table): boolean =>
  overlapX(other, table) > 0 &&
  overlapY(other, table) > 0 &&
  other.columns.length >= table.columns.length &&
  (other.bottom > table.bottom + MEETS ||
    other.left < table.left - MEETS ||
    other.right > table.right + MEETS);

/** Whether a horizontal line crosses a table or runs along its edge. */
const isAlong = (at: number, { top, bottom }: Table): boolean =>
  at > top - EDGE && at < bottom + EDGE;

function regionOf(stack: readonly Rule[], segments: readonly Segment[]): Box {
  const [first, last] = [stack[0], stack.at(-1)];
  const [left, right] = [(first?.from ?? 0) - 2, (first?.to ?? 0) + 2];
  const box = { left, right, top: first?.at ?? 0, bottom: last?.at ?? 0 };
  const size = segments.find((segment) => holds(box, segment))?.size ?? 10;
  const below = isClosed(stack, segments) ? 0 : REACH * size;
  return { ...box, top: box.top - REACH * size, bottom: box.bottom + below };
}

/** Whether several rows stand between the last two lines: then the last one ends the table. */
function isClosed(stack: readonly Rule[], segments: readonly Segment[]): boolean {
  const [above, last] = stack.slice(-2);
  if (!above || !last || stack.length < 3) return false;
  const box = { left: last.from, right: last.to, top: above.at, bottom: last.at };
  const inside = segments.filter((segment) => holds(box, segment));
  return new Set(inside.map(({ baseline }) => Math.round(baseline))).size > MAX_HEAD_ROWS;
}

/**
 * Groups horizontal lines of equal length below each other: those of a table without vertical
 * lines.
 */
function stacksOf(levels: readonly Rule[]): Rule[][] {
  const stacks: Rule[][] = [];
  for (const level of levels) {
    if (level.to - level.from < MIN_LEVEL) continue;
    const stack = stacks.find(
      ([first]) =>
        first &&
        Math.abs(first.from - level.from) <= ALIKE &&
        Math.abs(first.to - level.to) <= ALIKE,
    );
    if (stack) stack.push(level);
    else stacks.push([level]);
  }
  return stacks.filter((stack) => stack.length >= 2);
}

/** A segment without the words that belong to tables. */
function outside(segment: Segment, tables: readonly Table[]): Segment[] {
  const words = segment.words.filter(
    (word) => !tables.some((table) => holds(table, word, 1)),
  );
  if (words.length === segment.words.length) return [segment];
  return words.length === 0 ? [] : [segmentOf(words)];
}
