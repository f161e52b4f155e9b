import type { Box } from "./geometry.ts";
import type { Segment } from "./layout.ts";
import type { Rule } from "./page-content.ts";

/** The minimum gap in ems between two columns, common to all lines. */
const GAP = 0.5;
/** The share of lines that may cross a gap, such as headings of several columns. */
const MAX_ACROSS = 0.2;
/** Names of columns stand in the first lines. */
const NAMES = 2;
/** A drawn line separates columns if at most this share of pieces crosses it. */
const MAX_CROSSING = 0.1;

/**
 * Where the columns of lines begin: at the strips in which nearly no line has anything, or at drawn
 * lines. A line of names that has more pieces than that gives, names columns that are empty.
 * @returns left edges, the first that of the box.
 */
export function columnsBetween(
  lines: readonly (readonly Segment[])[],
  box: Box,
  uprights: readonly Rule[] = [],
): number[] {
  const drawn = startsDrawn(lines, box, uprights);
  const starts = withoutHalves(startsBetween(lines, box), lines);
  return drawn.length >= starts.length && drawn.length > 1 ? drawn : starts;
}

/**
 * Merges adjacent columns that no line fills both of: the name of such a column is at the left, and
 * its numbers are below at the right.
 */
function withoutHalves(starts: number[], lines: readonly (readonly Segment[])[]): number[] {
  const columnOf = ({ left }: Box) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= left + 1),
    );
  const used = lines.map((line) => new Set(line.map(columnOf)));
  const kept = [0];
  for (let at = 1; at < starts.length; at += 1) {
    const from = kept.at(-1) ?? 0;
    const parts = Array.from({ length: at - from }, (_, step) => from + step);
    const both = used.some((row) => row.has(at) && parts.some((part) => row.has(part)));
    const alone = used.every((row) => !row.has(at));
    if (both || alone) kept.push(at);
  }
  return kept.flatMap((at) => starts[at] ?? []);
}

function startsBetween(lines: readonly (readonly Segment[])[], box: Box): number[] {
  const size = lines[0]?.[0]?.size ?? 10;
  const taken = takenBy(lines, box);
  const most = lines.length * MAX_ACROSS;
  const starts = startsIn(taken, most, box, size);
  const rich = lines.filter((line) => line.length > starts.length);
  const [richest] = rich;
  // one line below the names may have a word that stands apart
  if (!richest || (rich.length === 1 && lines.indexOf(richest) >= NAMES)) return starts;
  for (const piece of richest) {
    const [left, right] = reach(piece, box, taken.length);
    // text that extends into a column belongs to it
    if (taken.slice(left, right + 1).every((count) => count <= most))
      taken.fill(lines.length, left, right + 1);
  }
  return startsIn(taken, most, box, size);
}

/** Vertical lines at the height of the box, with pieces on both sides and hardly any across. */
function startsDrawn(
  lines: readonly (readonly Segment[])[],
  box: Box,
  uprights: readonly Rule[],
): number[] {
  const pieces = lines.flat();
  const starts = [box.left];
  const inside = uprights.filter(
    ({ at, from, to }) =>
      at > box.left && at < box.right && to > box.top && from < box.bottom,
  );
  for (const { at } of inside.toSorted((a, b) => a.at - b.at)) {
    const across = pieces.filter(
      (piece) => piece.left < at - 1 && piece.right > at + 1,
    ).length;
    const between = pieces.some(
      (piece) => piece.left >= (starts.at(-1) ?? 0) - 2 && piece.right <= at + 2,
    );
    if (between && across <= pieces.length * MAX_CROSSING) starts.push(at);
  }
  return starts;
}

/** Counts the pieces above each point of the box's width. */
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

function reach(
  { left, right }: Box,
  box: Box,
  length: number,
): [left: number, right: number] {
  const from = Math.floor(box.left);
  return [
    Math.max(0, Math.round(left) - from),
    Math.min(length - 1, Math.round(right) - from),
  ];
}

function startsIn(
  taken: readonly number[],
  most: number,
  box: Box,
  size: number,
): number[] {
  const from = Math.floor(box.left);
  const starts: number[] = [box.left];
  let gapFrom: number | undefined;
  let begun = false;
  for (const [x, count] of taken.entries()) {
    if (count <= most) gapFrom ??= x;
    else {
      if (begun && gapFrom !== undefined && x - gapFrom >= GAP * size)
        starts.push(from + emptiest(taken, gapFrom, x));
      gapFrom = undefined;
      begun = true;
    }
  }
  return starts;
}

/**
 * The middle of the part of a gap that the fewest pieces cross: the names of columns may reach into
 * it from both sides, and are parted there.
 */
function emptiest(taken: readonly number[], from: number, to: number): number {
  const least = Math.min(...taken.slice(from, to));
  let best = { from, to: from };
  let open: number | undefined;
  for (let x = from; x <= to; x += 1) {
    if (x < to && taken[x] === least) open ??= x;
    else if (open !== undefined) {
      if (x - open > best.to - best.from) best = { from: open, to: x };
      open = undefined;
    }
  }
  return (best.from + best.to) / 2;
}
