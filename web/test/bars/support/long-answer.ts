/** Markdown with everything that answers contain. */
const SECTION = `## Holidays and travel

Everybody has **thirty days** of holidays, and *one* more after five years: see the \`leave\` table
and [the handbook](https://handbook.example/leave). Days that are not taken move to the next year.

1. Ask the team first.
2. Enter the days, with a note of who stands in.
   - for more than two weeks: four weeks before
   - otherwise: one week before

| Years | Days | Moves |
| ----- | ---: | :---: |
| 0–5   |   30 |   5   |
| over  |   31 |  10   |

\`\`\`ts
export function daysLeft(taken: number, years: number): number {
  const all = years > 5 ? 31 : 30;
  return Math.max(0, all - taken);
}
\`\`\`

> Nobody is called back from holidays, except when the building burns.

The share of a year is $d = 30 \\cdot m / 12$ for $m$ months.

`;

/** So many characters, in pieces of about the length of a token, or longer ones. */
export function longAnswer(characters = 20_000, pieceLength = 4): string[] {
  const text = SECTION.repeat(Math.ceil(characters / SECTION.length)).slice(0, characters);
  return cutIntoTokens(text, pieceLength);
}

export function cutIntoTokens(text: string, pieceLength = 4): string[] {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, at) =>
    text.slice(at * pieceLength, (at + 1) * pieceLength),
  );
}
