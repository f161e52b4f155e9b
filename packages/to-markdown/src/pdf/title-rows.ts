import { around, holds } from "./geometry.ts";
import { type Segment, type Table, textOf } from "./layout.ts";
import type { Rule } from "./page-content.ts";
import { writePlain } from "./write-inline.ts";

/** A title is no farther from the rules around it, in type sizes: a heading of its own is. */
const NEAR = 0.9;
/** It has the padding of the cells, within these points; text outside of the table has none. */
const SAME = 2;
/** Running text fills this share of the width of the table. */
const PROSE = 0.75;
/** What names a table from outside. */
const CAPTION = /^(table|tab\.|tabelle|figure|fig\.|abbildung|abb\.|tableau|tabla)\s?\d/i;

/**
 * A table with the title that stands above it between two of its rules, or on a background: a row
 * over all columns, which shows no columns by itself.
 * @param stack the rules that the table has in common, from top to bottom
 */
export function withTitleRow(
  table: Table,
  stack: readonly Rule[],
  segments: readonly Segment[],
): Table {
  const above = stack.filter(({ at }) => at < table.top);
  // the nearest rule may be the one under the title
  for (const { at, from, to } of above.toReversed()) {
    const box = { left: from, right: to, top: at, bottom: table.top };
    const [title, ...more] = segments.filter((segment) => holds(box, segment));
    if (!title) continue;
    if (more.length > 0 || !isTitle(title, table) || !isBetween(title, stack)) return table;
    const row = table.columns.map((_, column) => (column === 0 ? writePlain([title]) : ""));
    return { ...table, ...around([table, title]), rows: [row, ...table.rows] };
  }
  return table;
}

/** Whether a line begins where the cells do, and is no running text. */
const isTitle = (line: Segment, table: Table): boolean =>
  Math.abs(line.left - table.left) < SAME &&
  line.right - line.left <= PROSE * (table.right - table.left) &&
  !CAPTION.test(textOf(line));

/** Whether rules are near above and below a line. */
const isBetween = ({ top, bottom, size }: Segment, stack: readonly Rule[]): boolean =>
  stack.some(({ at }) => at <= top && top - at < NEAR * size) &&
  stack.some(({ at }) => at >= bottom && at - bottom < NEAR * size);
