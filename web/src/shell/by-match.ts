/**
 * Things in the order of how well their names match words: a name that begins with them, one of
 * whose words does, one that has them, then the others.
 */
export function byMatch<Thing extends { label: string }>(
  words: string,
  things: readonly Thing[],
): Thing[] {
  const wanted = words.toLowerCase();
  const rank = ({ label }: Thing) => {
    const name = label.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 1;
    return name.includes(wanted) ? 2 : 3;
  };
  const ranked = things.map((thing) => ({ thing, rank: rank(thing) }));
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ thing }) => thing);
}
