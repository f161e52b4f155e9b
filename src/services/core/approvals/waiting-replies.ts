import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { WaitingReply } from "./contract.ts";

interface Row extends Omit<WaitingReply, "createdAt"> {
  createdAt: Date;
}

/** Longer arguments are read with the message. */
const MAX_LISTED_BYTES = 400;

const UNDECIDED = "$[*] ? (!exists(@.decision))";

/**
 * The replies in a user's conversations that wait for a decision, the newest first. One after which
 * its conversation went on, on this branch or another, waits no more for anybody.
 */
export async function listWaitingReplies(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
): Promise<{ items: WaitingReply[]; total: number }> {
  const waiting = sql`from core.messages m join core.conversations c on c.id = m.conversation_id
    where m.finish_reason = 'approval' and c.user_id = ${userId} and c.deleted_at is null
      and not exists (select 1 from core.messages later
        where later.conversation_id = m.conversation_id
          and (later.created_at, later.id) > (m.created_at, m.id))`;
  const rows = await db.query<Row>(sql`
    select "conversationId", "messageId", title, "createdAt", jsonb_array_length(calls) as calls,
      calls -> 0 ->> 'name' as name, calls -> 0 ->> 'server' as server,
      calls -> 0 ->> 'toolCallId' as "toolCallId", calls -> 0 ->> 'because' as because,
      case when octet_length((calls -> 0 -> 'arguments')::text) <= ${MAX_LISTED_BYTES}
        then calls -> 0 -> 'arguments' end as arguments
    from (select c.id as "conversationId", m.id as "messageId", c.title,
        m.created_at as "createdAt", jsonb_path_query_array(m.waiting, ${UNDECIDED}) as calls
      ${waiting} order by m.created_at desc, m.id desc limit ${limit} offset ${offset}) found`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total ${waiting}`,
  );
  return {
    items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    total: count?.total ?? 0,
  };
}
