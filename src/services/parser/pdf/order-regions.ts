import { around, type Box, height, overlapX, width } from "./geometry.ts";
import { segmentOf } from "./build-segments.ts";
import type { Region, Segment, Table } from "./layout.ts";

/** What is put in order: a piece of a line, or a table that is read as a whole. */
interface Piece extends Box {
  segment?: Segment;
  table?: Table;
}

interface Gutter {
  from: number;
  to: number;
}

/** Narrowest space between columns, in type sizes. */
const GUTTER = 0.8;
const DEEPEST = 24;
/** A page with more lines is no page with columns: looking for them takes the square of it. */
const MOST_STRIPS = 1_500;
/** Columns are at least this many lines high. */
const LEAST_LINES = 3;

/** Puts what stands on a page into the order in which it is read: columns from left to right, each from top to bottom. */
export function orderRegions(segments: readonly Segment[], tables: readonly Table[]): Region[] {
  const pieces: Piece[] = [
    ...segments.map((segment) => ({ ...boxOf(segment), segment })),
    ...tables.map((table) => ({ ...boxOf(table), table })),
  ];
  const regions: Region[] = [];
  for (const leaf of split(pieces, 0)) {
    let open: Segment[] = [];
    const flush = () => {
      if (open.length > 0) regions.push({ lines: linesOf(open) });
      open = [];
    };
    for (const piece of leaf.toSorted((a, b) => a.top - b.top)) {
      if (piece.segment) open.push(piece.segment);
      else if (piece.table) {
        flush();
        regions.push({ table: piece.table });
      }
    }
    flush();
  }
  return regions;
}

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });

/** Leaves in reading order. */
function split(pieces: Piece[], depth: number): Piece[][] {
  if (pieces.length < 2 || depth > DEEPEST) return pieces.length === 0 ? [] : [pieces];
  const leaves: Piece[][] = [];
  for (const group of groups(strips(pieces))) {
    if (group.gutter) {
      const { gutter } = group;
      const left = group.pieces.filter((piece) => (piece.left + piece.right) / 2 < (gutter.from + gutter.to) / 2);
      const right = group.pieces.filter((piece) => (piece.left + piece.right) / 2 >= (gutter.from + gutter.to) / 2);
      leaves.push(...split(left, depth + 1), ...split(right, depth + 1));
    } else leaves.push(group.pieces);
  }
  return leaves;
}

/** Rows of pieces between which a straight line runs from edge to edge, from top to bottom. */
function strips(pieces: readonly Piece[]): Piece[][] {
  const found: Piece[][] = [];
  let bottom = -Infinity;
  for (const piece of pieces.toSorted((a, b) => a.top - b.top)) {
    const strip = found.at(-1);
    // descenders and ascenders of neighbouring lines may touch
    const slack = Math.min(height(piece) * 0.3, 4);
    if (strip && piece.top < bottom - slack) strip.push(piece);
    else found.push([piece]);
    bottom = Math.max(bottom, piece.bottom);
  }
  return found;
}

interface Group {
  pieces: Piece[];
  gutter?: Gutter;
}

/** Joins neighbouring strips that have a space between columns in common. */
function groups(all: readonly Piece[][]): Group[] {
  const result: Group[] = [];
  const whole = around(all.flat());
  let index = 0;
  while (index < all.length) {
    const found = all.length > MOST_STRIPS ? undefined : longestWithGutter(all, index, whole);
    if (found) {
      result.push({ pieces: all.slice(index, found.end).flat(), gutter: found.gutter });
      index = found.end;
      continue;
    }
    const last = result.at(-1);
    const strip = all[index] ?? [];
    if (last && !last.gutter) last.pieces.push(...strip);
    else result.push({ pieces: [...strip] });
    index += 1;
  }
  return result;
}

/** The longest run of strips from `start` on that a gutter runs through with columns of text at both sides. */
function longestWithGutter(all: readonly Piece[][], start: number, whole: Box): { end: number; gutter: Gutter } | undefined {
  const first = all[start] ?? [];
  let free = gapsOf(first).filter((gap) => gap.to > whole.left && gap.from < whole.right);
  let best: { end: number; gutter: Gutter } | undefined;
  const pieces: Piece[] = [];
  for (let end = start; end < all.length; end += 1) {
    const strip = all[end] ?? [];
    free = intersect(free, gapsOf(strip)).filter((gap) => gap.to > whole.left && gap.from < whole.right);
    if (free.length === 0) break;
    pieces.push(...strip);
    const inner = free.filter((gap) => isBetween(gap, pieces));
    const gutter = inner.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (gutter && isColumns(pieces, gutter)) best = { end: end + 1, gutter };
    else if (!gutter && best) break;
  }
  return best;
}

/** The spaces of a strip along x, the margins included. */
function gapsOf(strip: readonly Piece[]): Gutter[] {
  const gaps: Gutter[] = [];
  let from = -Infinity;
  for (const piece of strip.toSorted((a, b) => a.left - b.left)) {
    if (piece.left > from) gaps.push({ from, to: piece.left });
    from = Math.max(from, piece.right);
  }
  gaps.push({ from, to: Infinity });
  return gaps;
}

function intersect(a: readonly Gutter[], b: readonly Gutter[]): Gutter[] {
  const both: Gutter[] = [];
  for (const one of a) {
    for (const other of b) {
      const from = Math.max(one.from, other.from);
      const to = Math.min(one.to, other.to);
      if (to > from) both.push({ from, to });
    }
  }
  return both;
}

function isBetween(gap: Gutter, pieces: readonly Piece[]): boolean {
  if (!Number.isFinite(gap.from) || !Number.isFinite(gap.to)) return false;
  const size = pieces.find((piece) => piece.segment)?.segment?.size ?? 10;
  if (gap.to - gap.from < GUTTER * size) return false;
  return pieces.some((piece) => piece.right <= gap.from) && pieces.some((piece) => piece.left >= gap.to);
}

/** Whether both sides of a gutter are read by themselves: high enough, and wide enough to hold text. */
function isColumns(pieces: readonly Piece[], gutter: Gutter): boolean {
  const sides = [pieces.filter((piece) => piece.right <= gutter.from), pieces.filter((piece) => piece.left >= gutter.to)];
  return sides.every((side) => {
    const box = around(side);
    const size = side.find((piece) => piece.segment)?.segment?.size ?? 10;
    return (side.length >= LEAST_LINES || side.some((piece) => piece.table)) && width(box) > size * 4;
  });
}

/** Pieces of a column on one height are one line. */
function linesOf(segments: readonly Segment[]): Segment[] {
  const lines: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (
      line &&
      last &&
      segment.baseline - last.baseline <= 0.3 * Math.min(last.size, segment.size) &&
      overlapX(last, segment) < 1
    )
      line.push(segment);
    else lines.push([segment]);
  }
  return lines.map((line) => {
    const only = line.length === 1 ? line[0] : undefined;
    return only ?? segmentOf(line.toSorted((a, b) => a.left - b.left).flatMap((segment) => segment.words));
  });
}
