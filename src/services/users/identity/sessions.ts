import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Revocations } from "../../../platform/auth/revocations.ts";
import { signAccessToken } from "../../../platform/auth/sign-token.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Unauthorized } from "../../../platform/http/errors.ts";
import type { UserProfile } from "../contract.ts";
import type { Tokens } from "../contract-tokens.ts";
import { purgeRevocations, revokeSessions } from "./revocations-store.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { findUser, type StoredUser } from "./users-store.ts";

/** Sessions of a user that are open at once. */
const MAX_SESSIONS = 100;

export interface SessionDeps {
  db: Database;
  keys: SigningKeys;
  /** This process's copy, which learns of an ended session before the answer. */
  revocations: Pick<Revocations, "refresh">;
  issuer: string;
  audience: string;
  accessTtlMs: number;
  refreshTtlMs: number;
}

/**
 * @throws Unauthorized `credentials_wrong` when the sessions of the user were ended after `user`
 * was read.
 */
export async function startSession(deps: SessionDeps, user: StoredUser): Promise<Tokens> {
  const sessionId = uuidv7();
  return deps.db.tx(async () => {
    const [begun] = await deps.db.query(
      sql`insert into users.sessions (id, user_id)
        select ${sessionId}, id from users.users
        where id = ${user.id} and not disabled and session_epoch = ${user.sessionEpoch} for share
        returning id`,
    );
    if (!begun) throw credentialsWrong();
    await endOldest(deps.db, user.id);
    return issue(deps, user, sessionId);
  });
}

export function credentialsWrong(): Unauthorized {
  return new Unauthorized("credentials_wrong", "The email or the password is wrong.");
}

/**
 * New tokens for a refresh token. One that was used before was stolen or copied: the whole session
 * ends.
 */
export async function refreshSession(deps: SessionDeps, refreshToken: string): Promise<Tokens> {
  const { db } = deps;
  const hash = hashOf(refreshToken);
  const outcome = await db.tx(async () => {
    const [row] = await db.query<{ sessionId: string; userId: string; usedAt: Date | null }>(sql`
      select t.session_id as "sessionId", s.user_id as "userId", t.used_at as "usedAt" from users.refresh_tokens t
      join users.sessions s on s.id = t.session_id
      where t.hash = ${hash} and t.expires_at > now() and s.ended_at is null for update of t`);
    if (!row) return undefined;
    if (row.usedAt) return { reused: row.sessionId, tokens: undefined };
    const user = await findUser(db, row.userId);
    if (!user || user.disabled) return undefined;
    await db.query(sql`update users.refresh_tokens set used_at = now() where hash = ${hash}`);
    return { tokens: await issue(deps, user, row.sessionId), reused: undefined };
  });
  if (outcome?.tokens) return outcome.tokens;
  if (outcome?.reused) await endSession(deps, outcome.reused);
  throw new Unauthorized(
    "refresh_token_invalid",
    "The refresh token is not valid any more. Sign in again.",
  );
}

/** Ends one session. @returns whether it is one of ours. */
export async function endSession(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  sessionId: string,
): Promise<boolean> {
  const isOurs = await db.tx(async () => {
    const known = await db.query(
      sql`update users.sessions set ended_at = coalesce(ended_at, now()) where id = ${sessionId} returning id`,
    );
    if (known.length > 0) await revokeSessions(db, [sessionId]);
    return known.length > 0;
  });
  await revocations.refresh();
  await purgeRevocations(db);
  return isOurs;
}

/**
 * Ends every session of a user. Called in a transaction; who began it refreshes `revocations` after
 * the commit.
 */
export async function endSessions(db: Database, userId: string): Promise<void> {
  await db.query(
    sql`update users.users set session_epoch = session_epoch + 1 where id = ${userId}`,
  );
  const ended = await db.query<{ id: string }>(
    sql`update users.sessions set ended_at = now() where user_id = ${userId} and ended_at is null returning id`,
  );
  await revokeSessions(
    db,
    ended.map(({ id }) => id),
  );
}

/**
 * Refusing to sign in would lock the user out: beyond the limit the sessions that began first end.
 */
async function endOldest(db: Database, userId: string): Promise<void> {
  const ended = await db.query<{ id: string }>(sql`
    update users.sessions set ended_at = now() where id in (
      select id from users.sessions where user_id = ${userId} and ended_at is null
      order by id desc offset ${MAX_SESSIONS}) returning id`);
  if (ended.length === 0) return;
  await revokeSessions(
    db,
    ended.map(({ id }) => id),
  );
}

async function issue(
  { db, keys, issuer, audience, accessTtlMs, refreshTtlMs }: SessionDeps,
  user: UserProfile,
  sessionId: string,
): Promise<Tokens> {
  const refreshToken = `rt_${randomBytes(32).toString("base64url")}`;
  await db.query(sql`insert into users.refresh_tokens (hash, session_id, expires_at)
    values (${hashOf(refreshToken)}, ${sessionId}, now() + ${refreshTtlMs} * interval '1 millisecond')`);
  const { id: userId, email, name, roles, clientId } = user;
  const { token, expiresAt } = await signAccessToken(
    { key: keys.key, keyId: keys.keyId, issuer, audience, ttlMs: accessTtlMs },
    { userId, email, name, roles, clientId, sessionId },
  );
  return { accessToken: token, refreshToken, expiresAt: expiresAt.toISOString() };
}

/** Tokens are random, so a fast hash is enough to keep them out of the database. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
