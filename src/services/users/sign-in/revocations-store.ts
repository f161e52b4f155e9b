import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Revocation, RevocationPage } from "../contract-revocations.ts";

/** The upper bound of `ACCESS_TOKEN_TTL`: no access token lives longer, whatever the setting. */
const MAX_TOKEN_LIFETIME_MS = 86_400_000;
const PAGE_SIZE = 2_000;
const PURGE_BATCH_SIZE = 1_000;

interface Row extends Omit<Revocation, "expiresAt"> {
  position: string;
  expiresAt: Date | null;
}

/** Revokes the access tokens of sessions. Called in the transaction that ends the sessions. */
export async function revokeSessions(
  db: Database,
  sessionIds: readonly string[],
): Promise<void> {
  await db.query(sql`insert into users.revocations (kind, id, expires_at)
    select 'session', id, now() + ${MAX_TOKEN_LIFETIME_MS} * interval '1 millisecond'
    from unnest(${sessionIds}::text[]) id on conflict (kind, id) do nothing`);
}

/**
 * Makes every process read the permissions of roles again. Called in the transaction that changes
 * a role.
 */
export async function announceRoleChange(db: Database): Promise<void> {
  await db.query(sql`insert into users.revocations (kind, id) values ('roles', '')
    on conflict (kind, id) do update set revoked = true`);
}

/**
 * What was revoked or lifted after a position. A position beyond the newest entry belongs to
 * another database, so the page starts from the beginning.
 */
export async function listRevocations(
  db: Database,
  after: number,
): Promise<RevocationPage> {
  const rows = await readAfter(db, after);
  if (rows.length > 0) return toPage(rows, after, after === 0);
  if (after === 0) return toPage(rows, 0, true);
  const [newest] = await db.query<{ position: string | null }>(
    sql`select max(position) as position from users.revocations`,
  );
  if (Number(newest?.position ?? 0) >= after) return toPage(rows, after, false);
  return toPage(await readAfter(db, 0), 0, true);
}

function readAfter(db: Database, after: number): Promise<Row[]> {
  return db.query<Row>(
    sql`select kind, id, revoked, expires_at as "expiresAt", position from users.revocations
      where position > ${after} order by position limit ${PAGE_SIZE}`,
    { name: "users-list-revocations" },
  );
}

function toPage(rows: Row[], after: number, isRestart: boolean): RevocationPage {
  return {
    entries: rows.map(({ kind, id, revoked, expiresAt }) => ({
      kind,
      id,
      revoked,
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    cursor: Number(rows.at(-1)?.position ?? after),
    isComplete: rows.length < PAGE_SIZE,
    isRestart,
  };
}

/** Deletes a batch of entries whose tokens have all expired. */
export async function purgeRevocations(db: Database): Promise<void> {
  await db.query(sql`delete from users.revocations where (kind, id) in (
    select kind, id from users.revocations where expires_at < now()
      limit ${PURGE_BATCH_SIZE} for update skip locked)`);
}
