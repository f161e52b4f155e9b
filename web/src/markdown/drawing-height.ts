import { CHART_HEIGHT_PX, type DrawingKind } from "./frame-messages.ts";

/**
 * How high a drawing will be, so that the text below it stays where it is when it comes: as high as
 * it was before, else what its source lets one expect.
 */

const MAX_HEIGHT_PX = 1_200;
const MIN_HEIGHT_PX = 40;
/** Drawings whose height is remembered, until the page is loaded again. */
const MAX_KEPT = 50;

const kept = new Map<string, number>();

/** The height to reserve for a drawing that is not there yet. */
export function expectHeight(kind: DrawingKind, source: string): number {
  const before = kept.get(keyOf(source));
  return before ?? boundHeight(kind === "vega" ? ofChart(source) : ofDiagram(source));
}

export function keepHeight(source: string, height: number): void {
  const key = keyOf(source);
  kept.delete(key);
  kept.set(key, height);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** What a drawing may take of the page. */
export function boundHeight(said: unknown): number {
  const height = Number(said);
  if (!Number.isFinite(height)) return MAX_HEIGHT_PX;
  return Math.min(Math.max(height, MIN_HEIGHT_PX), MAX_HEIGHT_PX);
}

/** It is as high as its text says in a window of the same width. */
function keyOf(source: string): string {
  return `${innerWidth} ${source}`;
}

function ofChart(source: string): number {
  const said = /"height"\s*:\s*(\d{1,5})/.exec(source)?.[1];
  return said === undefined ? CHART_HEIGHT_PX : Number(said);
}

/** What kinds of diagrams take: in any case, and for each line of their source. */
const DIAGRAMS: readonly (readonly [kind: RegExp, base: number, line: number])[] = [
  [/^ {0,8}(?:graph|flowchart) +(?:LR|RL)/m, 120, 8],
  [/^ {0,8}(?:graph|flowchart)/m, 80, 52],
  [/^ {0,8}sequenceDiagram/m, 150, 46],
  [/^ {0,8}gantt/m, 90, 24],
  [/^ {0,8}pie/m, 400, 0],
];
const OTHERS = [160, 24] as const;
const MAX_EXPECTED_PX = 600;

function ofDiagram(source: string): number {
  const found = DIAGRAMS.find(([kind]) => kind.test(source));
  const [base, line] = found ? [found[1], found[2]] : OTHERS;
  const lines = source.trim().split("\n").length - 1;
  return Math.min(base + line * lines, MAX_EXPECTED_PX);
}
