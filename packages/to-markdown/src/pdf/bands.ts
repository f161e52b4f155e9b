import { type Box, height } from "./geometry.ts";

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
