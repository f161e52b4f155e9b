import { heaviest, around, middleY } from "./geometry.ts";
import type { Segment, Word } from "./layout.ts";
import { withContinued } from "./table-cells.ts";
import type { Rule } from "./page-content.ts";

/** The maximum distance in ems between the lines of one cell. */
const LEADING = 1.5;
/** … where text is set with much space between its lines. */
export const LOOSE_LEADING = 1.8;
/** Rows are at least this many times farther apart than the lines of a cell. */
const ROW_GAP = 1.25;
/** … where little space is around cells. */
export const CLOSE_ROW_GAP = 1.1;
/** A group with this many bands that fill most columns is several rows, however close they are. */
const MAX_FULL = 3;

/** Bands with a smaller distance, in ems, overlap: one is between two lines of the other. */
const LOWEST_STEP = 1;

type Band = readonly Segment[];

/**
 * The rows of a table without lines between them: one row for each group of bands, except for a
 * group that continues the cells above.
 * @param starts left edges of the columns
 * @param certain whether drawn lines separate the groups, rather than space
 */
export function rowsOfGroups(
  groups: readonly (readonly Band[])[],
  starts: readonly number[],
  certain = false,
): Word[][][] {
  const rows = groups.flatMap((group) => {
    const each = group.map((band) => rowOf(band, starts));
    const full = each.filter(
      (row) => row.filter((cell) => cell.length > 0).length > starts.length * 0.6,
    );
    const separate = !certain && full.length >= MAX_FULL && starts.length > 2;
    return separate ? each : [starts.map((_, at) => each.flatMap((row) => row[at] ?? []))];
  });
  return certain ? rows : withContinued(rows);
}

/**
 * Groups bands into rows. If the distances between bands have two sizes, the smaller one is between
 * lines of a cell; otherwise each band is a row.
 */
export function groupsOf(
  bands: readonly Band[],
  leading = LEADING,
  gap = ROW_GAP,
): Band[][] {
  const steps = stepsOf(bands);
  const nearest = Math.min(...steps);
  const size = Math.max(...bands.map(([first]) => first?.size ?? 1));
  const apart = (step: number) => isFarther(step, nearest, gap);
  const two = nearest <= size * leading && steps.filter(apart).length >= 2;
  const groups: Band[][] = [];
  for (const [at, band] of bands.entries()) {
    const open = groups.at(-1);
    if (open && two && !apart(steps[at - 1] ?? 0)) open.push(band);
    else groups.push([band]);
  }
  return groups;
}

/** Whether bands stand apart as rows do, beside lines of one cell. */
export const isFarther = (step: number, lines: number, gap = ROW_GAP): boolean =>
  step > lines * gap;

/** The distance from each band to the next. */
export const stepsOf = (bands: readonly Band[]): number[] =>
  bands.slice(1).map((band, at) => stepBetween(bands[at] ?? [], band));

/**
 * The distance from the last line of a band to the first line of the next one; between cells if a
 * label is vertically between them.
 */
export function stepBetween(above: Band, below: Band): number {
  const [last, first] = [above.map(baselineOf), below.map(baselineOf)];
  const step = Math.min(...first) - Math.max(...last);
  if (step >= LOWEST_STEP * (above[0]?.size ?? 1)) return step;
  const usual = (all: readonly number[]) =>
    heaviest(
      all.map((at) => [at, 1] as const),
      0,
    );
  return usual(first) - usual(last);
}

const baselineOf = ({ baseline }: Segment): number => baseline;

function rowOf(band: Band, starts: readonly number[]): Word[][] {
  const row = starts.map((): Word[] => []);
  for (const piece of band) {
    const column = starts.findLastIndex((start) => start <= piece.left + 1);
    row[Math.max(0, column)]?.push(...piece.words);
  }
  return row;
}

/**
 * Groups the bands between the same two lines, if lines separate the rows: then no two rows with
 * most of their cells are between the same two lines.
 */
export function groupByLines(
  levels: readonly Rule[],
  bands: readonly Segment[][],
  columns: number,
): Segment[][][] | undefined {
  if (levels.length < 3) return undefined;
  const groups = new Map<number, Segment[][]>();
  for (const band of bands) {
    const row = levels.findLastIndex(({ at }) => at <= middleY(around(band)));
    groups.set(row, [...(groups.get(row) ?? []), band]);
  }
  // bands so far apart are no lines of one cell, however few cells they have
  const apart = [...groups.values()].filter((group) => isApart(group));
  if (apart.length > groups.size * 0.2) return undefined;
  const full = (band: Segment[]) => band.length > Math.max(1, columns * 0.7);
  const several = [...groups.values()].filter((group) => group.filter(full).length > 1);
  return several.length > groups.size * 0.2 ? undefined : [...groups.values()];
}

/** The minimum distance in ems between rows that nothing parts, and no line of a cell has. */
const ROW_STEP = 1.85;

/** Whether all bands of a group stand as far from each other as rows do, in several columns. */
const isApart = (group: readonly Segment[][]): boolean =>
  group.length > 1 &&
  group.filter((band) => band.length > 1).length > 1 &&
  stepsOf(group).every((step) => step > ROW_STEP * (group[0]?.[0]?.size ?? 1));
