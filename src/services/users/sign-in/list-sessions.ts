import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Session } from "../contract-sessions.ts";
import { endGrantsOf } from "../mcp-clients/grants.ts";
import { uuidOrNull } from "../user-id.ts";
import { revokeSessions } from "./revocations-store.ts";
import { endSession, type SessionDeps } from "./sessions.ts";

interface SessionRow {
  id: string;
  isBrowser: boolean;
  userAgent: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const COLUMNS = sql`id, cookie_hash is not null as "isBrowser", user_agent as "userAgent",
  created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`;

/** Users of another issuer, whose ids may be any text, have no sessions here. */
const openSessionsOf = (userId: string): Sql =>
  sql`user_id = ${uuidOrNull(userId)}::uuid and ended_at is null and expires_at > now()`;

/** Open sessions of a user, the last used first. */
export async function listSessions(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
): Promise<{ items: Session[]; total: number }> {
  const rows = await db.query<SessionRow>(sql`select ${COLUMNS} from users.sessions
    where ${openSessionsOf(userId)} order by last_used_at desc, id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.sessions where ${openSessionsOf(userId)}`,
  );
  return { items: rows.map(toSession), total: count?.total ?? 0 };
}

export async function getSession(db: Database, id: string): Promise<Session> {
  const [row] = await db.query<SessionRow>(
    sql`select ${COLUMNS} from users.sessions where id = ${id}`,
  );
  if (!row) throw sessionNotFound();
  return toSession(row);
}

/** Ends a session of the user. @throws NotFound `session_not_found`. */
export async function endSessionOf(
  deps: SessionDeps,
  userId: string,
  id: string,
): Promise<void> {
  const [own] = await deps.db.query(
    sql`select id from users.sessions where id = ${id} and ${openSessionsOf(userId)}`,
  );
  if (!own) throw sessionNotFound();
  await endSession(deps, id);
}

/**
 * Ends every session of the user but one, and what any of them granted to clients of MCP.
 * @returns how many sessions ended.
 */
export async function endOtherSessions(
  { db, revocations }: Pick<SessionDeps, "db" | "revocations">,
  userId: string,
  keptId: string,
): Promise<number> {
  const ended = await db.tx(async () => {
    const sessions = await db.query<{
      id: string;
    }>(sql`update users.sessions set ended_at = now()
      where ${openSessionsOf(userId)} and id <> ${keptId} returning id`);
    await revokeSessions(
      db,
      sessions.map(({ id }) => id),
    );
    await endGrantsOf(db, userId, "sessions");
    return sessions.length;
  });
  await revocations.refresh();
  return ended;
}

function toSession({
  isBrowser,
  createdAt,
  lastUsedAt,
  expiresAt,
  ...row
}: SessionRow): Session {
  return {
    ...row,
    kind: isBrowser ? "browser" : "token",
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function sessionNotFound(): NotFound {
  return new NotFound(
    "session_not_found",
    "You have no open session with this id. GET /api/v1/auth/sessions lists yours.",
  );
}
