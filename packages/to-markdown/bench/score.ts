import { headingSimilarity } from "./heading-similarity.ts";
import { tableSimilarity } from "./table-similarity.ts";
import { textSimilarity } from "./text-similarity.ts";

/** Similarities in 0..1 to the truth; undefined where the truth has no such thing. */
export interface Score {
  /** Text in reading order. */
  nid: number | undefined;
  /** Tables. */
  teds: number | undefined;
  /** Headings. */
  mhs: number | undefined;
}

export function score(truth: string, markdown: string): Score {
  return {
    nid: textSimilarity(truth, markdown),
    teds: tableSimilarity(truth, markdown),
    mhs: headingSimilarity(truth, markdown),
  };
}

/** The mean of each score over the documents that have it. */
export function meanOf(scores: readonly Score[]): Score {
  const mean = (key: keyof Score) => {
    const values = scores.map((each) => each[key]).filter((value) => value !== undefined);
    return values.length === 0
      ? undefined
      : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return { nid: mean("nid"), teds: mean("teds"), mhs: mean("mhs") };
}
