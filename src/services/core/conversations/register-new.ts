import sql from "sql-template-tag";
import { createBatcher } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Sharing } from "../sharing.ts";

const MAX_CONCURRENT = 200;
const GATHER_MS = 20;

interface Deps {
  db: Database;
  sharing: Sharing;
}

interface New {
  id: string;
  ownerId: string;
}

/**
 * Tells the users service whose a conversation is, so that it can be shared; those of a busy moment
 * together.
 */
export function createRegistrar(deps: Deps): (conversation: New) => Promise<void> {
  return createBatcher<New>(MAX_CONCURRENT, (conversations) => register(deps, conversations), {
    gatherMs: GATHER_MS,
  });
}

/** The same for those where it failed, or whose process died before. */
export async function registerForgotten(deps: Deps): Promise<void> {
  const conversations = await deps.db.query<New>(
    sql`select id, user_id as "ownerId" from core.conversations where not registered limit ${MAX_CONCURRENT}`,
  );
  if (conversations.length > 0) await register(deps, conversations);
}

async function register({ db, sharing }: Deps, conversations: readonly New[]): Promise<void> {
  await sharing.registerAll("conversation", conversations);
  const ids = conversations.map(({ id }) => id);
  await db.query(
    sql`update core.conversations set registered = true where id = any(${ids}::uuid[])`,
    {
      name: "core-conversations-registered",
    },
  );
}
