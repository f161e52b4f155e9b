/** A search of `hybrid` considers so many candidates. */
const MAX_CANDIDATES = 100;
/** When fewer of them differ, copies may displace others: the search is repeated with more. */
const MIN_DIFFERENT = MAX_CANDIDATES / 2;
const MAX_WITH_COPIES = 1_000;

/**
 * Returns the best candidates of a search, with more of them where many are copies of each other.
 * All copies are kept: {@link readBest} compares their texts.
 * @param keyOf what candidates with the same text have in common; others seldom have the same.
 */
export async function differentCandidates<Candidate>(
  search: (limit: number) => Promise<Candidate[]>,
  keyOf: (candidate: Candidate) => string | number,
): Promise<Candidate[]> {
  const best = await search(MAX_CANDIDATES);
  const differing = new Set(best.map(keyOf)).size;
  if (best.length < MAX_CANDIDATES || differing >= MIN_DIFFERENT) return best;
  const more = await search(MAX_WITH_COPIES);
  const known = new Set<string | number>();
  const end = more.findIndex(
    (candidate) => known.add(keyOf(candidate)).size > MAX_CANDIDATES,
  );
  return end < 0 ? more : more.slice(0, end);
}
