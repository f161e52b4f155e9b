import { offsetOf, type PageQuery } from "../../platform/http/page.ts";

/** One page of a list that is held in memory. */
export function paginate<Item>(items: readonly Item[], query: PageQuery) {
  const offset = offsetOf(query);
  return {
    items: items.slice(offset, offset + query.limit),
    page: query.page,
    limit: query.limit,
    total: items.length,
  };
}
