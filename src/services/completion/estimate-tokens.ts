const CHARACTERS_PER_TOKEN = 4;

/** An estimate, for replies whose provider reports no usage. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
