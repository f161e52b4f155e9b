import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { recordEvent } from "../audit/record-event.ts";
import { endGrantsOf } from "../mcp-clients/grants.ts";
import { deleteKeys } from "../sign-in/api-keys.ts";
import { endSessions } from "../sign-in/sessions.ts";
import { uuidOrNull } from "../user-id.ts";

/**
 * An identity provider takes accounts over that were here before. Anyone may have signed up with
 * the email of somebody else, so whatever opens such an account ends before the account gets
 * anything: the password, sessions, API keys and what clients of MCP were granted. Accounts that an
 * administrator made, or made an administrator's, stay as they are. Called in a transaction; the
 * caller refreshes `revocations`.
 */
export async function adoptAccounts(
  db: Database,
  ids: readonly string[],
  actor: string,
): Promise<void> {
  const own = ids.flatMap((id) => uuidOrNull(id) ?? []);
  // in one order, so that two transactions do not wait for each other
  const adopted = await db.query<{ id: string }>(sql`select id from users.users
    where id = any(${own}::uuid[]) and signed_up and not 'admin' = any(roles)
    order by id for update`);
  for (const { id } of adopted) {
    await db.query(sql`update users.users set signed_up = false, password_hash = null,
      password_is_temporary = false, updated_at = now() where id = ${id}`);
    await deleteKeys(db, sql`user_id = ${id}`);
    await endGrantsOf(db, id);
    await endSessions(db, id);
    await recordEvent(db, actor, {
      action: "user.changed",
      resourceType: "user",
      resourceId: id,
      details: { password: "removed", apiKeys: "removed", mcpClients: "removed" },
    });
  }
}
