import { type Box, around, middleY } from "./geometry.ts";
import type { Segment, Word } from "./layout.ts";
import type { Rule } from "./page-content.ts";

/** Numbers on an axis. */
const MIN_TICKS = 4;
const MAX_WORDS = 4_000;
const TICK = /^[-−–]?\p{Sc}?\d{1,3}(?:[,. ]?\d{3})*(?:[.,]\d+)?\s?(?:%|[kKMBmb]n?)?$/u;
/** Steps between numbers, and distances between their lines, may differ by these shares. */
const EVEN_STEP = 0.01;
const EVEN_DISTANCE = 0.12;
/** A line of the grid meets the middle of its number, in ems, and begins near it. */
const MEETS = 0.4;
const BESIDE = 3;

export const boxOfRule = ({ horizontal, at, from, to }: Rule): Box =>
  horizontal
    ? { left: from, right: to, top: at, bottom: at }
    : { left: at, right: at, top: from, bottom: to };

/** Numbers that fall evenly from line to line, each beside a line of a grid or on an axis. */
export function axesOf(segments: readonly Segment[], rules: readonly Rule[]): Box[] {
  const words = segments
    .flatMap((segment) => segment.words)
    .filter(({ text }) => TICK.test(text));
  if (words.length > MAX_WORDS || rules.length < 2) return [];
  const columns = new Map<number, Word[]>();
  for (const word of words) {
    const at = Math.round(word.right / 2);
    const near = [at, at - 1, at + 1].find((one) => columns.has(one)) ?? at;
    const column = columns.get(near) ?? [];
    column.push(word);
    columns.set(near, column);
  }
  return [...columns.values()].flatMap((column) =>
    runsOf(column.toSorted((a, b) => a.baseline - b.baseline)).flatMap((ticks) => {
      const grid = gridBeside(ticks, rules);
      return grid ? [around([...ticks, ...grid])] : [];
    }),
  );
}

/** Runs of numbers with equal steps and equal distances. */
function runsOf(column: readonly Word[]): Word[][] {
  const runs: Word[][] = [];
  let run: Word[] = [];
  const flush = () => {
    if (run.length >= MIN_TICKS && !areYears(run)) runs.push(run);
  };
  for (const word of column) {
    const [before, last] = run.slice(-2);
    if (before && last && !isEven(before, last, word)) {
      flush();
      run = [last];
    }
    run.push(word);
  }
  flush();
  return runs;
}

function isEven(before: Word, last: Word, word: Word): boolean {
  const step = valueOf(before) - valueOf(last);
  const distance = last.baseline - before.baseline;
  return (
    step > 0 &&
    Math.abs(valueOf(last) - valueOf(word) - step) <= step * EVEN_STEP &&
    Math.abs(word.baseline - last.baseline - distance) <= distance * EVEN_DISTANCE
  );
}

const areYears = (run: readonly Word[]): boolean =>
  run.every(({ text }) => /^(?:19|20)\d\d$/.test(text));

function valueOf({ text }: Word): number {
  const number = text.replace(/[^\d.,]/g, "");
  const whole = number.replace(/[,.](?=\d{3}(?:\D|$))/g, "").replace(",", ".");
  return /^[-−–]/.test(text) ? -Number(whole) : Number(whole);
}

/** Lines through the middle of numbers, or the two lines that numbers stand at. */
function gridBeside(ticks: readonly Word[], rules: readonly Rule[]): Box[] | undefined {
  const box = around(ticks);
  const size = ticks[0]?.size ?? 10;
  const isBeside = (from: number) =>
    from > box.right - size && from < box.right + BESIDE * size;
  const levels = rules.filter(
    ({ horizontal, from, to }) => horizontal && isBeside(from) && to - from > 4 * size,
  );
  const met = ticks.flatMap(
    (tick) =>
      levels.find(({ at }) => Math.abs(at - middleY(tick)) < MEETS * tick.size) ?? [],
  );
  if (met.length >= ticks.length * 0.7) return met.map(boxOfRule);
  const axis = rules.find(
    ({ horizontal, at, from, to }) =>
      !horizontal &&
      isBeside(at) &&
      from < box.top + size &&
      to > box.bottom - 2 * size &&
      to < box.bottom + 2 * size,
  );
  const foot = levels.find(({ at }) => axis && Math.abs(at - axis.to) < size);
  return axis && foot && met.length === levels.length
    ? [boxOfRule(axis), boxOfRule(foot)]
    : undefined;
}
