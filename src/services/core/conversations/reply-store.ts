import sql from "sql-template-tag";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isExpired, leaseEnd } from "../../../platform/lease/row-lease.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { RunBudget } from "../../agent/contract-budget.ts";
import type { Message } from "../../completion/contract.ts";
import type { RetrievalPlan } from "../sources/plan-retrieval.ts";
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
export const LEASE_MS = 20_000;
const REPLY = sql`id, conversation_id as "conversationId", parent_id as "parentId", status, run`;

/** What a message asks for, beside its content: to answer it again. */
export interface Asked {
  /** Who answers; null: no agent. */
  agentId: string | null;
  model?: string | undefined;
  tools?: string[] | undefined;
  instructions?: string | undefined;
  approval: "never" | "destructive" | "always";
}

/** What a reply was asked with, to go on after a decision. */
export interface ReplyRequest {
  agent?: { id: string; version: number } | undefined;
  model: string;
  tools: string[];
  instructions?: string | undefined;
  temperature?: number | undefined;
  approval: "never" | "destructive" | "always";
  /** As the message said it. Absent in replies of earlier versions. */
  asked?: Asked;
  /** Of the model, in tokens. */
  contextWindow: number;
  /** What this reply may use at most. */
  budgets?: RunBudget[];
  /** The flow that makes it, of a `workflow` agent. */
  flow?: { id: string };
  /** Where the reply is made from documents. */
  retrieval?: RetrievalPlan | undefined;
}

/** Why a reply ended whose process did. */
const INTERRUPTED = {
  error: "The server stopped in the middle of this reply. Ask again.",
  code: "interrupted",
};

/** Replies whose process is gone end as failed, with the text that was saved. @returns how many. */
export async function failAbandoned(db: Database): Promise<number> {
  const rows =
    await db.query(sql`update core.messages set status = 'failed', error = ${jsonb(INTERRUPTED)},
      lease_until = null, asked_by = null
    where status = 'streaming' and ${isExpired(sql`lease_until`)} returning id`);
  return rows.length;
}

/** The newest reply in progress of a conversation; where there is none, the newest reply. */
export async function newestReply(
  db: Database,
  conversationId: string,
): Promise<ReplyRow | undefined> {
  const [row] = await db.query<ReplyRow>(sql`select ${REPLY} from core.messages
    where conversation_id = ${conversationId} and role = 'assistant'
    order by status = 'streaming' desc, created_at desc, id desc limit 1`);
  return row;
}

/**
 * A reply of a conversation; without `messageId` the newest in progress, else the newest.
 * @throws NotFound `message_not_found`.
 */
export async function replyOf(
  db: Database,
  conversationId: string,
  messageId: string | undefined,
): Promise<ReplyRow> {
  const reply =
    messageId === undefined
      ? await newestReply(db, conversationId)
      : await findReply(db, messageId);
  if (reply?.conversationId === conversationId) return reply;
  throw new NotFound("message_not_found", "There is no such reply in this conversation.");
}

export async function findReply(db: Database, id: string): Promise<ReplyRow | undefined> {
  const [row] = await db.query<ReplyRow>(
    sql`select ${REPLY} from core.messages where id = ${id} and role = 'assistant'`,
  );
  return row;
}

export interface WaitingReply extends ReplyRow {
  request: ReplyRequest;
  history: Message[];
  waiting: (ConversationMessage["waiting"][number] & { decision?: "approve" | "deny" })[];
  toolCalls: ConversationMessage["toolCalls"];
  sources: ConversationMessage["sources"];
}

/** The reply that waits for a decision on this call, locked until the transaction ends. */
export async function lockWaiting(
  db: Database,
  conversationId: string,
  toolCallId: string,
): Promise<WaitingReply | undefined> {
  const match = [{ toolCallId }];
  const [row] =
    await db.query<WaitingReply>(sql`select ${REPLY}, request, history, waiting, tool_calls as "toolCalls", sources from core.messages
    where conversation_id = ${conversationId} and finish_reason = 'approval' and waiting @> ${jsonb(match)} for update`);
  return row;
}

export async function saveDecisions(
  db: Database,
  id: string,
  waiting: WaitingReply["waiting"],
): Promise<void> {
  await db.query(sql`update core.messages set waiting = ${jsonb(waiting)} where id = ${id}`);
}

/** The reply streams again, under a new run. @returns its number. */
export async function reopenReply(db: Database, id: string, userId: string): Promise<number> {
  const [row] = await db.query<{
    run: number;
  }>(sql`update core.messages set status = 'streaming', waiting = '[]', finish_reason = null, run = run + 1,
    asked_by = ${userId}, lease_until = ${leaseEnd(LEASE_MS)} where id = ${id} returning run`);
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
