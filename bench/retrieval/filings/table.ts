import { interval } from "../../../packages/to-markdown/bench/structure.ts";
import { chanceOf } from "../significance.ts";
import type { FilingAnswer } from "./measure.ts";

const HALVES = ["work", "scored", "both"] as const;
const MEASURES = ["filing", "page", "allPages"] as const;
const COMPARED = "hybrid";
const PEER = "BM25";

/** A row for each half and way: the shares of questions with what is right, with intervals. */
export function filingRows(
  answers: readonly FilingAnswer[],
): Record<string, string | number>[] {
  return HALVES.flatMap((half) => {
    const inHalf = answers.filter((one) => half === "both" || one.half === half);
    const byWay = Map.groupBy(inHalf, ({ how }) => how);
    const peer = byWay.get(PEER) ?? [];
    return [...byWay].map(([how, found]) => ({
      half,
      how,
      questions: found.length,
      ...Object.fromEntries(
        MEASURES.map((measure) => [
          measure,
          withInterval(found.map((one) => one[measure])),
        ]),
      ),
      ...(how === COMPARED && {
        chance: chanceOf(found.map(({ page }, at) => page - (peer[at]?.page ?? 0))),
      }),
    }));
  });
}

function withInterval(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const [low, high] = interval(values) ?? [0, 1];
  return `${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
