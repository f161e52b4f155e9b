import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { DeletedUser, PartReport } from "../contract-user-deletion.ts";
import { notDeleted } from "./find-deletion.ts";

/**
 * Keeps how a service ended its part of a deletion. The audit log says when the last part is done,
 * and when a service has given up. Idempotent: what is done stays so.
 * @throws NotFound `user_not_deleted`.
 */
export async function recordReport(
  db: Database,
  userId: string,
  { service, state, attempt, isLast, error = "" }: PartReport,
): Promise<void> {
  await db.tx(async () => {
    // one report at a time, so that one of them is the last
    const [deletion] = await db.query<{ clientId: string; transferTo: string | null }>(sql`
      select client_id as "clientId", transfer_to as "transferTo" from users.deletions
      where user_id = ${userId} for update`);
    if (!deletion) throw notDeleted();
    const changed = await db.query(sql`
      insert into users.deletion_parts as part (user_id, service, state, attempt, error)
      values (${userId}, ${service}, ${state}, ${attempt}, ${state === "done" ? null : error})
      on conflict (user_id, service) do update set state = excluded.state,
        attempt = excluded.attempt, error = excluded.error, at = now()
        where part.state <> 'done' returning 1`);
    if (changed.length === 0) return;
    const about = { resourceType: "user", resourceId: userId, clientId: deletion.clientId };
    if (state === "failed" && isLast)
      await recordEvent(db, ACTOR, {
        ...about,
        action: "user.erasure_failed",
        details: { service, error },
      });
    const left = await db.query(sql`select 1 from users.deletion_parts
      where user_id = ${userId} and state <> 'done' limit 1`);
    if (left.length === 0)
      await recordEvent(db, ACTOR, {
        ...about,
        action: "user.erased",
        details: { transferTo: deletion.transferTo },
      });
  });
}

const ACTOR = "service";

interface Row extends Omit<DeletedUser, "at" | "state"> {
  at: Date;
}

/** Deleted users of a tenant, the last first. Those of earlier releases have no parts. */
export async function listDeletedUsers(
  db: Database,
  clientId: string,
  { isOpen, limit, offset }: { isOpen: boolean; limit: number; offset: number },
): Promise<{ items: DeletedUser[]; total: number }> {
  const where = sql`deletion.client_id = ${clientId} and exists (
    select from users.deletion_parts part where part.user_id = deletion.user_id
      and (${!isOpen} or part.state <> 'done'))`;
  const rows = await db.query<Row>(sql`
    select user_id as "userId", transfer_to as "transferTo", at,
      (select name from users.known_users known
        where known.id = transfer_to and known.state <> 'deleted') as "recipientName",
      (select jsonb_agg(jsonb_build_object('service', service, 'state', state,
        'attempt', attempt, 'error', error, 'at', part.at at time zone 'UTC') order by service)
        from users.deletion_parts part where part.user_id = deletion.user_id) as parts
    from users.deletions deletion where ${where}
    order by at desc, user_id limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from users.deletions deletion where ${where}`);
  return { items: rows.map(toDeletedUser), total: count?.total ?? 0 };
}

function toDeletedUser({ at, parts, ...row }: Row): DeletedUser {
  const has = (wanted: DeletedUser["state"]) => parts.some(({ state }) => state === wanted);
  return {
    ...row,
    at: at.toISOString(),
    // the database writes the time without a zone
    parts: parts.map((part) => ({ ...part, at: new Date(`${part.at}Z`).toISOString() })),
    state: has("failed") ? "failed" : has("waiting") ? "waiting" : "done",
  };
}
