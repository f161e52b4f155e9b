import { around, bandsOf, middleX, overlapX } from "./geometry.ts";
import { type Segment, type Table, textOf } from "./layout.ts";
import { isCaption } from "./names-nothing.ts";
import type { Rule } from "./page-content.ts";
import { writePlain } from "./write-inline.ts";

/** A head stands no farther above the row below it, in type sizes. */
const ABOVE = 1.8;
/** Lines may reach so far out of the columns that they span, in points. */
const SLACK = 4;
const MIN_COLUMNS = 3;
/** Heads of more levels are rare. */
const MAX_LEVELS = 2;

/**
 * A table with the names of groups of its columns that stand above it, each on a line of its own
 * that spans these columns, or one in the middle of columns, under the first line of the table.
 */
export function withSpanningHead(
  table: Table,
  segments: readonly Segment[],
  rules: readonly Rule[],
): Table {
  if (table.columns.length < MIN_COLUMNS) return table;
  let whole = table;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const head = headOver(whole, segments, rules);
    if (!head) return whole;
    whole = head;
  }
  return whole;
}

function headOver(
  table: Table,
  segments: readonly Segment[],
  rules: readonly Rule[],
): Table | undefined {
  const near = segments.filter(
    (segment) =>
      overlapX(segment, table) > 0 &&
      segment.bottom <= table.top + SLACK &&
      segment.bottom > table.top - ABOVE * segment.size,
  );
  const names = bandsOf(near).at(-1);
  if (!names || names.some((name) => isCaption(textOf(name)))) return undefined;
  const row = table.columns.map(() => "");
  const [only] = names;
  if (only && names.length === 1 && rules.some((rule) => isOver(rule, only, table))) {
    const column = firstUnder(only, table);
    const isName = column === 0 ? isLabel(only, table) : column > 1;
    if (!isName) return undefined;
    row[column] = writePlain([only]);
    return { ...table, ...around([table, only]), rows: [row, ...table.rows] };
  }
  for (const name of names) {
    const [line] = rules
      .filter((rule) => spans(rule, name, table))
      .toSorted((a, b) => a.from - b.from);
    if (!line) return undefined;
    const column = table.columns.findLastIndex((start) => start <= line.from + SLACK);
    if (column < 1 || row[column] !== "") return undefined;
    row[column] = writePlain([name]);
  }
  return { ...table, ...around([table, ...names]), rows: [row, ...table.rows] };
}

/** Whether a line runs under a name, over some of the columns, but not over the first. */
const spans = ({ horizontal, at, from, to }: Rule, name: Segment, table: Table): boolean =>
  horizontal &&
  at > name.baseline &&
  at < table.top + name.size &&
  from <= name.left + SLACK &&
  to >= name.right - SLACK &&
  from >= (table.columns[1] ?? 0) - SLACK &&
  to <= table.right + 2 * SLACK &&
  to - from > name.right - name.left;

/** Whether the first line of a table, over its whole width, is close above a name. */
const isOver = ({ horizontal, at, from, to }: Rule, name: Segment, table: Table): boolean =>
  horizontal &&
  at <= name.top + SLACK &&
  at > name.top - name.size &&
  from <= table.left + SLACK &&
  to >= table.right - SLACK;

/** Whether a line names the rows below it, rather than the table or what follows it. */
const isLabel = ({ left, words }: Segment, table: Table): boolean =>
  Math.abs(left - table.left) < 2 * SLACK && !words.every(({ style }) => style.bold);

/** The first of the columns in whose middle a name stands; they end with the table. */
function firstUnder(name: Segment, table: Table): number {
  const off = table.columns.map((start, at) =>
    Math.abs(((at === 0 ? table.left : start) + table.right) / 2 - middleX(name)),
  );
  return off.indexOf(Math.min(...off));
}
