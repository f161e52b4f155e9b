import { type Box, height } from "./geometry.ts";

/** A stretch of x in which nothing stands. */
export interface Gap {
  from: number;
  to: number;
}

/**
 * Pieces whose heights overlap, directly or by others, from top to bottom: between two bands a
 * straight line runs from edge to edge. A line of text is one, and so is a row of cells with
 * several lines set around its middle.
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

/** The gaps of a band along x, the margins included. */
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

/** What is free in both. */
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
