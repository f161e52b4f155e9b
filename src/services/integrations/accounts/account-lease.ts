import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { Unavailable } from "../../../platform/http/errors.ts";

/** Longer than any work under it may take. */
const LEASE = "90 seconds";
const PATIENCE_MS = 60_000;
const POLL_MS = 200;

/**
 * Of all replicas, one at a time makes or mends an account of a user. A lease rather than a lock of
 * the database: work under it waits for the provider, and no connection may wait with it.
 * @throws Unavailable `account_busy`.
 */
export async function withAccountLease<T>(
  db: Database,
  { provider, userId }: { provider: string; userId: string },
  work: () => Promise<T>,
): Promise<T> {
  const holder = uuidv7();
  const latest = Date.now() + PATIENCE_MS;
  while (!(await taken(db, provider, userId, holder))) {
    if (Date.now() > latest)
      throw new Unavailable(
        "account_busy",
        "Your account at the flow provider is being made. Try again in a moment.",
      );
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await db.query(
      sql`delete from integrations.account_leases where provider = ${provider} and user_id = ${userId} and holder = ${holder}`,
    );
  }
}

async function taken(
  db: Database,
  provider: string,
  userId: string,
  holder: string,
): Promise<boolean> {
  const rows =
    await db.query(sql`insert into integrations.account_leases as l (provider, user_id, holder, expires_at)
    values (${provider}, ${userId}, ${holder}, now() + ${LEASE}::interval)
    on conflict (provider, user_id) do update set holder = excluded.holder, expires_at = excluded.expires_at where l.expires_at < now()
    returning holder`);
  return rows.length > 0;
}
