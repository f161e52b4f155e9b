/** Yields the items in groups of at most `size`, in their order: for what takes only so many. */
export function* inGroups<Item>(
  items: readonly Item[],
  size: number,
): Generator<Item[], void, undefined> {
  for (let from = 0; from < items.length; from += size)
    yield items.slice(from, from + size);
}
