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

/** Returns the offset of a page for SQL. */
export function offsetOf({ page, limit }: PageQuery): number {
  return (page - 1) * limit;
}
