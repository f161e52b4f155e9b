import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { NotFound, TooManyRequests } from "../../../platform/http/errors.ts";
import type { AllowedTool } from "../../agent-loop/contract.ts";

const MAX_ALLOWED_TOOLS = 1_000;
const RETRY_AFTER_MS = 60_000;

/** The tools whose calls the user always allows. */
export async function allowedToolsOf(db: Database, userId: string): Promise<AllowedTool[]> {
  return db.query<AllowedTool>(sql`select server, name, fingerprint from core.allowed_tools
    where user_id = ${userId} limit ${MAX_ALLOWED_TOOLS}`);
}

export async function listAllowedTools(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const rows = await db.query<{ server: string; name: string; allowedAt: Date }>(sql`
    select server, name, allowed_at as "allowedAt" from core.allowed_tools
    where user_id = ${userId} order by server, name limit ${limit} offset ${offset}`);
  const items = rows.map((row) => ({ ...row, allowedAt: row.allowedAt.toISOString() }));
  return { items, total: await countAllowed(db, userId) };
}

/** Call it in a transaction. @throws TooManyRequests `too_many_allowed_tools`. */
export async function allowTool(
  db: Database,
  userId: string,
  tool: AllowedTool,
): Promise<void> {
  const { server, name, fingerprint } = tool;
  await lockKeys(db, [`allowed tools of ${userId}`]);
  await db.query(sql`insert into core.allowed_tools (user_id, server, name, fingerprint)
    values (${userId}, ${server}, ${name}, ${fingerprint})
    on conflict (user_id, server, name)
      do update set fingerprint = excluded.fingerprint, allowed_at = now()`);
  if ((await countAllowed(db, userId)) > MAX_ALLOWED_TOOLS)
    throw new TooManyRequests(
      "too_many_allowed_tools",
      `You allow ${MAX_ALLOWED_TOOLS} tools already. Revoke one first, or approve this call alone.`,
      RETRY_AFTER_MS,
      { params: { max: MAX_ALLOWED_TOOLS } },
    );
}

/** @throws NotFound `tool_not_allowed`. */
export async function revokeTool(
  db: Database,
  userId: string,
  { server, name }: Pick<AllowedTool, "server" | "name">,
): Promise<void> {
  const revoked = await db.query(sql`delete from core.allowed_tools
    where user_id = ${userId} and server = ${server} and name = ${name} returning name`);
  if (revoked.length === 0)
    throw new NotFound(
      "tool_not_allowed",
      "You have not allowed a tool of this name for good. GET " +
        "/api/v1/conversation/allowed-tools lists them.",
    );
}

async function countAllowed(db: Database, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from core.allowed_tools where user_id = ${userId}`,
  );
  return row?.count ?? 0;
}
