import { around, type Box, middleY } from "./geometry.ts";
import { type Segment, type Table, textOf } from "./layout.ts";
import { writePlain } from "./write-inline.ts";

/** Labels stand no farther from their grid, in type sizes. */
const FARTHEST = 5;
/** Longer texts are no labels. */
const MAX_CHARACTERS = 40;
const MIN_LABELS = 3;

/**
 * A grid with the labels of its rows, which stand at its left without lines: one beside each row,
 * but for the names of the columns, and nothing else beside the grid.
 */
export function withLabelsBeside(table: Table, segments: readonly Segment[]): Table {
  const { heights } = table;
  if (!heights || heights.length !== table.rows.length + 1) return table;
  const beside = segments.filter(
    (segment) =>
      segment.right <= table.left + 1 &&
      segment.bottom > table.top - segment.size &&
      segment.top < table.bottom + segment.size,
  );
  const rowOf = (segment: Segment) => heights.findLastIndex((at) => at <= middleY(segment));
  const rows = table.rows.map((_, row) => beside.filter((each) => rowOf(each) === row));
  const placed = rows.flat();
  const labelled = rows.filter((lines) => lines.length > 0).length;
  const isWhole = rows.slice(1).every((lines) => lines.length > 0);
  if (placed.length < beside.length || labelled < MIN_LABELS || !isWhole) return table;
  if (!placed.every((line) => textOf(line).length <= MAX_CHARACTERS)) return table;
  const box: Box = around(placed);
  const size = placed[0]?.size ?? 0;
  if (table.left - box.right > FARTHEST * size) return table;
  return {
    ...table,
    left: box.left,
    columns: [box.left, ...table.columns],
    rows: table.rows.map((cells, row) => [writePlain(rows[row] ?? []), ...cells]),
  };
}
