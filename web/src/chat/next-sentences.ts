/** Returns the complete sentences that were not read yet, and at the end the rest. */
export function nextSentences(
  text: string,
  saidCharacters: number,
  isComplete: boolean,
): string {
  const rest = text.slice(saidCharacters);
  if (isComplete) return rest;
  const ends = [...rest.matchAll(/[.!?…:]["”’)]*\s|\n/g)];
  const last = ends.at(-1);
  return last ? rest.slice(0, last.index + last[0].length) : "";
}
