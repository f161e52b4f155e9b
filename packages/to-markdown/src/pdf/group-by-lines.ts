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
  const full = (band: Segment[]) => band.length > Math.max(1, columns * 0.7);
  const several = [...groups.values()].filter((group) => group.filter(full).length > 1);
  return several.length > groups.size * 0.2 ? undefined : [...groups.values()];
}
