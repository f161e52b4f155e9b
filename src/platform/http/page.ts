import { z } from "zod";

/** `?page` from 1, `&limit` at most 100. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export type PageQuery = z.output<typeof pageQuery>;

/** The answer of every list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    page: z.number().int(),
    limit: z.number().int(),
    total: z.number().int(),
  });
}

/** What `read` gives of the page that a request asks for, as the answer of a list. */
export async function readPage<Result extends { items: unknown[]; total: number }>(
  { page, limit }: PageQuery,
  read: (limit: number, offset: number) => Result | Promise<Result>,
) {
  return { ...(await read(limit, offsetOf({ page, limit }))), page, limit };
}

/** A page of a list that is whole in memory. */
export function slicePage<Item>({ page, limit }: PageQuery, all: readonly Item[]) {
  const from = offsetOf({ page, limit });
  return { items: all.slice(from, from + limit), page, limit, total: all.length };
}

/** Returns the offset of a page for SQL. */
export function offsetOf({ page, limit }: PageQuery): number {
  return (page - 1) * limit;
}

const MAX_PAGE_ITEMS = 100;

/**
 * Yields the items of all pages of a list of another service, as long as they are consumed.
 * @param readOne reads one page, such as with `call`.
 */
export async function* allItems<Item>(
  readOne: (query: PageQuery) => Promise<{ items: readonly Item[]; total: number }>,
): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const { items, total } = await readOne({ page, limit: MAX_PAGE_ITEMS });
    yield* items;
    if (items.length === 0 || page * MAX_PAGE_ITEMS >= total) return;
  }
}
