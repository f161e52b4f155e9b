import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { AccountNotice } from "../contract-account-notices.ts";
import type { AuditAction } from "../contract-audit.ts";

/** The actions that get a notice. */
const TOLD: AuditAction[] = ["user.changed", "user.exported", "user.sessions_ended"];

/** What others did to a user's account, newest first. Services act for their users alone. */
const noticesOf = (userId: string) => sql`users.audit_events event
  where resource_type = 'user' and resource_id = ${userId} and action = any(${TOLD})
    and actor_id not in (${userId}, 'service')`;

export async function listNotices(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const rows = await db.query<Omit<AccountNotice, "at"> & { at: Date }>(sql`
    select id, at, action,
      (select name from users.known_users known
        where known.id = actor_id and known.state <> 'deleted') as "actorName",
      array(select jsonb_object_keys(details) order by 1) as fields,
      at <= coalesce((select notices_read_at from users.known_users where id = ${userId}), at)
        as "isRead"
    from ${noticesOf(userId)} order by at desc, id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from ${noticesOf(userId)}`,
  );
  const items = rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  return { items, total: count?.total ?? 0 };
}

/** They stay in the list, so that nobody who signed in as the user can hide them. */
export async function markNoticesRead(db: Database, userId: string): Promise<void> {
  await db.query(
    sql`update users.known_users set notices_read_at = now() where id = ${userId}`,
  );
}
