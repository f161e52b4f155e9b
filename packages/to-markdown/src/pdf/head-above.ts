import { around, bandsOf, middleX, middleY } from "./geometry.ts";
import type { Segment, Table } from "./layout.ts";
import { piecesOf } from "./row-pieces.ts";
import { writePlain } from "./write-inline.ts";

/** The names of columns stand no farther above the first row of their table, in type sizes, … */
const ABOVE = 2.4;
/** … and their lines no farther from each other. */
const LEADING = 0.6;
/** Names may reach so far out of their column, in points. */
const SLACK = 3;
/** So many lines are no names of columns any more. */
const MAX_LINES = 5;

/**
 * A table with the bold names of its columns that stand over it, where no lines are drawn: one for
 * each column, of one line or of several, which may be set around their middle.
 */
export function withHeadAbove(table: Table, segments: readonly Segment[]): Table {
  const names = namesAbove(table, segments);
  const first = segments.filter(
    (segment) => segment.top >= table.top - SLACK && segment.top < table.top + segment.size,
  );
  if (names.length === 0 || (first.length > 0 && first.every(isBold))) return table;
  const cells = table.columns.map((column, at) =>
    names.filter(
      ({ left, right }) =>
        left >= column - SLACK && right <= (table.columns[at + 1] ?? Infinity) + SLACK,
    ),
  );
  if (cells.some((cell) => cell.length === 0) || cells.flat().length !== names.length)
    return table;
  const row = cells.map((cell) =>
    writePlain(cell.toSorted((a, b) => a.baseline - b.baseline || a.left - b.left)),
  );
  return { ...table, rows: [row, ...table.rows], top: around(names).top };
}

/** The bold lines next above a table, up to one that is not bold or stands apart. */
function namesAbove(table: Table, segments: readonly Segment[]): Segment[] {
  const over = segments.filter(
    (segment) =>
      segment.bottom <= table.top + SLACK &&
      middleX(segment) > table.left &&
      middleX(segment) < table.right,
  );
  const names: Segment[] = [];
  let { top } = table;
  let most = ABOVE;
  for (const band of bandsOf(over.flatMap(piecesOf)).toReversed()) {
    const box = around(band);
    const size = band[0]?.size ?? 10;
    if (top - box.bottom > most * size || !band.every(isBold)) break;
    names.push(...band);
    top = box.top;
    most = LEADING;
  }
  const lines = new Set(names.map((name) => Math.round(middleY(name))));
  return lines.size > MAX_LINES ? [] : names;
}

const isBold = ({ words }: Segment): boolean => words.every(({ style }) => style.bold);
