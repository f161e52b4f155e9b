import { headingSimilarity } from "./heading-similarity.ts";
import { joinContinued } from "./markdown-tables.ts";
import { tableSimilarity } from "./table-similarity.ts";
import { textSimilarity } from "./text-similarity.ts";

/** Similarities from 0 to 1; undefined where the expected Markdown has no such content. */
export interface Score {
  /** Text in reading order. */
  nid: number | undefined;
  /** Tables. */
  teds: number | undefined;
  /** Headings. */
  mhs: number | undefined;
}

/**
 * Joins continued tables, and makes the letters of formulas as any others, because some fonts
 * encode an italic x as U+1D465.
 */
const folded = (text: string): string =>
  joinContinued(text).replace(/[\u{1d400}-\u{1d7ff}]/gu, (letter) =>
    letter.normalize("NFKC"),
  );

function score(truth: string, markdown: string): Score {
  const [expected, found] = [folded(truth), folded(markdown)];
  return {
    nid: textSimilarity(expected, found),
    teds: tableSimilarity(expected, found),
    mhs: headingSimilarity(expected, found),
  };
}

/** The best of each score against several correct outputs. */
export function bestScore(truths: readonly string[], markdown: string): Score {
  const scores = truths.map((truth) => score(truth, markdown));
  const best = (key: keyof Score) => {
    const values = scores.map((each) => each[key]).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : Math.max(...values);
  };
  return { nid: best("nid"), teds: best("teds"), mhs: best("mhs") };
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
