import { findCitations } from "../markdown/citation-marks.ts";

/** The numbers that a text cites, in the order of their first citation. */
export function citedIndexes(text: string): number[] {
  return [...new Set(findCitations(text).flatMap(({ indexes }) => indexes))];
}

/** Returns the sentence that first cites a source. */
export function sentenceCiting(text: string, index: number): string | undefined {
  const citation = findCitations(text).find(({ indexes }) => indexes.includes(index));
  if (!citation) return undefined;
  const before = withoutCitationsAtEnd(text.slice(0, citation.at));
  const begins = before
    .slice(0, -1)
    .search(/(?:[.!?]["”]?\s|\n)(?!.*(?:[.!?]["”]?\s|\n))/s);
  return before.slice(begins + 1).trim();
}

const CITATION_AT_END = /(?:\[[\d,; –-]{1,40}\]|[–-])$/;

/** Other citations stand before one, and say nothing. */
function withoutCitationsAtEnd(text: string): string {
  let before = text.trimEnd();
  while (CITATION_AT_END.test(before))
    before = before.replace(CITATION_AT_END, "").trimEnd();
  return before;
}
