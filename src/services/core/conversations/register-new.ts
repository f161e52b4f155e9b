import sql from "sql-template-tag";
import { createBatcher } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { Sharing } from "../sharing.ts";

const MAX_CONCURRENT = 200;

interface Deps {
  db: Database;
  sharing: Sharing;
}

export interface NewConversation {
  id: string;
  ownerId: string;
}

/**
 * Registers the owner of a new conversation with the users service, so that it can be shared.
 * Never throws: a job registers again what fails here.
 */
export type Register = (conversation: NewConversation) => Promise<void>;

/** Conversations that begin while others are registered are registered together after them. */
export function createRegistrar(deps: Deps & { log: Logger }): Register {
  const registerAll = (conversations: readonly NewConversation[]) =>
    register(deps, conversations);
  const registerOne = createBatcher<NewConversation>(MAX_CONCURRENT, registerAll);
  return (conversation) =>
    registerOne(conversation).catch((error: unknown) =>
      deps.log.warn({ err: error }, "a new conversation could not be registered yet"),
    );
}

/** Registers conversations whose registration failed, or whose process died before it. */
export async function registerForgotten(deps: Deps): Promise<void> {
  const conversations = await deps.db.query<NewConversation>(
    sql`select id, user_id as "ownerId" from core.conversations
      where not registered limit ${MAX_CONCURRENT}`,
  );
  if (conversations.length > 0) await register(deps, conversations);
}

async function register(
  { db, sharing }: Deps,
  conversations: readonly NewConversation[],
): Promise<void> {
  await sharing.registerAll("conversation", conversations);
  const ids = conversations.map(({ id }) => id);
  await db.query(
    sql`update core.conversations set registered = true where id = any(${ids}::uuid[])`,
    {
      name: "core-conversations-registered",
    },
  );
}
