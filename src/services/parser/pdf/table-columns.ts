import type { Box } from "./geometry.ts";
import type { Segment } from "./layout.ts";

/** The gap between two columns, at least, in type sizes. */
const GAP = 0.7;
/** Lines that may reach over a gap: headings over several columns. */
const MOST_ACROSS = 0.2;

/**
 * Where the columns of lines begin: at the strips in which nearly no line has anything.
 * @returns left edges, the first that of the box.
 */
export function columnsBetween(lines: readonly (readonly Segment[])[], box: Box): number[] {
  const size = lines[0]?.[0]?.size ?? 10;
  const from = Math.floor(box.left);
  const taken = Array.from({ length: Math.max(0, Math.ceil(box.right) - from + 1) }, () => 0);
  for (const line of lines) {
    for (const { left, right } of line)
      for (let x = Math.max(0, Math.floor(left) - from); x <= Math.min(taken.length - 1, Math.ceil(right) - from); x += 1)
        taken[x] = (taken[x] ?? 0) + 1;
  }
  const most = lines.length * MOST_ACROSS;
  const starts: number[] = [box.left];
  let gapFrom: number | undefined;
  let begun = false;
  for (const [x, count] of taken.entries()) {
    const free = count <= most;
    if (free) gapFrom ??= x;
    else {
      if (begun && gapFrom !== undefined && x - gapFrom >= GAP * size) starts.push(from + (gapFrom + x) / 2);
      gapFrom = undefined;
      begun = true;
    }
  }
  return starts;
}
