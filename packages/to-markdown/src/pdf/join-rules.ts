import { height, overlap, overlapY, width } from "./geometry.ts";
import type { Fill, Rule } from "./page-content.ts";

/** The maximum distance in points between lines that are meant to meet. */
export const MEETS = 3;
/** A higher background belongs to a box, not to a row. */
const HIGHEST_ROW = 90;
const NARROWEST_CELL = 12;
/** The maximum distance in points between cells that each have a border of their own. */
const CELL_SPACE = 6;
/** The sides of a cell end within these points of each other. */
const CORNER = 1;
/** The borders of cells beside each other touch. */
const TOUCHES = 0.75;
/** The maximum distance in points between the backgrounds of two cells of a row. */
const BESIDE = 5;
/** So many backgrounds below each other are rows of one column. */
const MIN_STACK = 4;
/** Of more backgrounds, those inside others are not left out: comparing them takes too long. */
const MAX_NESTED = 1_000;

/**
 * Converts the edges of backgrounds to lines: a row's background shows where the row begins and
 * ends; backgrounds side by side are those of cells, and separate columns too.
 */
export function edgesOf(fills: readonly Fill[]): Rule[] {
  const cells = withoutInner(
    fills.filter((fill) => height(fill) <= HIGHEST_ROW && width(fill) >= NARROWEST_CELL),
  );
  const edges: Rule[] = [];
  let before: Fill | undefined;
  const sorted = cells.toSorted(
    (a, b) => Math.round(a.top) - Math.round(b.top) || a.left - b.left,
  );
  for (const fill of sorted) {
    for (const at of [fill.top, fill.bottom])
      edges.push({ horizontal: true, at, from: fill.left, to: fill.right });
    if (before && areBeside(before, fill))
      edges.push({
        horizontal: false,
        at: (before.right + fill.left) / 2,
        from: Math.min(before.top, fill.top),
        to: Math.max(before.bottom, fill.bottom),
      });
    before = fill;
  }
  return [...edges, ...outerEdges(sorted), ...stackEdges(sorted)];
}

/** Without backgrounds that do not show, because one of the same colour is around them. */
function withoutInner(fills: readonly Fill[]): readonly Fill[] {
  if (fills.length > MAX_NESTED) return fills;
  return fills.filter(
    (fill, at) =>
      !fills.some(
        (other, index) =>
          other.colour === fill.colour &&
          isAround(other, fill) &&
          (index < at || !isAround(fill, other)),
      ),
  );
}

const isAround = (outer: Fill, inner: Fill): boolean =>
  outer.left <= inner.left + TOUCHES &&
  outer.top <= inner.top + TOUCHES &&
  outer.right >= inner.right - TOUCHES &&
  outer.bottom >= inner.bottom - TOUCHES;

function areBeside(left: Fill, right: Fill): boolean {
  const gap = right.left - left.right;
  return (
    Math.abs(gap) <= BESIDE &&
    overlapY(left, right) > 0.8 * Math.min(height(left), height(right))
  );
}

/** The left and right ends of rows with at least two backgrounds. */
function outerEdges(sorted: readonly Fill[]): Rule[] {
  const edges: Rule[] = [];
  let first: Fill | undefined;
  let last: Fill | undefined;
  const close = () => {
    if (first && last && first !== last)
      for (const [at, { top, bottom }] of [
        [first.left, first] as const,
        [last.right, last] as const,
      ])
        edges.push({ horizontal: false, at, from: top, to: bottom });
  };
  for (const fill of sorted) {
    if (!last || !areBeside(last, fill)) {
      close();
      first = fill;
    }
    last = fill;
  }
  close();
  return edges;
}

/** The left and right ends of backgrounds of one width that touch below each other. */
function stackEdges(sorted: readonly Fill[]): Rule[] {
  const edges: Rule[] = [];
  let stack: Fill[] = [];
  const close = () => {
    const [first, last] = [stack[0], stack.at(-1)];
    if (first && last && stack.length >= MIN_STACK)
      for (const at of [first.left, first.right])
        edges.push({ horizontal: false, at, from: first.top, to: last.bottom });
    stack = [];
  };
  for (const fill of sorted) {
    const last = stack.at(-1);
    if (last && !areStacked(last, fill)) close();
    stack.push(fill);
  }
  close();
  return edges;
}

const areStacked = (above: Fill, below: Fill): boolean =>
  Math.abs(above.left - below.left) <= TOUCHES &&
  Math.abs(above.right - below.right) <= TOUCHES &&
  Math.abs(below.top - above.bottom) <= MEETS;

/**
 * Where pieces of level lines meet at one place on several heights: the borders of cells, drawn
 * cell by cell, tell where columns are parted even where no upright line does.
 */
export function breaksOf(rules: readonly Rule[]): Rule[] {
  const breaks = new Map<number, Rule>();
  const levels = rules
    .filter(({ horizontal, from, to }) => horizontal && to - from >= NARROWEST_CELL)
    .toSorted((a, b) => Math.round(a.at) - Math.round(b.at) || a.from - b.from);
  let before: Rule | undefined;
  for (const level of levels) {
    if (before && Math.abs(before.at - level.at) < 1 && isNext(before, level)) {
      const known = breaks.get(Math.round(level.from));
      if (known) known.to = level.at;
      else
        breaks.set(Math.round(level.from), {
          horizontal: false,
          at: level.from,
          from: level.at,
          to: level.at,
        });
    }
    before = level;
  }
  return [...breaks.values()].filter(({ from, to }) => to - from > MEETS);
}

const isNext = (before: Rule, level: Rule): boolean =>
  Math.abs(level.from - before.to) < TOUCHES;

/** Joins the collinear pieces of one line, and the sides of cells that each have a border. */
export function joinCollinear(rules: readonly Rule[]): Rule[] {
  const across = Map.groupBy(rules, ({ horizontal }) => !horizontal);
  return joinPieces(
    joinPieces(rules, () => MEETS),
    (one, other) => {
      const sides = across.get(one.horizontal) ?? [];
      const isCorner = (end: number) => sides.some((side) => endsAt(side, end, one.at));
      return isCorner(one.to) && isCorner(other.from) ? CELL_SPACE : MEETS;
    },
  );
}

/** Whether the side of a cell stands at the end of a piece, whose place is `at`. */
const endsAt = (side: Rule, end: number, at: number): boolean =>
  Math.abs(side.at - end) <= CORNER && side.from <= at + MEETS && side.to >= at - MEETS;

/** @param mostBetween the largest distance between two pieces of one line */
function joinPieces(
  rules: readonly Rule[],
  mostBetween: (one: Rule, other: Rule) => number,
): Rule[] {
  const joined: Rule[] = [];
  const sorted = rules.toSorted(
    (a, b) => Number(a.horizontal) - Number(b.horizontal) || a.at - b.at || a.from - b.from,
  );
  for (const rule of sorted) {
    let same: Rule | undefined;
    for (let index = joined.length - 1; index >= 0; index -= 1) {
      const other = joined[index];
      if (!other || other.horizontal !== rule.horizontal || rule.at - other.at > MEETS)
        break;
      const between = -overlap(other.from, other.to, rule.from, rule.to);
      if (
        between <= MEETS ||
        (between <= CELL_SPACE && between <= mostBetween(other, rule))
      ) {
        same = other;
        break;
      }
    }
    if (same) {
      same.from = Math.min(same.from, rule.from);
      same.to = Math.max(same.to, rule.to);
    } else joined.push({ ...rule });
  }
  return joined;
}
