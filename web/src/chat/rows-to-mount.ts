import type { Range } from "@tanstack/react-virtual";

/** Rows above the view that end farther from it are not mounted. */
const NEAR_PX = 1_600;
/** So many whose height is not known are mounted at once. */
const MAX_UNMEASURED = 2;

export interface RowPlaces {
  /** Where the view begins, in pixels from the beginning of the thread. */
  viewTop: number;
  /** Where a row ends: by its measured height, or by an estimate. */
  endOf: (index: number) => number;
  isMeasured: (index: number) => boolean;
  /** Whether the reader has selected or focused something in a row. */
  isHeld: boolean;
}

/**
 * The rows in sight, and up to `overscan` more on each side; above those in sight only such as are
 * near, but always one. Whatever is mounted costs time whenever an answer grows, and four long
 * answers are more than a hundred short ones. Those below stay by their number: the last may grow.
 * What the reader holds does, too.
 */
export function rowsToMount(range: Range, places: RowPlaces): number[] {
  const { startIndex, endIndex, overscan, count } = range;
  const first = startIndex - countAbove(range, places);
  const last = Math.min(endIndex + overscan, count - 1);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function countAbove({ startIndex, overscan }: Range, places: RowPlaces): number {
  const { viewTop, endOf, isMeasured, isHeld } = places;
  const most = Math.min(overscan, startIndex);
  if (isHeld) return most;
  let unmeasured = 0;
  for (let count = 0; count < most; count += 1) {
    const index = startIndex - count - 1;
    const isTooFar = viewTop - endOf(index) > NEAR_PX || unmeasured === MAX_UNMEASURED;
    if (count > 0 && isTooFar) return count;
    if (!isMeasured(index)) unmeasured += 1;
  }
  return most;
}
