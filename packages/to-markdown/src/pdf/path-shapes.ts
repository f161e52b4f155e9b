import { around, type Box, height, width } from "./geometry.ts";

/** A corner of a figure, or a point that bends a curve. */
export interface Point {
  x: number;
  y: number;
  /** Whether a curve leads to it. */
  bent: boolean;
}

/** A straight line between two corners, parallel to an axis. */
export interface Edge extends Box {
  /** Whether it goes to the right or down. */
  forward: boolean;
}

/** One closed or open figure of a path. */
export interface Shape {
  /** Its edges that are parallel to an axis; none of a curved figure. */
  edges: Edge[];
  box: Box;
  /** Whether the shape is a rectangle with such edges. */
  rectangle: boolean;
  curved: boolean;
  /** Whether the shape is a rectangle with round corners. */
  rounded: boolean;
}

/** A thinner area is a line. */
export const RULE_THICKNESS = 3;
/** The maximum difference in points between the ends of a straight line. */
const LEAN = 1;
/** Points that are nearer to a straight line, or to each other, change nothing. */
const SAME = 0.01;
/** The straight shares of the long and the short sides of a box with round corners. */
const LONG_SIDE = 0.6;
const SHORT_SIDE = 0.3;
/** The maximum distance in points between the dashes of one line, … */
const DASH_GAP = 5;
/** … and of any distance where some are shorter. */
const MIN_PIECE = 12;
/** The outline of a frame has eight edges, and some more where it is drawn with several steps. */
const MIN_OUTLINE = 8;
const MAX_OUTLINE = 24;
const MOSTLY = 0.8;

/** @param points a closed figure ends where it began */
export function shapeOf(points: readonly Point[]): Shape {
  const corners = withoutStraight(points);
  const box = boxOf(points);
  const curved = points.some(({ bent }) => bent);
  const edges: Edge[] = [];
  let straight = true;
  for (const [index, point] of corners.entries()) {
    const next = corners[index + 1];
    if (!next || next.bent) continue;
    const forward = next.x - point.x + (next.y - point.y) > 0;
    const edge = { ...boxOf([point, next]), forward };
    if (width(edge) <= LEAN || height(edge) <= LEAN) edges.push(edge);
    else straight = false;
  }
  const rounded = curved && straight && isRounded(edges, box);
  return {
    edges: curved ? [] : edges,
    box,
    curved,
    rounded,
    rectangle: straight && !curved && corners.length >= 4 && corners.length <= 6,
  };
}

function boxOf(points: readonly Point[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Without repeated points, and those inside lines that are parallel to an axis. */
function withoutStraight(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const [index, point] of points.entries()) {
    const [before, next] = [kept.at(-1), points[index + 1]];
    const isInside =
      before && next && !point.bent && !next.bent && goesOn(before, point, next);
    if (!isInside) kept.push(point);
  }
  return kept;
}

const goesOn = (before: Point, point: Point, next: Point): boolean =>
  (isNear(before.x, point.x) &&
    isNear(point.x, next.x) &&
    (point.y - before.y) * (next.y - point.y) >= 0) ||
  (isNear(before.y, point.y) &&
    isNear(point.y, next.y) &&
    (point.x - before.x) * (next.x - point.x) >= 0);

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SAME;

export const sidesOf = ({ left, top, right, bottom }: Box): Edge[] => [
  { left, right, top, bottom: top, forward: true },
  { left, right, top: bottom, bottom, forward: false },
  { left, right: left, top, bottom, forward: false },
  { left: right, right, top, bottom, forward: true },
];

/** Whether the straight edges of a figure with curves are most of the sides of its box. */
function isRounded(edges: readonly Box[], box: Box): boolean {
  const lengths = sidesOf(box).map((side) =>
    edges
      .filter((edge) => isOn(edge, side))
      .reduce((sum, edge) => sum + width(edge) + height(edge), 0),
  );
  if (edges.some((edge) => !sidesOf(box).some((side) => isOn(edge, side)))) return false;
  const isLevelLong = width(box) >= height(box);
  const across = width(box) * (isLevelLong ? LONG_SIDE : SHORT_SIDE);
  const down = height(box) * (isLevelLong ? SHORT_SIDE : LONG_SIDE);
  return lengths.every((length, side) => length >= (side < 2 ? across : down));
}

const isOn = (edge: Box, side: Box, slack = LEAN): boolean =>
  edge.left >= side.left - slack &&
  edge.right <= side.right + slack &&
  edge.top >= side.top - slack &&
  edge.bottom <= side.bottom + slack;

/**
 * The frames that a filled path draws as areas with a hole: as one outline, or as a rectangle in a
 * rectangle. @returns the frames, and the figures that are none
 */
export function partFrames(
  shapes: readonly Shape[],
  evenOdd: boolean,
): { frames: Box[]; areas: Shape[] } {
  const frames: Box[] = [];
  const areas: Shape[] = [];
  for (const shape of shapes) {
    const before = areas.at(-1);
    if (before && isRing(before, shape, evenOdd)) {
      areas.pop();
      frames.push(around([before.box, shape.box]));
    } else if (isOutline(shape)) frames.push(shape.box);
    else areas.push(shape);
  }
  return { frames, areas };
}

/** Whether one of two rectangles is a hole in the other, and nearly as large. */
function isRing(one: Shape, other: Shape, evenOdd: boolean): boolean {
  if (!one.rectangle || !other.rectangle) return false;
  if (!evenOdd && isClockwise(one) === isClockwise(other)) return false;
  const [out, hole] =
    width(one.box) > width(other.box) ? [one.box, other.box] : [other.box, one.box];
  return [
    hole.left - out.left,
    hole.top - out.top,
    out.right - hole.right,
    out.bottom - hole.bottom,
  ].every((gap) => gap > 0 && gap < RULE_THICKNESS);
}

const isClockwise = ({ edges, box }: Shape): boolean =>
  edges.some((edge) => edge.forward && isOn(edge, { ...box, bottom: box.top }));

/** Whether a figure goes around along its sides, and back a line's thickness further inside. */
function isOutline({ edges, box, curved, rectangle }: Shape): boolean {
  if (curved || rectangle || edges.length < MIN_OUTLINE || edges.length > MAX_OUTLINE)
    return false;
  return sidesOf(box).every((side) => {
    const along = edges.filter(
      (edge) =>
        isOn(edge, side, RULE_THICKNESS) &&
        width(edge) + height(edge) > MOSTLY * (width(side) + height(side)),
    );
    return along.some(({ forward }) => forward) && along.some(({ forward }) => !forward);
  });
}

/** The lines of a thin path: dashes are joined, lines beside each other are not. */
export function joinDashes(pieces: readonly Box[]): Box[] {
  const all = around(pieces);
  const [start, end] =
    width(all) >= height(all) ? (["left", "right"] as const) : (["top", "bottom"] as const);
  const lines: Box[] = [];
  for (const piece of pieces.toSorted((a, b) => a[start] - b[start])) {
    const last = lines.at(-1);
    if (last && piece[start] - last[end] <= DASH_GAP)
      lines.push(around([lines.pop() ?? piece, piece]));
    else lines.push(piece);
  }
  const isDashed = lines.some((line) => line[end] - line[start] < MIN_PIECE);
  return isDashed ? [all] : lines;
}
