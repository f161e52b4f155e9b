import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Revocations } from "../../../platform/auth/revocation.ts";
import { signAccessToken } from "../../../platform/auth/sign-token.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Unauthorized } from "../../../platform/http/errors.ts";
import type { UserProfile } from "../contract.ts";
import type { Tokens } from "../contract-tokens.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { findUser } from "./users-store.ts";

export interface SessionDeps {
  db: Database;
  keys: SigningKeys;
  revocations: Revocations;
  issuer: string;
  audience: string;
  accessTtlMs: number;
  refreshTtlMs: number;
}

export async function startSession(deps: SessionDeps, user: UserProfile): Promise<Tokens> {
  const sessionId = uuidv7();
  return deps.db.tx(async () => {
    await deps.db.query(
      sql`insert into users.sessions (id, user_id) values (${sessionId}, ${user.id})`,
    );
    return issue(deps, user, sessionId);
  });
}

/** New tokens for a refresh token. One that was used before was stolen or copied: the whole session ends. */
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

export async function endSession(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  sessionId: string,
): Promise<void> {
  await db.query(
    sql`update users.sessions set ended_at = now() where id = ${sessionId} and ended_at is null`,
  );
  await revocations.revokeSession(sessionId);
}

/** Every session of a user, at once. */
export async function endSessions(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  userId: string,
): Promise<void> {
  const ended = await db.query<{ id: string }>(
    sql`update users.sessions set ended_at = now() where user_id = ${userId} and ended_at is null returning id`,
  );
  await Promise.all(ended.map(({ id }) => revocations.revokeSession(id)));
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
