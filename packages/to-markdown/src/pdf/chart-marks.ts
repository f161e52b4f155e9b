import { axesOf, boxOfRule } from "./chart-axes.ts";
import { type Box, around, height, middleX, middleY, width } from "./geometry.ts";
import type { Segment } from "./layout.ts";
import type { Fill, PageContent, Rule } from "./page-content.ts";

export type Drawings = Pick<PageContent, "rules" | "fills"> &
  Partial<Pick<PageContent, "curves">>;

/** What shows that a chart is drawn, with the colours that its legend names. */
export interface ChartMark extends Box {
  colours: Set<number>;
}

/** Bars are alike within this many points. */
const ALIKE = 1.5;
const MIN_BARS = 3;
/** Bars on an axis that is drawn. */
const MIN_BARS_ON_AXIS = 2;
/** Lengths differ by at least this many points. */
const LENGTH_STEP = 3;
/** Cells, too, differ where some span columns; of bars, so large a share does, or so many. */
const VARIED = 0.4;
const MANY_LENGTHS = 6;
/** Cells touch each other; between some bars there is this share of their breadth. */
const BAR_GAP = 0.2;
const MIN_BAR_BREADTH = 3;
/** The marks on an axis reach no farther beyond it, in points. */
const MAX_TICK = 10;
/** A page with more backgrounds is a map. */
const MAX_FILLS = 3_000;
const MAX_OPEN = 64;
/** Parts of a pie are at least so large, and the pie itself. */
const MIN_SLICES = 3;
const MIN_PIE = 50;
const ROUND = 0.75;
const CENTRE = 0.12;
const MAX_CURVES = 400;

/** Bars on one line, pies, and axes with a grid. */
export function chartMarks(segments: readonly Segment[], drawn: Drawings): ChartMark[] {
  return joinNear([
    ...barsOf(drawn, true),
    ...barsOf(drawn, false),
    ...axesOf(segments, drawn.rules).map((box) => ({ ...box, colours: new Set<number>() })),
    ...piesOf(drawn.curves ?? []),
  ]);
}

/** Rectangles of one breadth that begin on one line and differ in length. */
function barsOf({ rules, fills }: Drawings, upright: boolean): ChartMark[] {
  if (fills.length > MAX_FILLS) return [];
  const breadth = upright ? width : height;
  const length = upright ? height : width;
  const foot = (fill: Fill) => (upright ? fill.bottom : fill.left);
  const side = (fill: Fill) => (upright ? fill.left : fill.top);
  const end = (fill: Fill) => foot(fill) + (upright ? -1 : 1) * length(fill);
  const isPart = partsOf(fills, { foot, end, side, breadth });
  const groups: Fill[][] = [];
  const key = (fill: Fill) => [foot(fill), breadth(fill)] as const;
  for (const fill of fills.toSorted(
    (a, b) => foot(a) - foot(b) || breadth(a) - breadth(b),
  )) {
    if (breadth(fill) < MIN_BAR_BREADTH || isPart(fill)) continue;
    // sorted: those of other lines are far behind
    const group = groups
      .slice(-MAX_OPEN)
      .findLast(
        ([first]) =>
          first && key(first).every((at, n) => Math.abs(at - (key(fill)[n] ?? 0)) <= ALIKE),
      );
    if (group) group.push(fill);
    else groups.push([fill]);
  }
  return groups.flatMap((bars) => {
    const sorted = bars.toSorted((a, b) => side(a) - side(b));
    const axis = axisUnder(bars, rules, upright);
    const lengths = new Set(bars.map((bar) => Math.round(length(bar) / LENGTH_STEP)));
    const least = Math.max(
      axis ? MIN_BARS_ON_AXIS : MIN_BARS,
      Math.min(bars.length * VARIED, MANY_LENGTHS),
    );
    if (lengths.size < least || !areApart(sorted, side, breadth)) return [];
    if (upright ? isOverRows(bars, rules) : isRuledTable(bars, rules)) return [];
    const box = around(axis ? [...bars, axis] : bars);
    return [{ ...box, colours: new Set(bars.map(({ colour }) => colour)) }];
  });
}

type Measure = (fill: Fill) => number;

/**
 * Tells backgrounds that go on in the same colour and breadth where they end, as those of the cells
 * of a shaded row do: a bar is one piece in its colour.
 */
function partsOf(
  fills: readonly Fill[],
  { foot, end, side, breadth }: Record<"foot" | "end" | "side" | "breadth", Measure>,
): (fill: Fill) => boolean {
  const keyOf = (fill: Fill, at: number) =>
    [fill.colour, side(fill), breadth(fill), at].map(Math.round).join();
  const feet = new Set(fills.map((fill) => keyOf(fill, foot(fill))));
  const ends = new Set(fills.map((fill) => keyOf(fill, end(fill))));
  return (fill) => feet.has(keyOf(fill, end(fill))) || ends.has(keyOf(fill, foot(fill)));
}

function areApart(
  sorted: readonly Fill[],
  side: (fill: Fill) => number,
  breadth: (fill: Fill) => number,
): boolean {
  return sorted.some((bar, at) => {
    const next = sorted[at + 1];
    return next && side(next) - side(bar) - breadth(bar) > breadth(bar) * BAR_GAP;
  });
}

/** The drawn line on which bars stand. */
function axisUnder(
  bars: readonly Fill[],
  rules: readonly Rule[],
  upright: boolean,
): Box | undefined {
  const box = around(bars);
  const [foot, from, to] = upright
    ? [box.bottom, box.left, box.right]
    : [box.left, box.top, box.bottom];
  const axis = rules.find(
    (rule) =>
      rule.horizontal === upright &&
      Math.abs(rule.at - foot) <= ALIKE &&
      rule.from <= from + ALIKE &&
      rule.to >= to - ALIKE,
  );
  return axis && boxOfRule(axis);
}

/** Bars in the cells of a table, whose rows are parted by lines. */
function isRuledTable(bars: readonly Fill[], rules: readonly Rule[]): boolean {
  const box = around(bars);
  const size = height(bars[0] ?? box);
  const between = rules.filter(
    ({ horizontal, at, from, to }) =>
      horizontal &&
      from < box.left - 2 * size &&
      to > box.left &&
      at > box.top &&
      at < box.bottom,
  );
  return between.length >= 2;
}

/**
 * Backgrounds in cells of a table: lines between them go on below, where an axis has no more than
 * ticks.
 */
function isOverRows(bars: readonly Fill[], rules: readonly Rule[]): boolean {
  const { left, right, bottom } = around(bars);
  const below = bottom + MAX_TICK;
  const places = rules
    .filter(
      ({ horizontal, at, from, to }) =>
        !horizontal && at > left && at < right && from < below && to > below,
    )
    .map(({ at }) => Math.round(at));
  return new Set(places).size >= 2;
}

/** Parts of a circle that meet in its middle. */
function piesOf(curves: readonly Fill[]): ChartMark[] {
  if (curves.length > MAX_CURVES) return [];
  const pies: ChartMark[] = [];
  let left = [...curves];
  while (left.length >= MIN_SLICES) {
    const [first] = left;
    if (!first) break;
    const slices = left.filter((fill) => touches(first, fill));
    left = left.filter((fill) => !slices.includes(fill));
    const box = around(slices);
    const shape = width(box) / Math.max(height(box), 1);
    const colours = new Set(slices.map(({ colour }) => colour));
    const isPie =
      colours.size >= MIN_SLICES &&
      Math.min(width(box), height(box)) >= MIN_PIE &&
      shape > ROUND &&
      shape < 1 / ROUND &&
      slices.every((slice) => reaches(slice, box));
    if (isPie) pies.push({ ...box, colours });
  }
  return pies;
}

const touches = (one: Box, other: Box): boolean =>
  one.left <= other.right + ALIKE &&
  other.left <= one.right + ALIKE &&
  one.top <= other.bottom + ALIKE &&
  other.top <= one.bottom + ALIKE;

/** Whether a part of a circle reaches its middle, or nearly, as that of a ring. */
function reaches(slice: Box, circle: Box): boolean {
  const slack = width(circle) * CENTRE;
  const [x, y] = [middleX(circle), middleY(circle)];
  return (
    slice.left <= x + slack &&
    slice.right >= x - slack &&
    slice.top <= y + slack &&
    slice.bottom >= y - slack
  );
}

/** Marks of one chart are over each other, or nearly. */
function joinNear(marks: readonly ChartMark[]): ChartMark[] {
  const joined: ChartMark[] = [];
  for (const mark of marks) {
    let whole = mark;
    for (let at = joined.length - 1; at >= 0; at -= 1) {
      const other = joined[at];
      if (!other || !touches(whole, other)) continue;
      joined.splice(at, 1);
      const colours = new Set([...whole.colours, ...other.colours]);
      whole = { ...around([whole, other]), colours };
      at = joined.length;
    }
    joined.push(whole);
  }
  return joined;
}
