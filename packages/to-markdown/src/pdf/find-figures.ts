import { boxOfRule } from "./chart-axes.ts";
import { type ChartMark, chartMarks, type Drawings } from "./chart-marks.ts";
import {
  around,
  type Box,
  height,
  holds,
  median,
  overlapX,
  overlapY,
  width,
} from "./geometry.ts";
import { type Figure, type Segment, textOf } from "./layout.ts";
import { isCaption } from "./names-nothing.ts";
import type { Fill } from "./page-content.ts";

/** A page with more lines is a table or a list; one with more charts is a drawing. */
const MAX_SEGMENTS = 1_500;
const MAX_MARKS = 20;
/** Labels are no longer, in characters. */
const MAX_LABEL = 40;
/** How far from what is drawn labels stand, in ems: beside it, and above or below it. */
const ASIDE = 2.2;
const BELOW = 1.7;
/** Names of what is drawn are no larger than its labels, but for this share. */
const LARGER = 1.15;
/** Lines of one label, or of one paragraph, are no farther apart, in ems. */
const LEADING = 0.6;
/** The squares of a legend, in points, and how far they are from the chart. */
const MIN_KEY = 3;
const MAX_KEY = 13;
const KEY_REACH = 60;
const KEY_GAP = 1.5;

interface Found {
  figures: Figure[];
  /** What is outside of the figures. */
  rest: Segment[];
  drawn: Drawings;
}

/**
 * Finds charts by their bars, slices and axes, with the labels and numbers that belong to them:
 * those form neither tables nor headings.
 */
export function findFigures(segments: readonly Segment[], drawn: Drawings): Found {
  const figures: Figure[] = [];
  let rest = [...segments];
  const isDense = segments.length > MAX_SEGMENTS;
  const marks = isDense ? [] : chartMarks(segments, drawn).slice(0, MAX_MARKS);
  for (const mark of marks) {
    const inside = labelsOf(mark, rest, drawn);
    if (inside.size === 0) continue;
    const lines = rest.filter((segment) => inside.has(segment));
    rest = rest.filter((segment) => !inside.has(segment));
    figures.push({ ...around([...lines, mark]), lines });
  }
  const isOutside = (box: Box) => !figures.some((figure) => holds(figure, box));
  return {
    figures,
    rest,
    drawn: {
      fills: drawn.fills.filter(isOutside),
      rules: drawn.rules.filter((rule) => isOutside(boxOfRule(rule))),
    },
  };
}

/** The lines inside a chart and around it that are its labels. */
function labelsOf(
  mark: ChartMark,
  segments: readonly Segment[],
  { fills }: Drawings,
): Set<Segment> {
  const labels = new Set<Segment>();
  const keys = fills.filter((fill) => isKey(fill, mark));
  const long = segments.filter((segment) => textOf(segment).length > MAX_LABEL);
  const may = segments.filter(
    (segment) => !isCaption(textOf(segment)) && !isOfParagraph(segment, long),
  );
  for (const segment of may) {
    const isLabel = textOf(segment).length <= MAX_LABEL && isNear(segment, mark);
    if (isLabel || keys.some((key) => stands(segment, key))) labels.add(segment);
  }
  const size = median([...labels].map((label) => label.size));
  for (const label of labels)
    if (label.size > size * LARGER && !holds(mark, label)) labels.delete(label);
  // the other lines of labels that have several
  for (const segment of may)
    if (
      !labels.has(segment) &&
      textOf(segment).length <= MAX_LABEL &&
      Math.abs(segment.size - size) < 0.5 &&
      [...labels].some((label) => continues(segment, label))
    )
      labels.add(segment);
  return labels;
}

function isNear(segment: Segment, mark: Box): boolean {
  const aside = -overlapX(segment, mark);
  const apart = -overlapY(segment, mark);
  return aside <= ASIDE * segment.size && apart <= BELOW * segment.size;
}

/** Whether a line is one of a paragraph's: a `long` one is above or below it. */
const isOfParagraph = (segment: Segment, long: readonly Segment[]): boolean =>
  long.some((other) => other === segment || continues(segment, other));

const continues = (one: Segment, other: Segment): boolean =>
  Math.abs(one.size - other.size) < 0.5 &&
  overlapX(one, other) > 0 &&
  -overlapY(one, other) <= LEADING * one.size;

/** A small square in a colour of the chart, near it. */
function isKey(fill: Fill, mark: ChartMark): boolean {
  const [across, down] = [width(fill), height(fill)];
  return (
    Math.min(across, down) >= MIN_KEY &&
    Math.max(across, down) <= MAX_KEY &&
    (mark.colours.size === 0 || mark.colours.has(fill.colour)) &&
    -overlapX(fill, mark) <= 2 * KEY_REACH &&
    -overlapY(fill, mark) <= KEY_REACH
  );
}

/** Whether a line is named by the square to its left. */
const stands = (segment: Segment, key: Box): boolean =>
  overlapY(segment, key) > 0 &&
  segment.left >= key.right - 1 &&
  segment.left - key.right <= KEY_GAP * segment.size;
