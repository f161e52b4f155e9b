import type { Box } from "./geometry.ts";

/** An affine map: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

export const IDENTITY: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

/** Applies `inner` first, then `outer`. */
export function combine(inner: Matrix, outer: Matrix): Matrix {
  return {
    a: inner.a * outer.a + inner.b * outer.c,
    b: inner.a * outer.b + inner.b * outer.d,
    c: inner.c * outer.a + inner.d * outer.c,
    d: inner.c * outer.b + inner.d * outer.d,
    e: inner.e * outer.a + inner.f * outer.c + outer.e,
    f: inner.e * outer.b + inner.f * outer.d + outer.f,
  };
}

/**
 * Maps the coordinates of a PDF (origin at the bottom left, y upwards) to those of the upright page
 * (origin at the top left, y downwards).
 * @param visible the visible box of the page in PDF coordinates, where `top` is the greater y
 * @param turns the number of clockwise quarter turns that make the text upright
 */
export function upright(visible: Box, turns: number): Matrix {
  const { left, top, right, bottom } = visible;
  switch (((turns % 4) + 4) % 4) {
    case 1:
      return { a: 0, b: 1, c: 1, d: 0, e: -bottom, f: -left };
    case 2:
      return { a: -1, b: 0, c: 0, d: 1, e: right, f: -bottom };
    case 3:
      return { a: 0, b: -1, c: -1, d: 0, e: top, f: right };
    default:
      return { a: 1, b: 0, c: 0, d: -1, e: -left, f: top };
  }
}

export function placeX(matrix: Matrix, x: number, y: number): number {
  return matrix.a * x + matrix.c * y + matrix.e;
}

export function placeY(matrix: Matrix, x: number, y: number): number {
  return matrix.b * x + matrix.d * y + matrix.f;
}

/** The bounding box of a mapped rectangle. */
export function placeBox(matrix: Matrix, box: Box): Box {
  const x1 = placeX(matrix, box.left, box.top);
  const y1 = placeY(matrix, box.left, box.top);
  const x2 = placeX(matrix, box.right, box.bottom);
  const y2 = placeY(matrix, box.right, box.bottom);
  const x3 = placeX(matrix, box.left, box.bottom);
  const y3 = placeY(matrix, box.left, box.bottom);
  const x4 = placeX(matrix, box.right, box.top);
  const y4 = placeY(matrix, box.right, box.top);
  return {
    left: Math.min(x1, x2, x3, x4),
    top: Math.min(y1, y2, y3, y4),
    right: Math.max(x1, x2, x3, x4),
    bottom: Math.max(y1, y2, y3, y4),
  };
}
