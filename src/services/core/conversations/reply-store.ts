import sql from "sql-template-tag";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RunBudget } from "../../agent/contract-budget.ts";
import type { Message } from "../../completion/contract.ts";
import type { StoredDocument } from "../../documents/contract.ts";
import type { StoredMessage } from "./attachments.ts";
import type { ConversationMessage } from "./contract.ts";

/** A reply in the making, as the database knows it. */
export interface ReplyRow {
  id: string;
  conversationId: string;
  parentId: string;
  status: ConversationMessage["status"];
  run: number;
}

/** How long a process may be silent before its replies count as broken off. */
const LEASE = "20 seconds";
const REPLY = sql`id, conversation_id as "conversationId", parent_id as "parentId", status, run`;

/** What a reply was asked with, to go on after a decision. */
export interface ReplyRequest {
  agent?: { id: string; version: number } | undefined;
  model: string;
  tools: string[];
  instructions?: string | undefined;
  temperature?: number | undefined;
  approval: "never" | "destructive" | "always";
  /** Of the model, in tokens. */
  contextWindow: number;
  /** What this reply may use at most. */
  budgets?: RunBudget[];
}

/** A message and the reply to it that is about to be made. */
interface Turn {
  conversationId: string;
  userMessageId: string;
  messageId: string;
  parentId: string | undefined;
  content: string;
  /** The message as the model reads it, where that is more than its content. */
  history: StoredMessage[];
  files: readonly Pick<StoredDocument, "id" | "fileName" | "mimeType" | "size">[];
  request: ReplyRequest;
}

/** Stores both, and the conversation where it is new (`owner` given); otherwise its last activity is now. */
export async function insertTurn(
  db: Database,
  turn: Turn,
  owner: { userId: string; clientId: string } | undefined,
): Promise<void> {
  if (turn.files.length === 0) return insertMessages(db, turn, owner);
  await db.tx(async () => {
    await insertMessages(db, turn, owner);
    await insertFiles(db, turn.userMessageId, turn.files);
  });
}

/** In one statement. */
async function insertMessages(
  db: Database,
  { conversationId, userMessageId, messageId, parentId, content, history, request }: Turn,
  owner: { userId: string; clientId: string } | undefined,
): Promise<void> {
  const agentId = request.agent?.id ?? null;
  const conversation = owner
    ? sql`insert into core.conversations (id, user_id, client_id, agent_id) values (${conversationId}, ${owner.userId}, ${owner.clientId}, ${agentId})`
    : sql`update core.conversations set updated_at = now(), agent_id = ${agentId} where id = ${conversationId}`;
  await db.query(sql`with conversation as (${conversation})
    insert into core.messages (id, conversation_id, parent_id, role, content, history, status, agent_id, agent_version, model, request, lease_until, created_at) values
      (${userMessageId}, ${conversationId}, ${parentId ?? null}::uuid, 'user', ${content}, ${jsonb(history)}, 'complete', null, null, null, null, null, now()),
      (${messageId}, ${conversationId}, ${userMessageId}, 'assistant', '', '[]', 'streaming', ${agentId}::uuid, ${request.agent?.version ?? null}::int, ${request.model}, ${jsonb(request)},
        now() + ${LEASE}::interval, clock_timestamp())`);
}

/** In the same transaction as the message. */
async function insertFiles(db: Database, messageId: string, files: Turn["files"]): Promise<void> {
  const rows = files.map(({ id, fileName, mimeType, size }, position) => ({ id, fileName, mimeType, size, position }));
  await db.query(sql`insert into core.message_files (message_id, file_id, position, file_name, mime_type, size)
    select ${messageId}, id, position, "fileName", "mimeType", size
    from jsonb_to_recordset(${jsonb(rows)}) as f (id uuid, position int, "fileName" text, "mimeType" text, size bigint)`);
}

/** What was said so far, and a sign of life. */
export async function savePartial(db: Database, id: string, content: string): Promise<void> {
  await db.query(
    sql`update core.messages set content = ${content}, lease_until = now() + ${LEASE}::interval where id = ${id} and status = 'streaming'`,
  );
}

export interface Outcome {
  status: "complete" | "stopped" | "failed";
  content: string;
  toolCalls: ConversationMessage["toolCalls"];
  history: Message[];
  waiting: ConversationMessage["waiting"];
  usage: ConversationMessage["usage"];
  finishReason: string | null;
  error: ConversationMessage["error"];
}

/** The end of a reply, and the last activity of its conversation. */
export async function saveOutcome(db: Database, id: string, outcome: Outcome): Promise<void> {
  const { status, content, toolCalls, history, waiting, usage, finishReason, error } = outcome;
  await db.query(sql`with message as (update core.messages set status = ${status}, content = ${content}, tool_calls = ${jsonb(toolCalls)},
    history = ${jsonb(history)}, waiting = ${jsonb(waiting)}, usage = ${jsonb(usage)},
    finish_reason = ${finishReason}, error = ${jsonb(error)}, lease_until = null where id = ${id} returning conversation_id)
    update core.conversations c set updated_at = now() from message where c.id = message.conversation_id`);
}

/** Replies whose process is gone end as failed, with the text that was saved. @returns how many. */
export async function failAbandoned(db: Database): Promise<number> {
  const error = { error: "The server stopped in the middle of this reply. Ask again.", code: "interrupted" };
  const rows = await db.query(sql`update core.messages set status = 'failed', error = ${jsonb(error)}, lease_until = null
    where status = 'streaming' and lease_until < now() returning id`);
  return rows.length;
}

export async function countStreaming(db: Database, userId: string): Promise<number> {
  const [row] = await db.query<{
    n: number;
  }>(sql`select count(*)::int as n from core.messages m join core.conversations c on c.id = m.conversation_id
    where m.status = 'streaming' and m.lease_until > now() and c.user_id = ${userId}`);
  return row?.n ?? 0;
}

/** The newest reply of a conversation. */
export async function newestReply(db: Database, conversationId: string): Promise<ReplyRow | undefined> {
  const [row] = await db.query<ReplyRow>(sql`select ${REPLY} from core.messages
    where conversation_id = ${conversationId} and role = 'assistant' order by created_at desc, id desc limit 1`);
  return row;
}

export async function findReply(db: Database, id: string): Promise<ReplyRow | undefined> {
  const [row] = await db.query<ReplyRow>(sql`select ${REPLY} from core.messages where id = ${id} and role = 'assistant'`);
  return row;
}

export interface WaitingReply extends ReplyRow {
  request: ReplyRequest;
  history: Message[];
  waiting: (ConversationMessage["waiting"][number] & { decision?: "approve" | "deny" })[];
  toolCalls: ConversationMessage["toolCalls"];
}

/** The reply that waits for a decision on this call, locked until the transaction ends. */
export async function lockWaiting(db: Database, conversationId: string, toolCallId: string): Promise<WaitingReply | undefined> {
  const match = [{ toolCallId }];
  const [row] =
    await db.query<WaitingReply>(sql`select ${REPLY}, request, history, waiting, tool_calls as "toolCalls" from core.messages
    where conversation_id = ${conversationId} and finish_reason = 'approval' and waiting @> ${jsonb(match)} for update`);
  return row;
}

export async function saveDecisions(db: Database, id: string, waiting: WaitingReply["waiting"]): Promise<void> {
  await db.query(sql`update core.messages set waiting = ${jsonb(waiting)} where id = ${id}`);
}

/** The reply streams again, under a new run. @returns its number. */
export async function reopenReply(db: Database, id: string): Promise<number> {
  const [row] = await db.query<{
    run: number;
  }>(sql`update core.messages set status = 'streaming', waiting = '[]', finish_reason = null, run = run + 1,
    lease_until = now() + ${LEASE}::interval where id = ${id} returning run`);
  return row?.run ?? 1;
}

export async function findByIdempotencyKey(
  db: Database,
  userId: string,
  key: string,
): Promise<{ messageId: string; bodyHash: string } | undefined> {
  const [row] = await db.query<{
    messageId: string;
    bodyHash: string;
  }>(sql`select message_id as "messageId", body_hash as "bodyHash" from core.idempotency_keys
    where user_id = ${userId} and key = ${key} and created_at > now() - interval '24 hours'`);
  return row;
}

export async function keepIdempotencyKey(
  db: Database,
  entry: { userId: string; key: string; bodyHash: string; messageId: string },
): Promise<void> {
  await db.query(
    sql`delete from core.idempotency_keys where user_id = ${entry.userId} and created_at <= now() - interval '24 hours'`,
  );
  await db.query(
    sql`insert into core.idempotency_keys (user_id, key, body_hash, message_id) values (${entry.userId}, ${entry.key}, ${entry.bodyHash}, ${entry.messageId})`,
  );
}
