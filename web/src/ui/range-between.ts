/** The items from one to another, in either direction, with both; without the first only one. */
export function rangeBetween(
  listed: readonly string[],
  from: string | undefined,
  to: string,
): string[] {
  const ends = [listed.indexOf(from ?? to), listed.indexOf(to)];
  const [start, end] = [Math.min(...ends), Math.max(...ends)];
  return start < 0 ? [to] : listed.slice(start, end + 1);
}
