import { around, holds } from "./geometry.ts";
import { type Segment, type Table, textOf, type Word } from "./layout.ts";
import { linesOf, tableFrom, withContinued } from "./table-cells.ts";
import { columnsBetween } from "./table-columns.ts";

/** Lines of a table without rules stand no farther apart, in type sizes. */
const FARTHEST_ROW = 2.6;
/** Columns of text have longer lines than cells. */
const LONGEST_CELL = 24;
const LEAST_ROWS = 3;
const LONGEST_PIECE = 36;
/** Points that lead from a title to its page. */
const LEADERS = /\.{4,}|(\. ){4,}/;

/** Rows of short pieces that stand below each other in columns. */
export function alignedTables(segments: readonly Segment[]): Table[] {
  const tables: Table[] = [];
  let open: Segment[][] = [];
  const flush = () => {
    while (open.length > 0 && (open.at(-1)?.length ?? 0) < 2) open.pop();
    const table = open.filter((line) => line.length > 1).length >= LEAST_ROWS ? alignedTable(open) : undefined;
    if (table && !long.some((segment) => holds(table, segment, 2))) tables.push(table);
    open = [];
  };
  // lines of text beside a table are not its rows
  const long = segments.filter((segment) => textOf(segment).length > LONGEST_PIECE);
  for (const line of linesOf(segments.filter((segment) => !long.includes(segment)))) {
    const before = open.at(-1)?.[0];
    const size = Math.max(line[0]?.size ?? 1, 1);
    if (before && (line[0]?.baseline ?? 0) - before.baseline > FARTHEST_ROW * size) flush();
    const goesOn =
      line.length === 1 && open.length > 0 && (line[0]?.left ?? 0) > Math.min(...open.flat().map(({ left }) => left)) + size;
    if (line.length > 1 || goesOn) open.push(line);
    else flush();
  }
  flush();
  return tables;
}

function alignedTable(lines: readonly Segment[][]): Table | undefined {
  const pieces = lines.flat();
  const box = around(pieces);
  const starts = columnsBetween(lines, box);
  const code = pieces.filter(({ words }) => words.every(({ style }) => style.mono));
  if (starts.length < 2 || code.length > pieces.length * 0.7) return undefined;
  const lengths = pieces.map((piece) => textOf(piece).length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  if (mean > LONGEST_CELL || pieces.some((piece) => LEADERS.test(textOf(piece)))) return undefined;
  const columnOf = (piece: Segment) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= piece.left + 1),
    );
  const rows = lines.map((line) => {
    const row = starts.map((): Word[] => []);
    for (const piece of line) row[columnOf(piece)]?.push(...piece.words);
    return row;
  });
  // pieces that stand beside each other by chance fall into few columns
  const whole = rows.filter(
    (row) => row.filter((cell) => cell.length > 0).length >= Math.min(starts.length, Math.max(2, starts.length - 1)),
  );
  if (whole.length < Math.max(LEAST_ROWS, rows.length * 0.5)) return undefined;
  return tableFrom(box, withContinued(rows), starts);
}
