import type { Expected } from "../contract-evaluation.ts";
import type { RetrieveResult } from "../contract-retrieve.ts";

export interface Judgement {
  ndcg: number;
  recall: number;
  reciprocalRank: number;
}

/** Ranks after this one do not count. */
const LAST_RANK = 10;
/** A chunk answers that has this share of a passage. */
const MIN_SHARE = 0.5;
/** Words in a row that are compared. */
const RUN = 3;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

type Judged = Pick<RetrieveResult, "content"> & {
  metadata: Pick<RetrieveResult["metadata"], "documentId" | "fileName">;
};

/**
 * Judges the results of a question by what was expected. Where passages are expected, the ranks are
 * those of chunks; otherwise, a document has the rank of its first chunk.
 */
export function judgeResults(
  results: readonly Judged[],
  expected: readonly Expected[],
): Judgement {
  const ranked = expected.some(({ passage }) => passage !== undefined)
    ? results
    : firstOfEachDocument(results);
  const open = new Set(expected);
  const most = Math.min(LAST_RANK, expected.length);
  let gain = 0;
  let found = 0;
  let reciprocalRank = 0;
  for (const [at, result] of ranked.slice(0, LAST_RANK).entries()) {
    const answered = [...open].filter((one) => isAnswer(result, one));
    for (const one of answered) open.delete(one);
    if (answered.length === 0) continue;
    found += answered.length;
    gain += answered.length * discount(at + 1);
    reciprocalRank ||= 1 / (at + 1);
  }
  const best = Array.from({ length: most }, (_, at) => discount(at + 1));
  return {
    // one chunk may answer two passages
    ndcg: Math.min(1, gain / best.reduce((sum, one) => sum + one, 0)),
    recall: Math.min(1, found / most),
    reciprocalRank,
  };
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

function firstOfEachDocument(results: readonly Judged[]): Judged[] {
  const known = new Set<string>();
  return results.filter(({ metadata: { documentId } }) => {
    if (known.has(documentId)) return false;
    known.add(documentId);
    return true;
  });
}

function isAnswer(
  { content, metadata }: Judged,
  { documentId, fileName, passage }: Expected,
): boolean {
  if (documentId !== undefined && documentId !== metadata.documentId) return false;
  if (fileName !== undefined && fileName !== metadata.fileName) return false;
  return passage === undefined || shareOf(passage, content) >= MIN_SHARE;
}

/** The share of the runs of words of a passage that a text has. */
function shareOf(passage: string, text: string): number {
  const wanted = runsOf(passage);
  const there = runsOf(text, wanted.length);
  const known = new Set(there.runs);
  const found = wanted.runs.filter((run) => known.has(run));
  return wanted.runs.length === 0 ? 0 : found.length / wanted.runs.length;
}

/** A passage of fewer words is one run. */
function runsOf(text: string, length?: number): { runs: string[]; length: number } {
  const words = [...text.normalize("NFKC").toLowerCase().matchAll(WORD)].map(
    ([word]) => word,
  );
  const each = length ?? Math.max(1, Math.min(RUN, words.length));
  const runs: string[] = [];
  for (let at = 0; at + each <= words.length; at += 1)
    runs.push(words.slice(at, at + each).join(" "));
  return { runs, length: each };
}
