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
