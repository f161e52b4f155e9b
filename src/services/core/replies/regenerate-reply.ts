import type { User } from "../../../platform/http/caller.ts";
import { conversationFor } from "../conversations/access.ts";
import { messageNotFound } from "../conversations/reactions.ts";
import {
  beginReply,
  chooseAgent,
  type ReceiveDeps,
  type Received,
  type Store,
} from "./begin-reply.ts";
import type { Regenerate } from "./contract.ts";
import { replyInProgress, turnsOf } from "./history.ts";
import { idempotent } from "./idempotent.ts";
import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { isHeld } from "../../../platform/lease/row-lease.ts";
import type { StoredMessage } from "../conversations/attachments.ts";
import type { Conversation } from "../conversations/contract-messages.ts";
import type { Options, ReplyPlan } from "./plan-reply.ts";

type RegenerateRequest = Regenerate & { conversationId: string };

/**
 * Answers a message of a conversation again: a new reply beside the others. The options of the
 * message apply again unless the request names others; rights and limits are those of now.
 * @throws as `receiveMessage`; NotFound `message_not_found`, Conflict `reply_in_progress`.
 */
export async function regenerateReply(
  deps: ReceiveDeps,
  user: User,
  body: RegenerateRequest,
  idempotencyKey: string | undefined,
): Promise<Received> {
  const request = { userId: user.userId, key: idempotencyKey, body };
  return idempotent(deps.db, request, (store) => regenerate(deps, user, body, store));
}

async function regenerate(
  deps: ReceiveDeps,
  user: User,
  body: RegenerateRequest,
  store: Store,
): Promise<Received> {
  const conversation = await conversationFor(deps, user, body.conversationId, "editor");
  const found = await findQuestion(deps.db, conversation, body.messageId);
  if (!found) throw messageNotFound();
  if (found.inProgress) throw replyInProgress();
  const { id, parentId, content, history, options } = found;
  const agent = await chooseAgent(deps, user, body, options.agentId);
  const spender = { userId: user.userId, agentId: agent?.id };
  const { warnings, unpaid } = await deps.budgets.admit(spender);
  const [message] = turnsOf({ id, role: "user", content, history, summary: null });
  const question = {
    conversation,
    storedId: id,
    parentId: parentId ?? undefined,
    content,
    message: message ?? { role: "user" as const, content },
    files: [],
    documents: conversation.documents,
    options: {
      ...options,
      agentId: agent?.id ?? null,
      model: body.model ?? options.model,
      approval: body.approval,
    },
    agent,
    warnings,
    ...(unpaid && { unpaid }),
  };
  return beginReply(deps, user, question, store);
}

interface FoundQuestion {
  id: string;
  parentId: string | null;
  content: string;
  history: StoredMessage[];
  /** The options of its reply; of several replies the newest counts. */
  options: Omit<Options, "approval">;
  /** Whether the reply that was named is in progress. */
  inProgress: boolean;
}

interface Row extends Omit<FoundQuestion, "options"> {
  plan: ReplyPlan | null;
}

/** The message to answer again, by its id or by the id of one of its replies. */
async function findQuestion(
  db: Database,
  conversation: Conversation,
  messageId: string,
): Promise<FoundQuestion | undefined> {
  const [row] = await db.query<Row>(sql`
    with named as (
      select id, parent_id, role from core.messages
      where id = ${messageId} and conversation_id = ${conversation.id})
    select q.id, q.parent_id as "parentId", q.content, q.history, r.request as plan,
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
  const { plan, ...question } = row;
  return { ...question, options: optionsOf(plan, conversation) };
}

/** Replies of earlier versions hold their options only as part of the plan. */
function optionsOf(
  plan: ReplyPlan | null,
  { agentId }: Conversation,
): Omit<Options, "approval"> {
  if (!plan) return { agentId };
  if (plan.asked) return plan.asked;
  const { agent, model, tools, instructions } = plan;
  const options: Omit<Options, "approval"> = { agentId: agent?.id ?? null, model, tools };
  // an agent's instructions are part of the plan's
  if (!agent) options.instructions = instructions;
  return options;
}
