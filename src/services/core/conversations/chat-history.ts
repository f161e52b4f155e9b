import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { isHeld } from "../../../platform/lease/row-lease.ts";
import type { Conversation } from "./contract-messages.ts";
import { findConversations } from "./store.ts";

interface Ask {
  limit: number;
  offset: number;
  /** `next` of the page before, instead of an offset. */
  cursor?: string | undefined;
  pinned?: boolean | undefined;
  agentId?: string | undefined;
  running?: boolean | undefined;
  /** Whether to read the first words of their newest messages. */
  words?: boolean | undefined;
}

interface Place {
  id: string;
  /** Microseconds since 1970. */
  updatedAt: string;
  running: boolean;
  words: string | null;
}

/** More than a line of a wide window. */
const MAX_WORDS_CHARACTERS = 240;

const UPDATED_AT = sql`(extract(epoch from updated_at) * 1000000)::bigint`;
const RUNNING = sql`exists (select 1 from core.messages m
  where m.conversation_id = conversations.id and m.status = 'streaming' and ${isHeld(sql`m.lease_until`)})`;

/** Read by the index of a conversation's messages; most have a text, so it takes the first. */
const WORDS = sql`(select substr(m.content, 1, ${MAX_WORDS_CHARACTERS}) from core.messages m
  where m.conversation_id = conversations.id and m.content <> ''
  order by m.created_at desc, m.id desc limit 1)`;

/**
 * A user's conversations, the last active first. A page that begins after a cursor repeats nothing
 * when a conversation moves to the front.
 */
export async function listHistory(
  db: Database,
  userId: string,
  ask: Ask,
): Promise<{
  items: (Conversation & { running: boolean; words?: string })[];
  total: number;
  next: string | null;
}> {
  const filter = filterOf(userId, ask);
  const { after, offset } = startOf(ask);
  const places = await db.query<Place>(sql`select id, ${UPDATED_AT} as "updatedAt",
      ${RUNNING} as running, ${ask.words ? WORDS : sql`null`} as words
    from core.conversations where ${filter} and ${after}
    order by updated_at desc, id desc limit ${ask.limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.conversations where ${filter}`,
  );
  const ids = places.map(({ id }) => id);
  const found = await findConversations(db, ids, userId);
  const byId = new Map(found.map((conversation) => [conversation.id, conversation]));
  const items = places.flatMap(({ id, running, words }) => {
    const conversation = byId.get(id);
    if (!conversation) return [];
    return [{ ...conversation, running, ...(words !== null && { words }) }];
  });
  const last = places.length === ask.limit ? places.at(-1) : undefined;
  return {
    items,
    total: count?.total ?? 0,
    next: last ? `${last.updatedAt}_${last.id}` : null,
  };
}

function filterOf(userId: string, { pinned, agentId, running }: Ask): Sql {
  const conditions = [sql`user_id = ${userId}`, sql`deleted_at is null`];
  if (pinned !== undefined) conditions.push(sql`pinned = ${pinned}`);
  if (agentId !== undefined) conditions.push(sql`agent_id = ${agentId}`);
  if (running !== undefined) conditions.push(running ? RUNNING : sql`not ${RUNNING}`);
  return join(conditions, " and ");
}

function startOf({ cursor, offset }: Ask): { after: Sql; offset: number } {
  if (cursor === undefined) return { after: sql`true`, offset };
  const [updatedAt = "", id = ""] = cursor.split("_");
  const time = sql`timestamptz 'epoch' + ${updatedAt}::bigint * interval '1 microsecond'`;
  return { after: sql`(updated_at, id) < (${time}, ${id}::uuid)`, offset: 0 };
}
