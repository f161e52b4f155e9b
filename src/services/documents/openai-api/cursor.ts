import sql, { join, type Sql } from "sql-template-tag";
import type { Cursor } from "./contract-ids.ts";

/** Pages by cursor, of rows whose ids are in the order in which they were created. */
export interface CursorSql {
  /** The condition on `id`. */
  where: Sql;
  /** One more than the page has, which says whether there are others. */
  limit: number;
  direction: Sql;
}

export function toSql(cursor: Cursor, id: Sql): CursorSql {
  const { after, before, order, limit } = cursor;
  const up = order === "asc";
  const behind = (key: string, further: boolean) =>
    further ? sql`${id} > ${key}::uuid` : sql`${id} < ${key}::uuid`;
  const conditions = [
    ...(after === undefined ? [] : [behind(after, up)]),
    ...(before === undefined ? [] : [behind(before, !up)]),
  ];
  return {
    where: conditions.length > 0 ? join(conditions, " and ") : sql`true`,
    limit: limit + 1,
    direction: up === isBackwards(cursor) ? sql`desc` : sql`asc`,
  };
}

/** The page that ends before an item is read from that item on. */
function isBackwards({ after, before }: Cursor): boolean {
  return before !== undefined && after === undefined;
}

export function toPage<Row, Item extends { id: string }>(
  cursor: Cursor,
  rows: readonly Row[],
  toItem: (row: Row) => Item,
) {
  const data = rows.slice(0, cursor.limit).map(toItem);
  if (isBackwards(cursor)) data.reverse();
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rows.length > cursor.limit,
  };
}

export function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
