import { around, type Box, middleX, overlapX } from "./geometry.ts";
import type { Word } from "./layout.ts";
import type { TaggedCell } from "./page-content.ts";

/**
 * Corrects the columns of tagged cells by their positions on the page. Some programs leave out
 * empty cells, so that the cells after them seem to be too far left. Then the columns of complete
 * rows decide.
 */
export function placeByPosition(
  words: readonly Word[],
  columns: number,
): ReadonlyMap<TaggedCell, number> {
  const moved = new Map<TaggedCell, number>();
  const boxes = boxesOf(words);
  const rows = Map.groupBy(boxes.keys(), ({ row }) => row);
  const whole = [...rows.values()].filter((row) => isWhole(row, columns));
  if (whole.length === 0) return moved;
  const places = Array.from({ length: columns }, (_, at) =>
    around(whole.flatMap((row) => boxes.get(row[at] as TaggedCell) ?? [])),
  );
  for (const row of rows.values()) {
    if (row.some(({ across }) => across > 1)) continue;
    if (Math.max(...row.map(({ column }) => column)) === columns - 1) continue;
    const ordered = row.toSorted((a, b) => a.column - b.column);
    const seen = ordered.map((cell) => nearest(boxes.get(cell) as Box, places));
    const rises = seen.every((at, index) => index === 0 || at > (seen[index - 1] ?? 0));
    if (rises)
      for (const [index, cell] of ordered.entries()) moved.set(cell, seen[index] ?? 0);
  }
  return moved;
}

function boxesOf(words: readonly Word[]): Map<TaggedCell, Box> {
  const boxes = new Map<TaggedCell, Box>();
  for (const word of words) {
    if (!word.cell) continue;
    const known = boxes.get(word.cell);
    boxes.set(word.cell, around(known ? [known, word] : [word]));
  }
  return boxes;
}

/** Whether a row has a cell of its own in every column. Sorts the row. */
function isWhole(row: TaggedCell[], columns: number): boolean {
  row.sort((a, b) => a.column - b.column);
  return row.length === columns && row.every(({ across }) => across === 1);
}

/** The column with which a cell overlaps most, or whose middle is nearest. */
function nearest(cell: Box, places: readonly Box[]): number {
  const distance = (place: Box) => Math.abs(middleX(place) - middleX(cell));
  const order = places
    .map((place, at) => ({
      at,
      shared: Math.max(overlapX(place, cell), 0),
      off: distance(place),
    }))
    .toSorted((a, b) => b.shared - a.shared || a.off - b.off);
  return order[0]?.at ?? 0;
}
