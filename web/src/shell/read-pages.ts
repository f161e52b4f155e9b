/** More would keep the server busy for each look at a page. */
const MAX_PAGES = 50;

interface ListPage<Item> {
  items: readonly Item[];
  limit: number;
  total: number;
}

/** All items of a list that is answered page by page, or the first of them. */
export async function readPages<Item>(
  load: (page: number) => Promise<ListPage<Item>>,
  maxItems = Infinity,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; page <= MAX_PAGES && all.length < maxItems; page += 1) {
    const { items, limit, total } = await load(page);
    all.push(...items);
    if (items.length === 0 || page * limit >= total) break;
  }
  return all.slice(0, maxItems);
}
