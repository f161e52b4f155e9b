import { stepsOf } from "./band-rows.ts";
import { around, middleY } from "./geometry.ts";
import type { Segment } from "./layout.ts";
import type { Rule } from "./page-content.ts";

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
