import { diffLines, diffWordsWithSpace } from "diff";

export interface DiffRequest {
  before: string;
  after: string;
  by: "line" | "word";
}

export interface Change {
  kind: "same" | "added" | "removed";
  /** The unit of the comparison: lines or words. */
  count: number;
  text: string;
}

/** More changes do not help a reader, and load the main process. */
const MAX_CHANGES = 10_000;
const MAX_DIFF_MS = 4_000;

/**
 * Compares two texts. Runs in a worker process: time grows with length times difference.
 * @returns undefined when they differ too much.
 */
export default function diffText({ before, after, by }: DiffRequest): Change[] | undefined {
  const budget = { timeout: MAX_DIFF_MS };
  const changes =
    by === "line"
      ? // a text that goes on where the other ends has the same last line
        diffLines(before, after, { ...budget, ignoreNewlineAtEof: true })
      : diffWordsWithSpace(before, after, budget);
  if (!changes || changes.length > MAX_CHANGES) return undefined;
  return changes.map(({ added, removed, count, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    count,
    text: value,
  }));
}
