/** What is assumed of any text and model; each has its own tokens. */
export const CHARACTERS_PER_TOKEN = 4;

/** An estimate, where nobody counts the tokens. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
