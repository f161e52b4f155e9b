/** Lexemes that follow each other, each so many words behind the first. */
export type Phrase = readonly { lexeme: string; behind: number }[];

/** Returns a `tsquery` that matches any of the terms. */
export function anyOf(terms: readonly string[]): string {
  return terms.map(quoted).join(" | ");
}

/** Returns a `tsquery` that matches any of the phrases. */
export function anyPhraseOf(phrases: readonly Phrase[]): string {
  const queries = phrases.map((phrase) =>
    phrase
      .map(({ lexeme, behind }, n) =>
        n === 0
          ? quoted(lexeme)
          : `<${behind - (phrase[n - 1]?.behind ?? 0)}> ${quoted(lexeme)}`,
      )
      .join(" "),
  );
  return [...new Set(queries)].map((query) => `(${query})`).join(" | ");
}

/** Returns a `tsquery` that matches every term with this beginning. */
export function beginsWith(beginning: string): string {
  return `${quoted(beginning)}:*`;
}

function quoted(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
