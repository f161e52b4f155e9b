import sql, { raw, type Sql } from "sql-template-tag";
import type { Database } from "./database.ts";

const FIRST_KEY = { bigint: "-1", uuid: "00000000-0000-0000-0000-000000000000", text: "" };
const PAGE_SIZE = 20;
/** A page has no more records when those before are so long, whatever one of them is. */
const PAGE_BYTES = 4 * 2 ** 20;
const AFTER = " after ";

/** One kind of what a user has here, as the user's export shows it. */
export interface PersonalKind {
  kind: string;
  /** A table, which the other parts call `row`. */
  from: Sql;
  /** What orders the records of the kind and tells them apart. */
  key: Sql;
  keyType: keyof typeof FIRST_KEY;
  isOf(userId: string): Sql;
  /** About how long `data` is. */
  bytes: Sql;
  data: Sql;
}

interface PersonalPage {
  records: { kind: string; data: Record<string, unknown> }[];
  next: string | null;
}

export const byId = { key: sql`row.id`, keyType: "uuid" } as const;
export const isOfUser = (userId: string) => sql`row.user_id = ${userId}`;

/**
 * A page of a user's data, kind by kind, in their order.
 * @param after the `next` of the page before; it names a kind and the last record of it.
 */
export async function readPersonalPage(
  db: Database,
  kinds: readonly PersonalKind[],
  userId: string,
  after: string | undefined,
): Promise<PersonalPage> {
  const [name, ...rest] = after?.split(AFTER) ?? [];
  const last = rest.join(AFTER);
  const first = name === undefined ? 0 : kinds.findIndex(({ kind }) => kind === name);
  for (const kind of first < 0 ? [] : kinds.slice(first)) {
    const from = kind.kind === name ? last : FIRST_KEY[kind.keyType];
    const rows = await readPersonal(db, userId, kind, from);
    const end = rows.at(-1);
    if (!end) continue;
    const records = rows.map(({ data }) => ({ kind: kind.kind, data }));
    return { records, next: `${kind.kind}${AFTER}${end.key}` };
  }
  return { records: [], next: null };
}

/** The bytes are summed before the data is read, so that a page is never read to be cut. */
function readPersonal(
  db: Database,
  userId: string,
  { from, key, keyType, isOf, bytes, data }: PersonalKind,
  after: string,
) {
  const isNext = sql`${isOf(userId)} and ${key} > ${after}::${raw(keyType)}`;
  return db.query<{ key: string; data: Record<string, unknown> }>(sql`
    with candidates as (
      select ${key} as key, ${bytes} as bytes from ${from} where ${isNext}
      order by 1 limit ${PAGE_SIZE}),
    page as (select key, sum(bytes) over (order by key) - bytes as before from candidates)
    select page.key, ${data} as data from page join ${from} on ${key} = page.key
    where ${isOf(userId)} and before < ${PAGE_BYTES} order by page.key`);
}
