/** A `tsquery` that is true where any of the terms is. */
export function anyOf(terms: readonly string[]): string {
  return terms
    .map((term) => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`)
    .join(" | ");
}
