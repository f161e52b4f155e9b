import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Revocations } from "../../../platform/auth/revocations.ts";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import { signAccessToken } from "../../../platform/auth/sign-token.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Unauthorized } from "../../../platform/http/errors.ts";
import type { UserProfile } from "../contract.ts";
import type { Tokens } from "../contract-tokens.ts";
import { purgeRevocations, revokeSessions } from "./revocations-store.ts";
import type { SigningKeys } from "./signing-keys.ts";
import { findUser, type StoredUser } from "../accounts/users-store.ts";

const MAX_SESSIONS_PER_USER = 100;
const REFRESH_GRACE_MS = 10_000;

export interface SessionDeps {
  db: Database;
  keys: SigningKeys;
  /** This process's copy, refreshed before a request that ends sessions returns. */
  revocations: Pick<Revocations, "refresh">;
  issuer: string;
  audience: string;
  accessTtlMs: number;
  refreshTtlMs: number;
}

/** How often a user may change while signing in. */
const MAX_CHECKS = 3;

/**
 * Starts a session of the user whom `identify` finds, and identifies the user again where a change,
 * such as a new role, ended the user's sessions meanwhile.
 */
export async function startVerified<T>(
  identify: () => Promise<StoredUser>,
  start: (user: StoredUser) => Promise<T>,
): Promise<T> {
  for (let check = 1; ; check += 1) {
    const user = await identify();
    try {
      return await start(user);
    } catch (error) {
      if (check === MAX_CHECKS || !(error instanceof UserChanged)) throw error;
    }
  }
}

/** Starts a session of access and refresh tokens. @throws as `insertSession`. */
export async function startSession(
  deps: SessionDeps,
  user: StoredUser,
  client: Omit<NewSession, "cookieHash"> = {},
): Promise<Tokens> {
  return deps.db.tx(async () => {
    const sessionId = await insertSession(deps, user, { ...client, cookieHash: null });
    return issueTokens(deps, user, sessionId);
  });
}

/** A session at an identity provider. */
export interface ProviderSession {
  provider: string;
  /** Its id there, where the provider says it (`sid`). */
  id?: string | undefined;
}

interface NewSession {
  userAgent?: string;
  /** From which it came, which ends it. */
  cameFrom?: ProviderSession | undefined;
  /** The hash of the cookie of a browser's session. */
  cookieHash: string | null;
  /** Whether the user just proved who they are. */
  isConfirmed?: boolean;
}

/**
 * Called in a transaction.
 * @throws UserChanged `credentials_wrong` if the user's sessions were ended after `user` was read.
 */
export async function insertSession(
  { db, refreshTtlMs }: Pick<SessionDeps, "db" | "refreshTtlMs">,
  user: StoredUser,
  { userAgent = "", cookieHash, isConfirmed = false, cameFrom }: NewSession,
): Promise<string> {
  const sessionId = uuidv7();
  const [session] = await db.query(
    sql`insert into users.sessions (id, user_id, user_agent, cookie_hash, expires_at, confirmed_at,
        provider, provider_session)
      select ${sessionId}, id, ${userAgent}, ${cookieHash}, ${expiryAfter(refreshTtlMs)},
        case when ${isConfirmed} then now() end,
        ${cameFrom?.provider ?? null}::text, ${cameFrom?.id ?? null}::text
      from users.users
      where id = ${user.id} and not disabled and session_epoch = ${user.sessionEpoch} for share
      returning id`,
  );
  if (!session) throw new UserChanged(...CREDENTIALS_WRONG);
  await db.query(sql`update users.users set awaits_first_sign_in = false
    where id = ${user.id} and awaits_first_sign_in`);
  await endOldestSessions(db, user.id);
  return sessionId;
}

/** When a session ends that is used now and never again, for SQL. */
export function expiryAfter(ttlMs: number): Sql {
  return sql`now() + ${ttlMs} * interval '1 millisecond'`;
}

class UserChanged extends Unauthorized {}

const CREDENTIALS_WRONG = [
  "credentials_wrong",
  "The email or the password is wrong. Try again.",
] as const;

export function credentialsWrong(): Unauthorized {
  return new Unauthorized(...CREDENTIALS_WRONG);
}

/**
 * Exchanges a refresh token for new tokens. A second use means that the token was stolen or copied,
 * so it ends the session. Within the grace period it is no theft: two tabs or threads of a client
 * may refresh at the same time.
 */
export async function refreshSession(
  deps: SessionDeps,
  refreshToken: string,
): Promise<Tokens> {
  const { db } = deps;
  const hash = hashToken(refreshToken);
  const outcome = await db.tx(async () => {
    const [row] = await db.query<{
      sessionId: string;
      userId: string;
      isReused: boolean;
    }>(sql`
      select t.session_id as "sessionId", s.user_id as "userId",
        coalesce(t.used_at < now() - ${REFRESH_GRACE_MS} * interval '1 millisecond', false)
          as "isReused"
      from users.refresh_tokens t
      join users.sessions s on s.id = t.session_id
      where t.hash = ${hash} and t.expires_at > now() and s.ended_at is null for update of t`);
    if (!row) return undefined;
    if (row.isReused) return { reused: row.sessionId, tokens: undefined };
    const user = await findUser(db, row.userId);
    if (!user || user.disabled) return undefined;
    await db.query(
      sql`update users.refresh_tokens set used_at = coalesce(used_at, now()) where hash = ${hash}`,
    );
    await db.query(sql`update users.sessions
      set last_used_at = now(), expires_at = ${expiryAfter(deps.refreshTtlMs)}
      where id = ${row.sessionId}`);
    return { tokens: await issueTokens(deps, user, row.sessionId), reused: undefined };
  });
  if (outcome?.tokens) return outcome.tokens;
  if (outcome?.reused) await endSession(deps, outcome.reused);
  throw new Unauthorized(
    "refresh_token_invalid",
    "The refresh token is no longer valid. Sign in again.",
  );
}

/** Ends a session. @returns whether this service issued it. */
export async function endSession(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  sessionId: string,
): Promise<boolean> {
  const isOurs = await db.tx(async () => {
    const ended = await db.query(
      sql`update users.sessions set ended_at = coalesce(ended_at, now()) where id = ${sessionId}
        returning id`,
    );
    if (ended.length > 0) await revokeSessions(db, [sessionId]);
    return ended.length > 0;
  });
  await revocations.refresh();
  await purgeRevocations(db);
  return isOurs;
}

/**
 * Ends every session of a user. Called in a transaction; the caller refreshes `revocations` after
 * the commit.
 */
export async function endSessions(db: Database, userId: string): Promise<void> {
  await db.query(
    sql`update users.users set session_epoch = session_epoch + 1 where id = ${userId}`,
  );
  const ended = await db.query<{ id: string }>(
    sql`update users.sessions set ended_at = now() where user_id = ${userId} and ended_at is null
      returning id`,
  );
  await revokeSessions(
    db,
    ended.map(({ id }) => id),
  );
}

/**
 * Ends the oldest sessions beyond the limit. Refusing new ones instead would lock the user out.
 */
async function endOldestSessions(db: Database, userId: string): Promise<void> {
  const ended = await db.query<{ id: string }>(sql`
    update users.sessions set ended_at = now() where id in (
      select id from users.sessions where user_id = ${userId} and ended_at is null
      order by id desc offset ${MAX_SESSIONS_PER_USER}) returning id`);
  if (ended.length === 0) return;
  await revokeSessions(
    db,
    ended.map(({ id }) => id),
  );
}

async function issueTokens(
  deps: SessionDeps,
  user: UserProfile,
  sessionId: string,
): Promise<Tokens> {
  const { db, refreshTtlMs } = deps;
  const refreshToken = `rt_${randomToken()}`;
  await db.query(sql`insert into users.refresh_tokens (hash, session_id, expires_at)
    values (${hashToken(refreshToken)}, ${sessionId}, ${expiryAfter(refreshTtlMs)})`);
  return { ...(await signToken(deps, user, sessionId)), refreshToken };
}

/** An access token of a session. */
export async function signToken(
  { keys, issuer, audience, accessTtlMs }: SessionDeps,
  user: UserProfile,
  sessionId: string,
): Promise<Omit<Tokens, "refreshToken">> {
  const { id: userId, email, name, roles, clientId } = user;
  const { token, expiresAt } = await signAccessToken(
    { key: keys.key, keyId: keys.keyId, issuer, audience, ttlMs: accessTtlMs },
    { userId, email, name, roles, clientId, sessionId },
  );
  return { accessToken: token, expiresAt: expiresAt.toISOString() };
}
