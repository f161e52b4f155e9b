import type { Box } from "./geometry.ts";
import type { Segment } from "./layout.ts";

/** The gap between two columns, at least, in type sizes. */
const GAP = 0.7;
/** Lines that may reach over a gap: headings over several columns. */
const MAX_ACROSS = 0.2;

/**
 * Where the columns of lines begin: at the strips in which nearly no line has anything. A line that
 * has more pieces than that gives, names columns that are empty.
 * @returns left edges, the first that of the box.
 */
export function columnsBetween(lines: readonly (readonly Segment[])[], box: Box): number[] {
  const size = lines[0]?.[0]?.size ?? 10;
  const taken = takenBy(lines, box);
  const most = lines.length * MAX_ACROSS;
  const starts = startsIn(taken, most, box, size);
  const richest = lines.find((line) => line.length > starts.length);
  if (!richest) return starts;
  for (const piece of richest) {
    const [left, right] = reach(piece, box, taken.length);
    // what reaches into a column belongs to it
    if (taken.slice(left, right + 1).every((count) => count <= most))
      taken.fill(lines.length, left, right + 1);
  }
  return startsIn(taken, most, box, size);
}

/** How many pieces stand above each point of the box's width. */
function takenBy(lines: readonly (readonly Segment[])[], box: Box): number[] {
  const taken = Array.from(
    { length: Math.max(0, Math.ceil(box.right) - Math.floor(box.left) + 1) },
    () => 0,
  );
  for (const piece of lines.flat()) {
    const [left, right] = reach(piece, box, taken.length);
    for (let x = left; x <= right; x += 1) taken[x] = (taken[x] ?? 0) + 1;
  }
  return taken;
}

function reach({ left, right }: Box, box: Box, length: number): [left: number, right: number] {
  const from = Math.floor(box.left);
  return [Math.max(0, Math.floor(left) - from), Math.min(length - 1, Math.ceil(right) - from)];
}

function startsIn(taken: readonly number[], most: number, box: Box, size: number): number[] {
  const from = Math.floor(box.left);
  const starts: number[] = [box.left];
  let gapFrom: number | undefined;
  let begun = false;
  for (const [x, count] of taken.entries()) {
    if (count <= most) gapFrom ??= x;
    else {
      if (begun && gapFrom !== undefined && x - gapFrom >= GAP * size)
        starts.push(from + (gapFrom + x) / 2);
      gapFrom = undefined;
      begun = true;
    }
  }
  return starts;
}
