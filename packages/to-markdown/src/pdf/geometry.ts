/**
 * A rectangle in points (1/72 inch). The origin is the top left corner of the upright page, and y
 * grows downwards.
 */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const width = (box: Box): number => box.right - box.left;
export const height = (box: Box): number => box.bottom - box.top;
export const middleX = (box: Box): number => (box.left + box.right) / 2;
export const middleY = (box: Box): number => (box.top + box.bottom) / 2;

/** How far two intervals overlap; negative when there is a gap between them. */
export function overlap(fromA: number, toA: number, fromB: number, toB: number): number {
  return Math.min(toA, toB) - Math.max(fromA, fromB);
}

export const overlapX = (a: Box, b: Box): number =>
  overlap(a.left, a.right, b.left, b.right);
export const overlapY = (a: Box, b: Box): number =>
  overlap(a.top, a.bottom, b.top, b.bottom);

/** Whether the middle of `inner` is inside `outer`, enlarged by `slack` on every side. */
export function holds(outer: Box, inner: Box, slack = 0): boolean {
  const x = middleX(inner);
  const y = middleY(inner);
  return (
    x >= outer.left - slack &&
    x <= outer.right + slack &&
    y >= outer.top - slack &&
    y <= outer.bottom + slack
  );
}

/** The smallest box that contains all of `boxes`; an empty one at the origin for none. */
export function around(boxes: readonly Box[]): Box {
  const first = boxes[0];
  if (!first) return { left: 0, top: 0, right: 0, bottom: 0 };
  const all = {
    left: first.left,
    top: first.top,
    right: first.right,
    bottom: first.bottom,
  };
  for (const box of boxes) {
    if (box.left < all.left) all.left = box.left;
    if (box.top < all.top) all.top = box.top;
    if (box.right > all.right) all.right = box.right;
    if (box.bottom > all.bottom) all.bottom = box.bottom;
  }
  return all;
}

/** The middle value; `fallback` for none. */
export function median(values: readonly number[], fallback = 0): number {
  if (values.length === 0) return fallback;
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? fallback;
}

/** The value with the largest total weight; `fallback` for none. */
export function heaviest<Value>(
  weighed: Iterable<readonly [Value, number]>,
  fallback: Value,
): Value {
  const weights = new Map<Value, number>();
  for (const [value, weight] of weighed)
    weights.set(value, (weights.get(value) ?? 0) + weight);
  let best = fallback;
  let most = 0;
  for (const [value, weight] of weights) {
    if (weight > most) [best, most] = [value, weight];
  }
  return best;
}

/** A horizontal interval without content. */
export interface Gap {
  from: number;
  to: number;
}

/**
 * Groups pieces whose vertical extents overlap, directly or through others, from top to bottom. A
 * straight line from edge to edge fits between two bands. A line of text is a band, and so is a row
 * of cells whose lines are vertically centred.
 */
export function bandsOf<Piece extends Box>(pieces: readonly Piece[]): Piece[][] {
  const bands: Piece[][] = [];
  let bottom = -Infinity;
  for (const piece of pieces.toSorted((a, b) => a.top - b.top)) {
    const band = bands.at(-1);
    // descenders and ascenders of neighbouring lines may touch
    const slack = Math.min(height(piece) * 0.3, 4);
    if (band && piece.top < bottom - slack) band.push(piece);
    else bands.push([piece]);
    bottom = Math.max(bottom, piece.bottom);
  }
  return bands;
}

/** The horizontal gaps of a band, including the margins. */
export function gapsOf(band: readonly Box[]): Gap[] {
  const gaps: Gap[] = [];
  let from = -Infinity;
  for (const piece of band.toSorted((a, b) => a.left - b.left)) {
    if (piece.left > from) gaps.push({ from, to: piece.left });
    from = Math.max(from, piece.right);
  }
  gaps.push({ from, to: Infinity });
  return gaps;
}

/** The parts that are free in both. */
export function intersect(a: readonly Gap[], b: readonly Gap[]): Gap[] {
  const both: Gap[] = [];
  for (const one of a) {
    for (const other of b) {
      const from = Math.max(one.from, other.from);
      const to = Math.min(one.to, other.to);
      if (to > from) both.push({ from, to });
    }
  }
  return both;
}
