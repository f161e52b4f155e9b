import type { Box } from "./geometry.ts";
import { MEETS } from "./join-rules.ts";
import type { Fill, Rule } from "./page-content.ts";

/** A page with more frames is a drawing. */
const MAX_FRAMES = 100;

/** So many lines part the cells in a frame, at least one of them level. */
const MIN_ACROSS = 2;

/**
 * The frames of tables: those with lines inside that go from side to side. Others are boxes, as in
 * flow charts, whose connecting lines would make grids of them.
 */
export function framesOfTables(frames: readonly Box[], rules: readonly Rule[]): Box[] {
  if (frames.length > MAX_FRAMES) return [];
  return frames.filter((frame) => {
    const across = rules.filter((rule) => crosses(rule, frame));
    return across.length >= MIN_ACROSS && across.some(({ horizontal }) => horizontal);
  });
}

function crosses({ horizontal, at, from, to }: Rule, frame: Box): boolean {
  const [start, end] = horizontal ? [frame.left, frame.right] : [frame.top, frame.bottom];
  const [first, last] = horizontal ? [frame.top, frame.bottom] : [frame.left, frame.right];
  return isAt(from, start) && isAt(to, end) && at > first + MEETS && at < last - MEETS;
}

/**
 * The backgrounds with round corners that belong to tables: as wide as the line or the background
 * that touches them above or below. Others are boxes and labels.
 */
export function groundsOfTables(
  grounds: readonly Fill[],
  rules: readonly Rule[],
  fills: readonly Fill[],
): Fill[] {
  if (grounds.length > MAX_FRAMES) return [];
  const levels = rules.filter(({ horizontal }) => horizontal);
  return grounds.filter(
    (ground) =>
      levels.some(({ at, from, to }) => isAlong(ground, at, from, to)) ||
      fills.some(
        ({ left, right, top, bottom }) =>
          isAlong(ground, top, left, right) || isAlong(ground, bottom, left, right),
      ),
  );
}

const isAlong = ({ left, right, top, bottom }: Box, at: number, from: number, to: number) =>
  isAt(from, left) && isAt(to, right) && (isAt(at, top) || isAt(at, bottom));

const isAt = (a: number, b: number): boolean => Math.abs(a - b) <= MEETS;
