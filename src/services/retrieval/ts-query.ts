/** Returns a `tsquery` that matches any of the terms. */
export function anyOf(terms: readonly string[]): string {
  return terms
    .map((term) => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`)
    .join(" | ");
}
