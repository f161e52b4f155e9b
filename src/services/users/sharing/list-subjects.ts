import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/**
 * Users and groups of the user's organization whose name or email address begins with the query, in
 * any case and with or without diacritics.
 */
export async function listSubjects(
  db: Database,
  clientId: string,
  query: string,
  limit: number,
  offset: number,
) {
  const prefix = sql`users.fold_text(${query.replaceAll("\0", "")})`;
  const found = sql`
    select 'user' as "subjectType", id as "subjectId", name from users.known_users
      where client_id = ${clientId} and state = 'active'
        and (users.fold_text(name) ^@ ${prefix} or users.fold_text(email) ^@ ${prefix})
    union all
    select 'group', id::text, name from users.groups
      where client_id = ${clientId} and users.fold_text(name) ^@ ${prefix}`;
  const items = await db.query<{
    subjectType: "user" | "group";
    subjectId: string;
    name: string;
  }>(sql`${found} order by name, 2 limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from (${found}) found`,
  );
  return { items, total: count?.total ?? 0 };
}
