/** What stands for the names beyond the bound. */
export const OTHER = "other";

/**
 * Names as labels of metrics, of which each makes a series that stays: the first so many, and
 * `other` for the rest.
 */
export function boundedNames(max = 500): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= max) return OTHER;
    known.add(name);
    return name;
  };
}
