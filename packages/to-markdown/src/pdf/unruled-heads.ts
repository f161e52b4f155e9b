import { bandsOf } from "./bands.ts";
import { around } from "./geometry.ts";
import type { Segment, Table } from "./layout.ts";
import { piecesOf } from "./row-pieces.ts";
import { writePlain } from "./write-inline.ts";

/** The names of columns stand no farther above their grid, in type sizes. */
const ABOVE = 1.6;
/** Names may reach so far out of their column, in points. */
const SLACK = 3;

/** A grid with the bold names of its columns that stand over it, where no lines are drawn. */
export function withHeadAbove(table: Table, segments: readonly Segment[]): Table {
  const near = segments.filter(
    ({ bottom, left, right, size }) =>
      bottom <= table.top + SLACK &&
      bottom > table.top - ABOVE * size &&
      right > table.left &&
      left < table.right,
  );
  const names = bandsOf(near.flatMap(piecesOf)).at(-1) ?? [];
  const sorted = names.toSorted((a, b) => a.left - b.left);
  if (sorted.length !== table.columns.length || !sorted.every(isBold)) return table;
  const isOver = sorted.every(
    ({ left, right }, at) =>
      left >= (table.columns[at] ?? 0) - SLACK &&
      right <= (table.columns[at + 1] ?? table.right) + SLACK,
  );
  if (!isOver) return table;
  const rows = [sorted.map((piece) => writePlain([piece])), ...table.rows];
  return { ...table, rows, top: around(sorted).top };
}

const isBold = ({ words }: Segment): boolean => words.every(({ style }) => style.bold);
