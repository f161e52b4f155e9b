import { around, middleY, bandsOf } from "./geometry.ts";
import type { Segment, Table, Word } from "./layout.ts";
import type { Rule } from "./page-content.ts";
import { piecesOf } from "./row-pieces.ts";
import { tableFrom } from "./table-cells.ts";

/** With fewer names, one row of text may be the head of a page. */
const MIN_NAMES = 3;
const MIN_ROWS = 2;
/** Text beside the names belongs to their columns, within these points. */
const SLACK = 2;
/** Lines of a cell stand nearer to each other than this, in type sizes. */
const ROW_STEP = 1.5;

/**
 * The table between rules whose names alone show its columns, because most of these are to be
 * filled in: between the first two rules are the names, between the others a label in each row.
 * @param stack rules of one width, from top to bottom
 */
export function blankTable(
  stack: readonly Rule[],
  segments: readonly Segment[],
): Table | undefined {
  const [first, second] = stack;
  const last = stack.at(-1);
  if (!first || !second || !last || stack.length < 3) return undefined;
  const within = (from: number, to: number) =>
    segments
      .filter((segment) => middleY(segment) > from && middleY(segment) < to)
      .flatMap(piecesOf);
  const heads = bandsOf(within(first.at, second.at));
  const names = heads[0]?.toSorted((a, b) => a.left - b.left) ?? [];
  if (heads.length !== 1 || names.length < MIN_NAMES) return undefined;
  const bands = bandsOf(within(second.at, last.at));
  if (bands.length < MIN_ROWS || !areApart(bands)) return undefined;
  const columnOf = ({ left }: Segment) =>
    Math.max(
      0,
      names.findLastIndex((name) => name.left <= left + SLACK),
    );
  const fits = bands.every((band) =>
    band.every((piece) => piece.right <= (names[columnOf(piece) + 1]?.left ?? last.to)),
  );
  // each row has a label, in the first column
  if (!fits || !bands.every((band) => band.some((piece) => columnOf(piece) === 0)))
    return undefined;
  const rows = [names, ...bands].map((band) => {
    const row = names.map((): Word[] => []);
    for (const piece of band) row[columnOf(piece)]?.push(...piece.words);
    return row;
  });
  const box = around([...names, ...bands.flat()]);
  return tableFrom(
    box,
    rows,
    names.map(({ left }) => left),
    "blank",
  );
}

/** Whether all bands stand farther apart than lines of a text. */
function areApart(bands: readonly (readonly Segment[])[]): boolean {
  return bands.slice(1).every((band, at) => {
    const [above] = bands[at] ?? [];
    const [piece] = band;
    return above && piece && piece.baseline - above.baseline > ROW_STEP * piece.size;
  });
}
