import { expect } from "vitest";
import { median } from "../../../../bench/measure.ts";
import type { Noise } from "./noise.ts";

export const SAMPLES = 3;
/** On a busier machine a clock says nothing about the app. */
const MAX_SLOWNESS = 2;

interface Bar {
  name: string;
  unit: string;
  figures: readonly number[];
  limit: number;
  /** The figure must reach the limit. Default: it must not exceed it. */
  atLeast?: boolean;
  /**
   * The blank page of the same run, for what a clock measures: it moves the limit. Absent for
   * counts and processor time, which are the same on a busy machine.
   */
  noise?: Noise;
}

/** Prints the figures of a bar and its limit, and fails where the median misses it. */
export function expectBar({
  name,
  unit,
  figures,
  limit,
  atLeast = false,
  noise,
}: Bar): void {
  const middle = median(figures);
  const slowness = noise?.slowness ?? 1;
  const share = Math.min(1, (noise?.framesPerSecond ?? 60) / 60);
  const allowed = atLeast ? (limit * share) / slowness : limit * slowness;
  const isUndecided = noise !== undefined && noise.slowness > MAX_SLOWNESS;
  const relation = atLeast ? "at least" : "at most";
  const moved = noise ? `, here ${round(allowed)}` : "";
  const said = `${round(middle)} ${unit} (${figures.map(round).join(", ")})`;
  const verdict = isUndecided ? " [undecided]" : "";
  console.log(`${name}: ${said}; ${relation} ${limit}${moved}${verdict}`);
  if (isUndecided) return;
  if (atLeast) expect.soft(middle, name).toBeGreaterThanOrEqual(allowed);
  else expect.soft(middle, name).toBeLessThanOrEqual(allowed);
}

/** The median of several measurements of the blank page. */
export function combineNoise(all: readonly Noise[]): Noise {
  const of = (figure: keyof Noise) => median(all.map((noise) => noise[figure]));
  const noise = {
    slowness: of("slowness"),
    framesPerSecond: of("framesPerSecond"),
    worstEventMs: of("worstEventMs"),
  };
  console.log(
    `blank page: work takes ${round(noise.slowness)} × its processor time, ` +
      `${round(noise.framesPerSecond)} frames/s, worst event ${round(noise.worstEventMs)} ms`,
  );
  const isQuiet = noise.slowness <= MAX_SLOWNESS;
  expect
    .soft(isQuiet, "The machine is too busy for a clock. Run it again at rest.")
    .toBe(true);
  return noise;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
