import type { AnyInput, Row } from "./call-types.ts";

interface Answer {
  items?: unknown[];
  total?: number;
  limit?: number;
  next?: string | null;
  data?: unknown[];
  last_id?: string | null;
  has_more?: boolean;
}

const MAX_LIMIT = 100;

/** The items of all pages of a list, each read when it is wanted. */
export async function* allItems(
  by: NonNullable<Row["pages"]>,
  input: AnyInput,
  read: (input: AnyInput) => Promise<unknown>,
): AsyncGenerator<unknown> {
  let query: Record<string, unknown> = { limit: MAX_LIMIT, ...input.query };
  while (true) {
    const answer = (await read({ ...input, query })) as Answer; // of an operation with pages
    const items = answer.items ?? answer.data ?? [];
    yield* items;
    const next = nextOf(by, answer, query);
    if (next === undefined || items.length === 0) return;
    query = { ...query, [by]: next };
  }
}

/** The value that asks for the following page; undefined after the last one. */
function nextOf(
  by: NonNullable<Row["pages"]>,
  { total = 0, limit = MAX_LIMIT, next, has_more, last_id }: Answer,
  query: Record<string, unknown>,
): unknown {
  if (by === "cursor") return next ?? undefined;
  if (by === "after") return has_more ? (last_id ?? undefined) : undefined;
  const page = Number(query["page"] ?? 1);
  return page * limit < total ? page + 1 : undefined;
}
