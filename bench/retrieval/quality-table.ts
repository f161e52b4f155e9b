import { interval } from "../../packages/to-markdown/bench/structure.ts";
import type { Answered } from "./quality.ts";
import { chanceOf } from "./significance.ts";

/** What is compared with BM25. */
const COMPARED = "hybrid";
const PEER = "BM25";
const HALVES = ["work", "scored", "both"] as const;

interface QualityRow {
  set: string;
  half: (typeof HALVES)[number];
  questions: number;
  /** nDCG of the first ten, or recall, by way of retrieving. */
  figures: Record<string, number>;
  /** By how much the compared way is above the peer. */
  above: number;
  /** The middle 95 % of what other samples of such questions would show. */
  between: readonly [low: number, high: number] | undefined;
  /** The probability that chance alone makes the two differ so much. */
  chance: number;
}

/**
 * One row for each set, by the halves of its questions and for all of them; the last rows are the
 * means of the sets.
 */
export function qualityRows(
  answered: readonly Answered[],
  measure: "ndcg" | "recall",
): QualityRow[] {
  const sets = [...new Set(answered.map(({ set }) => set))];
  return HALVES.flatMap((half) => {
    const inHalf = answered.filter((one) => half === "both" || one.half === half);
    const rows = sets.map((set) =>
      rowOf(
        set,
        half,
        inHalf.filter((one) => one.set === set),
        measure,
      ),
    );
    return [...rows, meanOf(half, rows)];
  });
}

/** Rows as `console.table` prints them. */
export function printable(rows: readonly QualityRow[]): Record<string, string | number>[] {
  return rows.map(({ figures, above, between, chance, ...row }) => ({
    ...row,
    ...mapValues(figures, rounded),
    [`${COMPARED} - ${PEER}`]: rounded(above),
    "95 %": between ? between.map((end) => end.toFixed(3)).join(" to ") : "",
    chance: chance.toFixed(3),
  }));
}

function rowOf(
  set: string,
  half: QualityRow["half"],
  answered: readonly Answered[],
  measure: "ndcg" | "recall",
): QualityRow {
  const scores = mapValues(
    Object.fromEntries(Map.groupBy(answered, ({ how }) => how)),
    (found) => found.map((one) => one[measure]),
  );
  const peer = scores[PEER] ?? [];
  const differences = (scores[COMPARED] ?? []).map((score, n) => score - (peer[n] ?? 0));
  return {
    set,
    half,
    questions: peer.length,
    figures: mapValues(scores, mean),
    above: mean(differences),
    between: interval(differences),
    chance: chanceOf(differences),
  };
}

/** The sets count equally; by chance, the differences of sets change their sign. */
function meanOf(half: QualityRow["half"], rows: readonly QualityRow[]): QualityRow {
  const hows = Object.keys(rows[0]?.figures ?? {});
  const figures = hows.map((how) => [how, mean(rows.map((row) => row.figures[how] ?? 0))]);
  const differences = rows.map(({ above }) => above);
  return {
    set: "mean",
    half,
    questions: rows.reduce((sum, { questions }) => sum + questions, 0),
    figures: Object.fromEntries(figures),
    above: mean(differences),
    between: interval(differences),
    chance: chanceOf(differences),
  };
}

function mapValues<From, To>(
  record: Record<string, From>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value)]),
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function rounded(value: number): number {
  // not -0
  return Number(value.toFixed(4)) || 0;
}
