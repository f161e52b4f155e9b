import { height, overlap, overlapY, width } from "./geometry.ts";
import type { Fill, Rule } from "./page-content.ts";

/** Ends of lines that are drawn to meet miss each other by as much. */
export const MEETS = 3;
/** A higher background is that of a box. */
const HIGHEST_ROW = 90;
const NARROWEST_CELL = 12;
/** Backgrounds of two cells of a row are no farther apart. */
const BESIDE = 5;

/**
 * The edges of backgrounds as lines: the background of a row tells where the row begins and ends,
 * backgrounds beside each other are those of cells and part columns too.
 */
export function edgesOf(fills: readonly Fill[]): Rule[] {
  const cells = fills.filter(
    (fill) => height(fill) <= HIGHEST_ROW && width(fill) >= NARROWEST_CELL,
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
  return [...edges, ...outerEdges(sorted)];
}

function areBeside(left: Fill, right: Fill): boolean {
  const gap = right.left - left.right;
  return (
    Math.abs(gap) <= BESIDE &&
    overlapY(left, right) > 0.8 * Math.min(height(left), height(right))
  );
}

/** The left and right ends of rows of at least two backgrounds. */
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

/** Pieces of one drawn line as one. */
export function joinCollinear(rules: readonly Rule[]): Rule[] {
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
      if (overlap(other.from, other.to, rule.from, rule.to) >= -MEETS) {
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
