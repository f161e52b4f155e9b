/** The whole sentences after what was said; all of the rest where nothing more comes. */
export function nextSentences(text: string, saidCharacters: number, isComplete: boolean): string {
  const rest = text.slice(saidCharacters);
  if (isComplete) return rest;
  const ends = [...rest.matchAll(/[.!?…:]["”’)]*\s|\n/g)];
  const last = ends.at(-1);
  return last ? rest.slice(0, last.index + last[0].length) : "";
}
