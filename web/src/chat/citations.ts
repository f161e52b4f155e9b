const CITATION = /\[(\d{1,3}(?:, ?\d{1,3})*)\]/g;

/** The numbers that a text cites, in the order of their first citation. */
export function citedIndexes(text: string): number[] {
  const indexes = [...text.matchAll(CITATION)].flatMap(([, list = ""]) =>
    list.split(",").map(Number),
  );
  return [...new Set(indexes)];
}

/** Returns the sentence that first cites a source. */
export function sentenceCiting(text: string, index: number): string | undefined {
  const citation = [...text.matchAll(CITATION)].find(([, list = ""]) =>
    list.split(",").map(Number).includes(index),
  );
  if (!citation) return undefined;
  const before = text.slice(0, citation.index).trimEnd();
  const begins = before
    .slice(0, -1)
    .search(/(?:[.!?]["”]?\s|\n)(?!.*(?:[.!?]["”]?\s|\n))/s);
  return before.slice(begins + 1).trim();
}
