import { decodeJwt } from "jose";
import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden, Unauthorized } from "../../../platform/http/errors.ts";
import type { GuessLimit } from "./limit-guesses.ts";
import { verifyOwnPassword } from "../accounts/manage-users.ts";
import { ownAccount } from "../accounts/own-account.ts";
import { uuidOrNull } from "../user-id.ts";

/** What the token says that the request was admitted with. */
function claimsOf({ headers }: Request): { sid?: unknown; auth_time?: unknown } {
  const token = headers.get("authorization")?.replace(/^Bearer +/i, "") ?? "";
  return token.startsWith("ey") ? decodeJwt(token) : {};
}

/** The session of the token that the request was admitted with, if it is one of ours. */
export function findSession(request: Request): string | undefined {
  const { sid } = claimsOf(request);
  return typeof sid === "string" ? (uuidOrNull(sid) ?? undefined) : undefined;
}

/** @throws Unauthorized `session_unknown`. */
export function sessionOf(request: Request): string {
  const sessionId = findSession(request);
  if (sessionId === undefined) throw unknownSession();
  return sessionId;
}

export function unknownSession(): Unauthorized {
  return new Unauthorized(
    "session_unknown",
    "Another issuer started the session of this token. End it there.",
  );
}

/**
 * Records that the user of a session gave the password again.
 * @throws Forbidden `password_wrong`, `account_elsewhere`, TooManyRequests.
 */
export async function confirmSession(
  deps: { db: Database; guesses: GuessLimit },
  caller: User,
  { request, password, peer }: { request: Request; password: string; peer: string },
): Promise<void> {
  const sessionId = sessionOf(request);
  const { email } = await ownAccount(deps.db, caller);
  await verifyOwnPassword(deps, email, password, peer);
  await deps.db.query(sql`update users.sessions set confirmed_at = now()
    where id = ${sessionId} and user_id = ${caller.userId} and ended_at is null`);
}

/**
 * Somebody at an open browser, or with a stolen token, is not the administrator: whoever gets at
 * what is another user's has proved who they are not long ago. Another issuer's token says when its
 * user did (`auth_time`, RFC 9068).
 * @throws Forbidden `confirmation_required`.
 */
export async function requireConfirmation(
  { db, confirmationMs }: { db: Database; confirmationMs: number },
  caller: User,
  request: Request,
): Promise<void> {
  if (caller.via === "jwt") {
    const { auth_time: authTime } = claimsOf(request);
    const [session] = await db.query(sql`select id from users.sessions
      where id = ${findSession(request) ?? null} and user_id = ${uuidOrNull(caller.userId)}::uuid
        and confirmed_at > now() - ${confirmationMs} * interval '1 millisecond'`);
    if (session || (typeof authTime === "number" && isRecent(authTime, confirmationMs)))
      return;
  }
  throw new Forbidden(
    "confirmation_required",
    "Prove first that it is you: send your password to POST /api/v1/auth/confirm, or sign in again.",
  );
}

/** Whether a time in seconds is not longer ago; clocks may differ by a minute. */
export function isRecent(seconds: number, maxMs: number): boolean {
  const ageMs = Date.now() - seconds * 1_000;
  return ageMs <= maxMs && ageMs >= -60_000;
}
