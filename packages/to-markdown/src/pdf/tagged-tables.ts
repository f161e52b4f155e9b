import { around, type Box, middleX, middleY, overlapX } from "./geometry.ts";
import { segmentOf } from "./build-segments.ts";
import type { Segment, Table, Word } from "./layout.ts";
import { tableFrom } from "./table-cells.ts";
import type { TaggedCell } from "./page-content.ts";

/** A cell with more words, in a table of few cells, is a part of the page's layout. */
const MAX_CELL_WORDS = 90;
const FEW_CELLS = 6;
const MAX_COLUMNS = 200;
/** No author writes tables with more words. */
const MAX_WORDS = 20_000;

/**
 * The tables of a tagged file, and the content outside of them. A table that only arranges the page
 * does not count.
 */
export function taggedTables(segments: readonly Segment[]): {
  tables: Table[];
  rest: Segment[];
} {
  const words = new Map<number, Word[]>();
  for (const { words: line } of segments) {
    for (const word of line) {
      if (!word.cell) continue;
      const known = words.get(word.cell.table);
      if (known) known.push(word);
      else words.set(word.cell.table, [word]);
    }
  }
  const tables: Table[] = [];
  const taken = new Set<Word>();
  for (const each of words.values()) {
    const table = tableOf(each);
    if (!table) continue;
    tables.push(table);
    for (const word of each) taken.add(word);
  }
  if (tables.length === 0) return { tables, rest: [...segments] };
  return { tables, rest: segments.flatMap((segment) => without(segment, taken)) };
}

function tableOf(words: readonly Word[]): Table | undefined {
  if (words.length > MAX_WORDS) return undefined;
  const columns = Math.max(...words.map(({ cell }) => cell?.column ?? 0)) + 1;
  const rows = [...new Set(words.map(({ cell }) => cell?.row ?? 0))].toSorted(
    (a, b) => a - b,
  );
  if (columns < 2 || columns > MAX_COLUMNS || rows.length < 2) return undefined;
  const places = new Map(rows.map((row, at) => [row, at]));
  const cells = rows.map(() => Array.from({ length: columns }, (): Word[] => []));
  const moved = placeByPosition(words, columns);
  const columnOf = ({ cell }: Word) => (cell && (moved.get(cell) ?? cell.column)) ?? 0;
  for (const word of words)
    cells[places.get(word.cell?.row ?? 0) ?? 0]?.[columnOf(word)]?.push(word);
  const filled = cells.flat().filter((cell) => cell.length > 0);
  if (filled.length < FEW_CELLS && filled.some((cell) => cell.length > MAX_CELL_WORDS))
    return undefined;
  const lefts = Array.from({ length: columns }, (_, at) => {
    const column = words.filter((word) => columnOf(word) === at);
    return column.length > 0 ? Math.min(...column.map(({ left }) => left)) : 0;
  });
  return tableFrom(firstPart(cells), cells, lefts, "told");
}

/**
 * The place of a table up to where it goes on in the next column of text: the lines between both
 * parts are no part of it.
 */
function firstPart(cells: readonly Word[][][]): Box {
  const [first, ...others] = cells.map((row) => around(row.flat()));
  let part = around(first ? [first] : []);
  for (const row of others) {
    if (overlapX(row, part) < 0 && middleY(row) < part.bottom) break;
    part = around([part, row]);
  }
  return part;
}

function without(segment: Segment, taken: ReadonlySet<Word>): Segment[] {
  const words = segment.words.filter((word) => !taken.has(word));
  if (words.length === segment.words.length) return [segment];
  return words.length === 0 ? [] : [segmentOf(words)];
}

/**
 * Corrects the columns of tagged cells by their positions on the page. Some programs leave out
 * empty cells, so that the cells after them seem to be too far left, and some say of a wrong cell
 * that it spans rows, so that the cells below are too far right. Then the columns of complete rows
 * decide.
 */
function placeByPosition(
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
    const isElsewhere = (cell: TaggedCell) =>
      overlapX(boxes.get(cell) as Box, places[cell.column] ?? around([])) <= 0;
    const reachesEnd = row.some(({ column }) => column === columns - 1);
    if (reachesEnd && !row.every(isElsewhere)) continue;
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
