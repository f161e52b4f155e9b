/** Returns a `tsquery` that matches any of the terms. */
export function anyOf(terms: readonly string[]): string {
  return terms.map(quoted).join(" | ");
}

/** Returns a `tsquery` that matches every term with this beginning. */
export function beginsWith(beginning: string): string {
  return `${quoted(beginning)}:*`;
}

function quoted(term: string): string {
  return `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
