import { around, type Box, overlapX, overlapY } from "./geometry.ts";
import type { Segment, Table } from "./layout.ts";

/** Parts of a table stand no farther apart, in points. */
const MAX_GAP = 36;
/** The left and right edges of parts differ by less than these points. */
const ALIKE = 12;
const MIN_COLUMNS = 3;

/**
 * Joins the parts of a table that stand below each other, each with a name of its own: the space
 * above a name, or a line there, ends what seems to be a table.
 * @param rest what is in no table: text between two of them keeps these apart
 */
export function joinParts(tables: readonly Table[], rest: readonly Segment[]): Table[] {
  const joined: Table[] = [];
  for (const table of tables.toSorted((a, b) => a.top - b.top)) {
    const at = joined.findIndex((above) => goesOn(above, table, rest));
    const above = joined[at];
    if (above) joined[at] = together(above, table);
    else joined.push(table);
  }
  return joined;
}

function goesOn(above: Table, below: Table, rest: readonly Segment[]): boolean {
  const gap = below.top - above.bottom;
  if (gap < -1 || gap > MAX_GAP || !isNamed(below) || !haveColumnsAlike(above, below))
    return false;
  const between: Box = {
    left: Math.min(above.left, below.left),
    right: Math.max(above.right, below.right),
    top: above.bottom,
    bottom: below.top,
  };
  return !rest.some(
    (segment) => overlapX(segment, between) > 0 && overlapY(segment, between) > 0,
  );
}

/** Whether the first row is a name in the first column alone. */
const isNamed = ({ rows: [first = [], second = []] }: Table): boolean =>
  first[0] !== "" && first.slice(1).every((cell) => cell === "") && second[0] !== "";

/** Whether two tables have as many columns, each over the same place of the page. */
function haveColumnsAlike(above: Table, below: Table): boolean {
  const [upper, lower] = [above.columns, below.columns];
  return (
    upper.length === lower.length &&
    upper.length >= MIN_COLUMNS &&
    Math.abs(above.left - below.left) < ALIKE &&
    upper.every((start, at) => at === 0 || start < (lower[at + 1] ?? below.right)) &&
    lower.every((start, at) => at === 0 || start < (upper[at + 1] ?? above.right))
  );
}

function together(above: Table, below: Table): Table {
  const { heights: _, ...table } = above;
  return { ...table, ...around([above, below]), rows: [...above.rows, ...below.rows] };
}
