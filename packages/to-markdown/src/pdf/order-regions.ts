import {
  around,
  type Box,
  middleY,
  overlapX,
  overlapY,
  width,
  bandsOf,
  type Gap as Gutter,
  gapsOf,
  intersect,
} from "./geometry.ts";
import { segmentOf } from "./build-segments.ts";
import { type Figure, type Region, type Segment, type Table, textOf } from "./layout.ts";
import { isRightToLeft } from "./right-to-left.ts";

/** A piece of a line, or a table or figure that is read as a whole. */
interface Piece extends Box {
  segment?: Segment;
  table?: Table;
  figure?: Figure;
}

/** The minimum space between columns, in ems. */
const GUTTER = 0.6;
const MAX_DEPTH = 24;
/** A page with more lines has no columns: the search takes quadratic time. */
const MAX_STRIPS = 1_500;
/** The minimum height of a column, in lines. */
const MIN_LINES = 3;
/** A line of running text has at least this many characters, and fills this share of its column. */
const PROSE_LINE = 22;
const FULL_LINE = 0.6;
/** A column of running text has at least this many such lines, and this share of all its lines. */
const PROSE_LINES = 4;
const PROSE_SHARE = 0.3;
const MOSTLY_PROSE = 0.5;
/**
 * Cells share the baselines of the cells beside them; lines of two columns of text do so only by
 * chance.
 */
const MAX_LEVEL = 0.6;

/** The statement of a slide is this much larger than its name. */
const STATED = 1.15;
/** A name and its value are at the same height, but for this many ems … */
const LEVEL = 0.5;
/** … in this share of the lines of a form. */
const MOSTLY_LEVEL = 0.8;
/** The space in ems between the lines of a form whose names have no colon. */
const FIELD_GAP = 0.7;

/**
 * Sorts the content of a page into reading order: columns from left to right (from right to left in
 * Hebrew and Arabic), each from top to bottom.
 */
export function orderRegions(
  segments: readonly Segment[],
  tables: readonly Table[],
  figures: readonly Figure[] = [],
): Region[] {
  const pieces: Piece[] = [
    ...segments.map((segment) => ({ ...boxOf(segment), segment })),
    ...tables.map((table) => ({ ...boxOf(table), table })),
    ...figures.map((figure) => ({ ...boxOf(figure), figure })),
  ];
  const regions: Region[] = [];
  for (const leaf of split(pieces, isColumns)) {
    let open: Segment[] = [];
    const flush = () => {
      if (open.length > 0) regions.push({ lines: linesOf(open) });
      open = [];
    };
    for (const piece of leaf.toSorted((a, b) => a.top - b.top)) {
      if (piece.segment) open.push(piece.segment);
      else {
        flush();
        if (piece.table) regions.push({ table: piece.table });
        if (piece.figure) {
          const { figure } = piece;
          regions.push({ figure: { ...figure, lines: linesOf(figure.lines) } });
        }
      }
    }
    flush();
  }
  return regions;
}

const boxOf = ({ left, top, right, bottom }: Box): Box => ({ left, top, right, bottom });

/**
 * The segments of each column of running text. Short lines side by side do not count as columns,
 * because they may be cells.
 */
export function columnsOfProse(segments: readonly Segment[]): Segment[][] {
  const pieces = segments.map((segment) => ({ ...boxOf(segment), segment }));
  return split(pieces, isProse).map((leaf) => leaf.flatMap(({ segment }) => segment ?? []));
}

type AreColumns = (pieces: readonly Piece[], gutter: Gutter) => boolean;

/** Divides pieces into groups in reading order. */
function split(pieces: Piece[], areColumns: AreColumns, depth = 0): Piece[][] {
  if (pieces.length < 2 || depth > MAX_DEPTH) return pieces.length === 0 ? [] : [pieces];
  const leaves: Piece[][] = [];
  for (const group of groups(bandsOf(pieces), areColumns)) {
    if (group.gutter) {
      const { gutter } = group;
      const left = group.pieces.filter(
        (piece) => (piece.left + piece.right) / 2 < (gutter.from + gutter.to) / 2,
      );
      const right = group.pieces.filter(
        (piece) => (piece.left + piece.right) / 2 >= (gutter.from + gutter.to) / 2,
      );
      const lines = group.pieces.flatMap(({ segment }) => segment ?? []);
      const sides = isRightToLeft(lines) ? [right, left] : [left, right];
      for (const side of sides) leaves.push(...split(side, areColumns, depth + 1));
    } else leaves.push(group.pieces);
  }
  return leaves;
}

interface Group {
  pieces: Piece[];
  gutter?: Gutter;
}

/** Joins neighbouring bands that have a gap between columns in common. */
function groups(all: readonly Piece[][], areColumns: AreColumns): Group[] {
  const result: Group[] = [];
  const whole = around(all.flat());
  let index = 0;
  while (index < all.length) {
    const found =
      all.length > MAX_STRIPS || continuesTitle(all[index - 1], all[index])
        ? undefined
        : longestWithGutter(all, index, whole, areColumns);
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

/** The lines of a title of several lines are this many ems apart, at most. */
const TITLE_GAP = 0.9;
/** Titles of slides are larger than this, in points. */
const TITLE_SIZE = 16;

/** Whether a line goes on with a title above it, whose shorter last line leaves room beside it. */
function continuesTitle(
  [above, ...others]: readonly Piece[] = [],
  [line, ...more]: readonly Piece[] = [],
): boolean {
  const [one, other] = [above?.segment, line?.segment];
  if (!one || !other || others.length > 0 || more.length > 0) return false;
  return (
    other.size >= TITLE_SIZE &&
    Math.abs(one.size - other.size) < 0.5 &&
    Math.abs(one.left - other.left) < other.size &&
    other.top - one.bottom < TITLE_GAP * other.size
  );
}

/**
 * The longest run of bands from `start` that one gutter divides, with columns of text on both
 * sides.
 */
function longestWithGutter(
  all: readonly Piece[][],
  start: number,
  whole: Box,
  areColumns: AreColumns,
): { end: number; gutter: Gutter } | undefined {
  const first = all[start] ?? [];
  let free = gapsOf(first).filter((gap) => gap.to > whole.left && gap.from < whole.right);
  let best: { end: number; gutter: Gutter } | undefined;
  const pieces: Piece[] = [];
  for (let end = start; end < all.length; end += 1) {
    const strip = all[end] ?? [];
    free = intersect(free, gapsOf(strip)).filter(
      (gap) => gap.to > whole.left && gap.from < whole.right,
    );
    if (free.length === 0) break;
    pieces.push(...strip);
    const inner = free.filter((gap) => isBetween(gap, pieces));
    const gutter = inner.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (gutter && areColumns(pieces, gutter)) best = { end: end + 1, gutter };
    else if (!gutter && best) break;
  }
  return best;
}

function isBetween(gap: Gutter, pieces: readonly Piece[]): boolean {
  if (!Number.isFinite(gap.from) || !Number.isFinite(gap.to)) return false;
  const size = pieces.find((piece) => piece.segment)?.segment?.size ?? 10;
  if (gap.to - gap.from < GUTTER * size) return false;
  return (
    pieces.some((piece) => piece.right <= gap.from) &&
    pieces.some((piece) => piece.left >= gap.to)
  );
}

function sidesOf(pieces: readonly Piece[], gutter: Gutter): Piece[][] {
  return [
    pieces.filter((piece) => piece.right <= gutter.from),
    pieces.filter((piece) => piece.left >= gutter.to),
  ];
}

/**
 * Whether both sides of a gutter have lines of running text, or one of them has and the other has
 * lines of its own.
 */
function isProse(pieces: readonly Piece[], gutter: Gutter): boolean {
  const all = sidesOf(pieces, gutter);
  const boxes = all.map(around);
  // only the heights that both sides share are side by side
  const top = Math.max(...boxes.map((box) => box.top));
  const bottom = Math.min(...boxes.map((box) => box.bottom));
  const sides = all.map((side) =>
    side.filter((piece) => middleY(piece) >= top && middleY(piece) <= bottom),
  );
  const [left = 0, right = 0] = sides.map((side, at) =>
    shareOfProse(side, width(boxes[at] ?? around(side))),
  );
  if (left >= PROSE_SHARE && right >= PROSE_SHARE) return true;
  const [prose, other] = left > right ? sides : sides.toReversed();
  if (Math.max(left, right) < MOSTLY_PROSE || !prose || !other || other.length < MIN_LINES)
    return false;
  const baselines = new Set(prose.map(({ segment }) => Math.round(segment?.baseline ?? 0)));
  const level = other.filter(({ segment }) =>
    [-1, 0, 1].some((off) => baselines.has(Math.round(segment?.baseline ?? 0) + off)),
  );
  return level.length < other.length * MAX_LEVEL;
}

/** The share of a column's lines that are running text; 0 for too few of them. */
function shareOfProse(side: readonly Piece[], across: number): number {
  const full = side.filter(
    (piece) =>
      piece.segment &&
      width(piece) > across * FULL_LINE &&
      textOf(piece.segment).length >= PROSE_LINE,
  );
  return full.length < PROSE_LINES ? 0 : full.length / bandsOf(side).length;
}

/** Whether both sides of a gutter are columns: high enough, and wide enough for text. */
function isColumns(pieces: readonly Piece[], gutter: Gutter): boolean {
  const sides = sidesOf(pieces, gutter);
  const lines = sides.map((side) => side.flatMap(({ segment }) => segment ?? []));
  if (areCards(lines)) return true;
  if (areFields(lines) || !areBeside(sides)) return false;
  return sides.every((side) => {
    const box = around(side);
    const size = side.find((piece) => piece.segment)?.segment?.size ?? 10;
    return (
      (side.length >= MIN_LINES || side.some((piece) => !piece.segment)) &&
      width(box) > size * 4
    );
  });
}

/** Whether several lines of each side, or tables and figures, are beside the other side. */
function areBeside(sides: readonly (readonly Piece[])[]): boolean {
  const boxes = sides.map(around);
  return sides.every((side, at) => {
    const other = boxes[1 - at];
    const beside = side.filter((piece) => other && overlapY(piece, other) > 0);
    return beside.length > 1 || beside.some(({ segment }) => !segment);
  });
}

/**
 * Whether two short columns are made alike, as the cards of a slide are: a name, and below it
 * larger text, both at the same height on either side. Names of columns are no smaller than their
 * cells.
 */
function areCards([left = [], right = []]: readonly (readonly Segment[])[]): boolean {
  const looks = (side: readonly Segment[]) =>
    side.toSorted((a, b) => a.baseline - b.baseline).slice(0, 2);
  const [[name, text], [other, also]] = [looks(left), looks(right)];
  if (!name || !text || !other || !also) return false;
  const isAlike = (one: Segment, two: Segment) =>
    Math.abs(one.size - two.size) < 0.5 &&
    Math.abs(one.baseline - two.baseline) < LEVEL * one.size;
  return (
    text.size > name.size * STATED &&
    isAlike(name, other) &&
    isAlike(text, also) &&
    [name.left - text.left, other.left - also.left].every(
      (off) => Math.abs(off) < name.size,
    )
  );
}

/**
 * Whether names are on one side and their values on the other: at the same heights, and either the
 * names end with a colon or the lines are too far apart for lists that stand side by side.
 */
function areFields([names = [], values = []]: readonly Segment[][]): boolean {
  if (names.length === 0 || values.length === 0) return false;
  const isLevel = (a: Segment) => (b: Segment) =>
    Math.abs(a.baseline - b.baseline) < LEVEL * Math.min(a.size, b.size);
  const [fewer, more] = names.length < values.length ? [names, values] : [values, names];
  const level = fewer.filter((segment) => more.some(isLevel(segment)));
  if (level.length < fewer.length * MOSTLY_LEVEL) return false;
  const [named = 0, also = 0] = [names, values].map(
    (side) => side.filter((segment) => /[:：]$/.test(textOf(segment))).length / side.length,
  );
  if (named >= 0.5 && also <= 0.5) return true;
  const size = names[0]?.size ?? 10;
  const lines = bandsOf([...names, ...values]).map(around);
  return (
    names.length > 1 &&
    names.every((segment) => textOf(segment).length < PROSE_LINE) &&
    lines.slice(1).every(({ top }, at) => top - (lines[at]?.bottom ?? 0) > FIELD_GAP * size)
  );
}

/** Joins the pieces of a column at one height into lines. */
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
    return (
      only ??
      segmentOf(
        line.toSorted((a, b) => a.left - b.left).flatMap((segment) => segment.words),
      )
    );
  });
}
