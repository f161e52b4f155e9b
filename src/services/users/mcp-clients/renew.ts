import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { hashToken } from "../../../platform/auth/secrets.ts";
import { endGrant } from "./grants.ts";
import { familyOf, issue, REFRESH_DAYS } from "./issue.ts";
import { clientsLimited, invalidGrant, required } from "./oauth-failure.ts";

/** Two threads of a client may renew at the same time, as two tabs do with a session. */
const GRACE_MS = 10_000;
/** Renewals of one grant while an access token is good: one or a few are usual. */
const MAX_ACCESS = 100;
/** Tokens of one grant that nobody has renewed with: those of answers that got lost, mostly. */
const MAX_UNUSED = 100;
/** The longest that STREAM_EXPIRY_GRACE may be: until then one says that a token was good. */
const EXPIRED_HOURS = 1;

/**
 * Exchanges a token for new ones. A token of the grant's family that is not there any more, or was
 * used before, was stolen or copied: the grant ends.
 * @throws OAuthFailure, TooManyRequests `mcp_clients_limited`.
 */
export async function renew(db: Database, form: URLSearchParams) {
  const token = required(form, "refresh_token");
  const clientId = required(form, "client_id");
  const family = familyOf(token);
  if (!family) throw invalidGrant();
  const tokens = await db.tx(async () => {
    const grant = await lockGrant(db, family.hash, clientId);
    if (!grant) return undefined;
    const state = await stateOf(db, grant.id, token);
    if (state === "used") await endGrant(db, grant.userId, grant.id, "reused");
    if (state !== "good") return undefined;
    await refuseTooMany(db, grant.id);
    await db.query(sql`update users.mcp_tokens set used_at = coalesce(used_at, now())
      where hash = ${hashToken(token)}`);
    await db.query(sql`update users.mcp_grants
      set expires_at = now() + ${REFRESH_DAYS} * interval '1 day' where id = ${grant.id}`);
    await forgetOld(db, grant.id);
    const { scopes } = grant;
    return issue(db, { grantId: grant.id, family: family.family, scopes });
  });
  if (!tokens) throw invalidGrant();
  return tokens;
}

interface Grant {
  id: string;
  userId: string;
  scopes: string[];
}

/** Of two renewals the second waits here, and sees what the first has done. */
async function lockGrant(
  db: Database,
  familyHash: string,
  clientId: string,
): Promise<Grant | undefined> {
  const [grant] = await db.query<Grant>(sql`
    select granted.id, granted.user_id as "userId", granted.scopes
    from users.mcp_grants granted join users.users owner on owner.id = granted.user_id
    where granted.family_hash = ${familyHash} and granted.client_id = ${clientId}
      and granted.expires_at > now() and not owner.disabled
    for update of granted`);
  return grant;
}

async function stateOf(db: Database, grantId: string, token: string) {
  const [row] = await db.query<{ isOver: boolean; isUsed: boolean }>(sql`
    select expires_at <= now() as "isOver",
      coalesce(used_at < now() - ${GRACE_MS} * interval '1 millisecond', false) as "isUsed"
    from users.mcp_tokens
    where hash = ${hashToken(token)} and grant_id = ${grantId} and kind = 'refresh'`);
  if (!row || row.isUsed) return "used";
  return row.isOver ? "over" : "good";
}

async function refuseTooMany(db: Database, grantId: string): Promise<void> {
  const [{ count = 0, waitMs = 0 } = {}] = await db.query<{
    count: number;
    waitMs: number;
  }>(sql`
    select count(*)::int as count,
      ceil(extract(epoch from min(expires_at) - now()) * 1000)::int as "waitMs"
    from users.mcp_tokens
    where grant_id = ${grantId} and kind = 'access' and expires_at > now()`);
  if (count >= MAX_ACCESS) throw clientsLimited(waitMs);
}

/** An access token that is good is never forgotten: nobody would know why its client is refused. */
async function forgetOld(db: Database, grantId: string): Promise<void> {
  await db.query(sql`delete from users.mcp_tokens where grant_id = ${grantId} and (
    kind = 'access' and expires_at < now() - ${EXPIRED_HOURS} * interval '1 hour'
    or kind = 'refresh' and used_at < now() - ${GRACE_MS} * interval '1 millisecond')`);
  await db.query(sql`delete from users.mcp_tokens where hash in (
    select hash from users.mcp_tokens
    where grant_id = ${grantId} and kind = 'refresh' and used_at is null
    order by expires_at desc offset ${MAX_UNUSED})`);
}
