import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Sharing } from "../sharing.ts";

const MOST_AT_ONCE = 200;

interface Deps {
  db: Database;
  sharing: Sharing;
}

/** Tells the users service whose a conversation is, so that it can be shared. */
export async function registerConversation({ db, sharing }: Deps, id: string, userId: string): Promise<void> {
  await sharing.register("conversation", id, userId);
  await db.query(sql`update core.conversations set registered = true where id = ${id}`);
}

/** The same for those where it failed, or whose process died before. */
export async function registerForgotten(deps: Deps): Promise<void> {
  const rows = await deps.db.query<{ id: string; userId: string }>(
    sql`select id, user_id as "userId" from core.conversations where not registered limit ${MOST_AT_ONCE}`,
  );
  for (const { id, userId } of rows) await registerConversation(deps, id, userId);
}
