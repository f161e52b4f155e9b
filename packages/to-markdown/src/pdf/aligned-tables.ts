import { groupsOf, stepBetween, stepsOf, groupByLines } from "./band-rows.ts";
import { around, type Box, holds, median, middleY, width, bandsOf } from "./geometry.ts";
import { hasLeaders, type Segment, type Table, textOf, type Word } from "./layout.ts";
import { isOutsideRows } from "./outside-rows.ts";
import { partLineNumbers } from "./line-numbers.ts";
import type { Rule } from "./page-content.ts";
import { piecesOf } from "./row-pieces.ts";
import { partAtEdges } from "./shared-edges.ts";
import { rowsIn } from "./split-bands.ts";
import { splitRow } from "./split-row.ts";
import { tableFrom, withWholeHead } from "./table-cells.ts";
import { chooseRows, rowsBetweenLines } from "./choose-rows.ts";
import { columnsBetween } from "./table-columns.ts";
import { type Band, follows, isRemark, runsOf, SAME_EDGE } from "./table-runs.ts";
import { contentsIn, isIndex } from "./judge-contents.ts";
import { areAuthors, areCells, areMarks, isHeaded } from "./judge-table.ts";

/** The lines drawn in the area where tables are searched, horizontal ones from top to bottom. */
export interface Drawn {
  levels: readonly Rule[];
  uprights: readonly Rule[];
}

const MIN_ROWS = 3;
/** Two rows are a table where so many columns begin together. */
const MANY_COLUMNS = 4;
/** The head of a page fills at most this share of the columns of a table below it. */
const MAX_HEAD_SHARE = 0.7;
/** … and is so many times farther from it than its rows are from each other, … */
const AWAY = 1.6;
/**
 * … or is parted from it by two lines. Lines at this distance, in ems, with nothing between
 * them are no double line.
 */
const MIN_RULE_GAP = 0.5;
/** A sentence runs over so many columns, and has so many characters. */
const MIN_OVER = 3;
const MIN_SENTENCE = 50;
/** So many columns that this share of the rows fills show a table of so many rows. */
const MIN_STEADY = 3;
const STEADY = 0.85;
const MIN_SPARSE_ROWS = 6;
/** The distances between lines of one text differ by less than this share. */
const UNEVEN = 0.2;
/** The number of lines that are examined above and below a run. */
const MAX_MORE = 40;

/**
 * Finds tables by the positions of their words: runs of bands that have gaps in common. Lines drawn
 * between the bands confirm a table, and separate its rows.
 */
export function alignedTables(segments: readonly Segment[], drawn: Drawn): Table[] {
  const { lines, numbers } = partLineNumbers(
    bandsOf(partAtEdges(segments.flatMap(piecesOf))),
  );
  const contents = contentsIn(lines);
  const bands = rowsIn(lines, contents);
  const places = new Map(bands.map((band, at) => [band, at]));
  const taken = new Set<readonly Segment[]>([...contents, ...contentsIn(bands)]);
  const tables: Table[] = [];
  // the longest run shows its columns most reliably
  for (const run of runsOf(bands, drawn.levels).toSorted((a, b) => b.length - a.length)) {
    const free = run.filter((band) => !taken.has(band));
    if (free.length < 2) continue;
    const from = places.get(free[0] ?? []) ?? 0;
    const to = places.get(free.at(-1) ?? []) ?? 0;
    const { rows, starts } = withColumns(free, drawn);
    const ask = { rows, starts, drawn, taken };
    const above = rowsBeside(
      ask,
      bands.slice(Math.max(0, from - MAX_MORE), from).toReversed(),
    );
    const below = rowsBeside(ask, bands.slice(to + 1, to + 1 + MAX_MORE));
    const found = [...above.toReversed(), ...rows, ...below];
    const named = withoutSentences(found, starts);
    const all = withoutRunningHead(named, starts.length, drawn.levels);
    const isAsFound = all.length === free.length && rows === free;
    const table = tableOf(all, drawn, isAsFound ? undefined : starts);
    if (!table || numbers.some((number) => holds(table, number))) continue;
    if (
      drawn.levels.length === 0 &&
      isOfText(all, [bands[from - above.length - 1], bands[to + 1 + below.length]])
    )
      continue;
    tables.push(table);
    for (const band of bands.slice(from - above.length, to + 1 + below.length))
      taken.add(band);
  }
  return tables.toSorted((a, b) => a.top - b.top);
}

/** Rows without a first one and a last one that are sentences. */
function withoutSentences(rows: readonly Band[], starts: readonly number[]): Band[] {
  if (rows.length <= MIN_ROWS) return [...rows];
  const from = isSentence(rows[0], rows[1], starts) ? 1 : 0;
  const to = isSentence(rows.at(-1), rows.at(-2), starts) ? -1 : rows.length;
  return rows.slice(from, to);
}

/**
 * Whether a row is a sentence about the table, of which a justified word or a mark stands apart as
 * a cell does: its text runs over several columns.
 */
function isSentence(
  row: Band = [],
  beside: Band = [],
  starts: readonly number[] = [],
): boolean {
  const [text] = row.toSorted((a, b) => a.left - b.left);
  if (!text || row.length >= beside.length) return false;
  const over = starts.filter((start) => start > text.left && start < text.right);
  return over.length + 1 >= MIN_OVER && textOf(text).length >= MIN_SENTENCE;
}

/**
 * Whether rows are lines of a text whose words stand apart by chance, as scans are read: full lines
 * go on above and below them, from edge to edge and at the same distance.
 */
function isOfText(rows: readonly Band[], beside: readonly (Band | undefined)[]): boolean {
  const box = around(rows.flat());
  const [above, below] = beside;
  if (!above || !below || above.length > 1 || below.length > 1) return false;
  const size = rows[0]?.[0]?.size ?? 10;
  const lines = [above, ...rows, below];
  const steps = lines.slice(1).map((line, at) => stepBetween(lines[at] ?? [], line));
  const usual = median(steps);
  return (
    [above, below].every((line) => {
      const { left, right } = around(line);
      return Math.abs(left - box.left) < 2 * size && right > box.right - 2 * size;
    }) && steps.every((step) => Math.abs(step - usual) < UNEVEN * usual)
  );
}

/**
 * Rows without a first one that is no head of theirs: it has few cells, and is far above the first
 * line of the table, or apart from it by two lines, as the head of a page is.
 */
function withoutRunningHead(
  rows: readonly Band[],
  columns: number,
  levels: readonly Rule[],
): Band[] {
  const [first, second] = [rows[0] ?? [], rows[1] ?? []];
  if (rows.length <= MIN_ROWS || first.length > columns * MAX_HEAD_SHARE) return [...rows];
  const [above, below] = [around(first), around(second)];
  const between = levels.filter(
    ({ at, from, to }) =>
      at > middleY(above) && at < middleY(below) && from < below.right && to > below.left,
  );
  const gap = (between.at(-1)?.at ?? 0) - (between[0]?.at ?? 0);
  const [step = 0, ...others] = stepsOf(rows);
  // names of all columns but the first may stand apart
  const isApart =
    between.length > 0 &&
    first.length < columns - 1 &&
    step > AWAY * Math.max(...others.slice(0, MAX_MORE));
  return isApart || gap > (first[0]?.size ?? 10) * MIN_RULE_GAP ? rows.slice(1) : [...rows];
}

/**
 * The rows of a run with the left edges of their columns. Where columns, or their names, stand
 * nearer to each other than columns mostly do, the rows with the most cells show them.
 */
function withColumns(
  rows: Band[],
  { uprights }: Drawn,
): { rows: Band[]; starts: number[] } {
  const starts = columnsBetween(rows, around(rows.flat()), uprights);
  const most = Math.max(...rows.map((row) => row.length));
  const rich = rows.filter((row) => row.length === most);
  const others = rows.length - rich.length;
  if (most <= starts.length || rich.length < 2 || others > Math.min(rich.length, MAX_MORE))
    return { rows, starts };
  const sorted = rich.map((row) => row.toSorted((a, b) => a.left - b.left));
  const columns = Array.from({ length: most }, (_, at) =>
    around(sorted.flatMap((row) => row[at] ?? [])),
  );
  const more = columns.map(({ left }, at) => ((columns[at - 1]?.right ?? left) + left) / 2);
  const parted = columns.every(({ left }, at) => left >= (columns[at - 1]?.right ?? left));
  const split = rows.map((row) =>
    row.length === most || isRemark(row, rich) ? row : splitRow(row, rich, more),
  );
  return parted && split.every((row) => row !== undefined)
    ? { rows: split, starts: more }
    : { rows, starts };
}

interface Ask {
  rows: readonly Band[];
  starts: readonly number[];
  drawn: Drawn;
  taken: ReadonlySet<readonly Segment[]>;
}

/** The lines next to a run, the nearest first, whose words show that they are rows of it. */
function rowsBeside({ rows, starts, drawn, taken }: Ask, lines: readonly Band[]): Band[] {
  const more: Band[] = [];
  let last = lines[0] && lineIsAbove(lines[0], rows) ? rows[0] : rows.at(-1);
  for (const line of lines) {
    if (starts.length < 2 || !last || taken.has(line) || isOutsideRows(line)) break;
    const [upper, lower] = lineIsAbove(line, rows) ? [line, last] : [last, line];
    if (!follows([upper], lower, drawn.levels)) break;
    const row = splitRow(line, rows, starts);
    if (!row) break;
    more.push(row);
    last = line;
  }
  return more;
}

const lineIsAbove = ([piece]: Band, rows: readonly Band[]): boolean =>
  (piece?.baseline ?? 0) < (rows[0]?.[0]?.baseline ?? 0);

/** @param known the left edges of the columns, where they are known */
function tableOf(
  bands: readonly Band[],
  drawn: Drawn,
  known?: number[],
): Table | undefined {
  const pieces = bands.flat();
  const box = around(pieces);
  const inside = { ...drawn, levels: drawn.levels.filter((level) => crosses(level, box)) };
  const starts = known ?? columnsBetween(bands, box, inside.uprights);
  const code = pieces.filter(({ words }) => words.every(({ style }) => style.mono));
  if (starts.length < 2 || code.length > pieces.length * 0.7) return undefined;
  if (pieces.some((piece) => hasLeaders(textOf(piece))) || areMarks(pieces))
    return undefined;
  if (areAuthors(bands)) return undefined;
  const ruled = inside.levels.length >= 3;
  const parted = groupByLines(inside.levels, bands, starts.length);
  const spaced = (parted ?? groupsOf(bands)).length < bands.length;
  const rows = parted
    ? parted.flatMap((group) => rowsBetweenLines(group, starts))
    : withWholeHead(chooseRows(bands, starts), inside.levels);
  const headed = isHeaded(rows);
  if (!ruled && !areCells(pieces, starts, { spaced, headed })) return undefined;
  if (!ruled && !headed && isIndex(bands)) return undefined;
  // pieces that are side by side by chance use few columns
  const used = starts.filter(
    (_, at) => rows.filter((row) => (row[at]?.length ?? 0) > 0).length > 1,
  ).length;
  const columns = used < 2 ? starts.length : used;
  // a table with lines between its rows may have many empty cells
  const filled = ruled || isSparse(rows) ? 2 : Math.min(columns, Math.max(2, columns - 1));
  const whole = rows.filter((row) => filledIn(row) >= filled);
  const sure =
    ruled || ((headed || areParted(inside.uprights, box, starts)) && starts.length > 2);
  const enough = sure || areNamedValues(bands, starts) ? MIN_ROWS - 1 : MIN_ROWS;
  if (whole.length < Math.max(enough, rows.length * 0.5)) return undefined;
  return tableFrom(box, rows, starts);
}

/** Whether nearly all rows fill some columns, and the first one, in words, names nearly all. */
function isSparse(rows: readonly (readonly Word[][])[]): boolean {
  const [names = []] = rows;
  const isNamed =
    filledIn(names) >= names.length - 1 &&
    !names.flat().some(({ text }) => /^\p{N}/u.test(text));
  const steady = names.filter(
    (_, at) =>
      rows.filter((row) => (row[at]?.length ?? 0) > 0).length >= rows.length * STEADY,
  );
  return isNamed && rows.length >= MIN_SPARSE_ROWS && steady.length >= MIN_STEADY;
}

/** Whether two rows are names without digits and, exactly below them, values with some. */
function areNamedValues(rows: readonly Band[], starts: readonly number[]): boolean {
  const [names = [], values = []] = rows;
  if (rows.length !== 2 || starts.length < MANY_COLUMNS) return false;
  const isFull = [names, values].every((row) => row.length === starts.length);
  const [above, below] = [names, values].map((row) =>
    row.toSorted((a, b) => a.left - b.left),
  );
  const isLevel = above?.every(
    ({ left }, at) => Math.abs(left - (below?.[at]?.left ?? 0)) < SAME_EDGE,
  );
  const hasDigit = (piece: Segment) => /\p{N}/u.test(textOf(piece));
  return isFull && isLevel === true && !names.some(hasDigit) && values.some(hasDigit);
}

/** Whether drawn lines, or breaks in them, part all columns. */
function areParted(
  uprights: readonly Rule[],
  box: Box,
  starts: readonly number[],
): boolean {
  const inside = uprights.filter(
    ({ at, from, to }) =>
      at > box.left && at < box.right && to > box.top && from < box.bottom,
  );
  return inside.length >= starts.length - 1;
}

const filledIn = (row: readonly Word[][]): number =>
  row.filter((cell) => cell.length > 0).length;

/** Whether a horizontal line crosses a box or runs along its edge, over most of its width. */
function crosses({ at, from, to }: Rule, box: Box): boolean {
  const slack = 12;
  if (at < box.top - slack || at > box.bottom + slack) return false;
  return Math.min(to, box.right) - Math.max(from, box.left) > 0.6 * width(box);
}
