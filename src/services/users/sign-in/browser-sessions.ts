import sql from "sql-template-tag";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import { Unauthorized } from "../../../platform/http/errors.ts";
import { sessionMark } from "../../../platform/http/session-cookie.ts";
import type { Tokens } from "../contract-tokens.ts";
import {
  expiryAfter,
  insertSession,
  type ProviderSession,
  type SessionDeps,
  signToken,
} from "./sessions.ts";
import { findUser, type StoredUser } from "../accounts/users-store.ts";

/** Starts a session of a browser. @returns its id, and the value of its cookie. */
export async function startBrowserSession(
  deps: SessionDeps,
  user: StoredUser,
  {
    isSecure,
    ...client
  }: {
    isSecure: boolean;
    userAgent: string;
    isConfirmed?: boolean;
    cameFrom?: ProviderSession | undefined;
  },
): Promise<{ id: string; cookie: string }> {
  const cookie = `${sessionMark(isSecure)}${randomToken()}`;
  const cookieHash = hashToken(cookie);
  const id = await deps.db.tx(() => insertSession(deps, user, { ...client, cookieHash }));
  return { id, cookie };
}

/**
 * An access token for a session cookie. The time of use is stored to the minute.
 * @throws Unauthorized `session_ended`.
 */
export async function exchangeCookie(
  deps: SessionDeps,
  cookie: string,
): Promise<Omit<Tokens, "refreshToken">> {
  const { db, refreshTtlMs } = deps;
  const [session] = await db.query<{ id: string; userId: string; isStale: boolean }>(sql`
    select id, user_id as "userId", last_used_at < now() - interval '1 minute' as "isStale"
    from users.sessions
    where cookie_hash = ${hashToken(cookie)} and ended_at is null and expires_at > now()`);
  const user = session && (await findUser(db, session.userId));
  if (!user || user.disabled)
    throw new Unauthorized("session_ended", "This session has ended. Sign in again.");
  if (session.isStale)
    await db.query(sql`update users.sessions
      set last_used_at = now(), expires_at = ${expiryAfter(refreshTtlMs)} where id = ${session.id}`);
  return signToken(deps, user, session.id);
}

/** The open session of a cookie. */
export async function findSessionOfCookie(
  { db }: Pick<SessionDeps, "db">,
  cookie: string,
): Promise<string | undefined> {
  const [session] = await db.query<{ id: string }>(
    sql`select id from users.sessions where cookie_hash = ${hashToken(cookie)} and ended_at is null`,
  );
  return session?.id;
}
