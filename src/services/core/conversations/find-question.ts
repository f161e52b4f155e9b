import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { isHeld } from "../../../platform/lease/row-lease.ts";
import type { StoredMessage } from "./attachments.ts";
import type { Conversation } from "./contract.ts";
import type { Asked, ReplyRequest } from "./reply-store.ts";

interface FoundQuestion {
  id: string;
  parentId: string | null;
  content: string;
  history: StoredMessage[];
  /** What the reply was asked with; of several replies the newest counts. */
  asked: Omit<Asked, "approval">;
  /** Whether the reply that was named is still being made. */
  inProgress: boolean;
}

interface Row extends Omit<FoundQuestion, "asked"> {
  request: ReplyRequest | null;
}

/** The message that is to be answered again, by its id or by that of one of its replies. */
export async function findQuestion(
  db: Database,
  conversation: Conversation,
  messageId: string,
): Promise<FoundQuestion | undefined> {
  const [row] = await db.query<Row>(sql`
    with named as (
      select id, parent_id, role from core.messages
      where id = ${messageId} and conversation_id = ${conversation.id})
    select q.id, q.parent_id as "parentId", q.content, q.history, r.request,
      named.role = 'assistant' and coalesce(r.in_progress, false) as "inProgress"
    from named
    join core.messages q
      on q.id = case named.role when 'user' then named.id else named.parent_id end
    left join lateral (
      select request, status = 'streaming' and ${isHeld(sql`lease_until`)} as in_progress
      from core.messages m
      where m.conversation_id = ${conversation.id} and m.parent_id = q.id
        and m.role = 'assistant' and (named.role = 'user' or m.id = named.id)
      order by m.created_at desc, m.id desc limit 1) r on true
    where q.role = 'user'`);
  if (!row) return undefined;
  const { request, ...question } = row;
  return { ...question, asked: askedOf(request, conversation) };
}

/** Replies of earlier versions do not hold what they were asked with apart from their agent's. */
function askedOf(request: ReplyRequest | null, { agentId }: Conversation): Omit<Asked, "approval"> {
  if (!request) return { agentId };
  if (request.asked) return request.asked;
  const { agent, model, tools, instructions } = request;
  return { agentId: agent?.id ?? null, model, tools, ...(!agent && { instructions }) };
}
