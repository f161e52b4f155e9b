import { segmentOf } from "./build-segments.ts";
import { around } from "./geometry.ts";
import type { Segment, Word } from "./layout.ts";

/** A space between cells of two columns, at least, in type sizes, … */
const SPACE = 0.4;
/** … or this much more than those between words of one cell. */
const WIDER = 1.15;
/** Text this many times larger is a heading. */
const LARGER = 1.15;
/** How far, in ems, cells may extend beyond the columns. */
const OUTSIDE = 2;

/**
 * Divides a line above or below a table into cells, if each of its words is in one column: names
 * and long cells may be closer to each other than the cells of other rows.
 * @param starts left edges of the columns of `rows`
 * @returns undefined for a line that is not a row of the table
 */
export function splitRow(
  line: readonly Segment[],
  rows: readonly (readonly Segment[])[],
  starts: readonly number[],
): Segment[] | undefined {
  const pieces = rows.flat();
  const box = around(pieces);
  const size = line[0]?.size ?? 10;
  const words = line.flatMap((piece) => piece.words).toSorted((a, b) => a.left - b.left);
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || size > LARGER * (pieces[0]?.size ?? size)) return undefined;
  if (first.left < box.left - OUTSIDE * size || last.right > box.right + OUTSIDE * size)
    return undefined;
  const columns = columnsOf(pieces, starts);
  if (isInColumns(line, columns)) return [...line];
  const named = new Map<number, Word[]>();
  const spaces: number[] = [];
  const gaps: number[] = [];
  let before: { word: Word; column: number } | undefined;
  for (const word of words) {
    const column = columnAt(word, columns);
    if (column === undefined || (before && column < before.column)) return undefined;
    if (before) {
      const gap = word.left - before.word.right;
      if (column > before.column) gaps.push(gap);
      else if (!word.glued) spaces.push(gap);
    }
    named.set(column, [...(named.get(column) ?? []), word]);
    before = { word, column };
  }
  const least = spaces.length > 0 ? WIDER * Math.max(...spaces) : SPACE * size;
  if (Math.min(...gaps) < Math.min(SPACE * size, least)) return undefined;
  if (named.size < starts.length - (starts.length > 3 ? 1 : 0)) return undefined;
  return [...named.values()].map(segmentOf);
}

/** Whether a line has a piece for each column, which reaches into no other. */
function isInColumns(line: readonly Segment[], columns: readonly Column[]): boolean {
  const pieces = line.toSorted((a, b) => a.left - b.left);
  return (
    pieces.length === columns.length &&
    pieces.every(
      ({ left, right }, at) =>
        left > (columns[at - 1]?.right ?? -Infinity) &&
        right < (columns[at + 1]?.left ?? Infinity),
    )
  );
}

interface Column {
  left: number;
  right: number;
}

function columnsOf(pieces: readonly Segment[], starts: readonly number[]): Column[] {
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? Infinity;
    return around(pieces.filter(({ left }) => left >= start - 1 && left < end - 1));
  });
}

/** The column of a word: the one that it overlaps, or the nearest one. */
function columnAt(word: Word, columns: readonly Column[]): number | undefined {
  const over = columns.flatMap(({ left, right }, at) =>
    Math.min(right, word.right) - Math.max(left, word.left) > 1 ? [at] : [],
  );
  if (over.length > 1) return undefined;
  if (over[0] !== undefined) return over[0];
  const distances = columns.map(({ left, right }) =>
    Math.max(left - word.right, word.left - right, 0),
  );
  return distances.indexOf(Math.min(...distances));
}
