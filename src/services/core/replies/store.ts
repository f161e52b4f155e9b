import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { isExpired, isHeld, leaseEnd } from "../../../platform/lease/row-lease.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Message } from "../../completion/contract.ts";
import type { ConversationMessage } from "../conversations/contract-messages.ts";
import type { ReplyPlan } from "./plan-reply.ts";

export interface ReplyRow {
  id: string;
  conversationId: string;
  parentId: string;
  status: ConversationMessage["status"];
  /** The number of its segment. */
  segment: number;
}

/** A reply is lost when its process does not renew its lease for this long. */
export const LEASE_MS = 20_000;
const REPLY = sql`id, conversation_id as "conversationId", parent_id as "parentId", status,
  run as segment`;

/** The error of a reply whose process died. */
const INTERRUPTED = {
  error: "The server stopped in the middle of this reply. Ask again.",
  code: "interrupted",
};

/**
 * Ends replies whose lease has expired as failed, with the text that was saved.
 * @param running those of this process, which may be late with a renewal but is alive.
 * @returns how many.
 */
export async function failAbandoned(
  db: Database,
  running: readonly string[],
): Promise<number> {
  const rows = await db.query(sql`update core.messages
    set status = 'failed', error = ${jsonb(INTERRUPTED)}, lease_until = null, asked_by = null
    where status = 'streaming' and ${isExpired(sql`lease_until`)}
      and id <> all(${running}::uuid[]) returning id`);
  return rows.length;
}

/**
 * In how many ms the first lease of a reply or a conversion in progress ends, if it is not renewed;
 * undefined where there is none.
 */
export async function untilAbandoned(db: Database): Promise<number | undefined> {
  const [first] = await db.query<{
    inMs: number | null;
  }>(sql`select (extract(epoch from least(
      (select min(lease_until) from core.messages where status = 'streaming'),
      (select min(lease_until) from core.conversions where status = 'running')
    ) - now()) * 1000)::float8 as "inMs"`);
  return first?.inMs ?? undefined;
}

/** The newest reply in progress of a conversation, else its newest reply. */
async function newestReply(
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
  throw new NotFound(
    "message_not_found",
    "There is no such reply in this conversation. Read the conversation again.",
  );
}

export async function findReply(db: Database, id: string): Promise<ReplyRow | undefined> {
  const [row] = await db.query<ReplyRow>(
    sql`select ${REPLY} from core.messages where id = ${id} and role = 'assistant'`,
  );
  return row;
}

export interface WaitingReply extends ReplyRow {
  plan: ReplyPlan;
  history: Message[];
  reasoning: string;
  waiting: (ConversationMessage["waiting"][number] & { decision?: "approve" | "deny" })[];
  toolCalls: ConversationMessage["toolCalls"];
  sources: ConversationMessage["sources"];
  warnings?: ConversationMessage["warnings"];
  answeredBy?: ConversationMessage["answeredBy"];
  usage: ConversationMessage["usage"];
}

/** Not `for update`: the insert of a message below would wait, with its user's replies locked. */
const KEEP_FROM_CHANGES = sql`for no key update`;

/**
 * The reply that waits for a decision on this call. `locked`: until the transaction ends.
 */
export async function findWaiting(
  db: Database,
  conversationId: string,
  toolCallId: string,
  { locked = false } = {},
): Promise<WaitingReply | undefined> {
  const match = [{ toolCallId }];
  const [row] = await db.query<WaitingReply>(sql`
    select ${REPLY}, request as plan, history, reasoning, waiting, tool_calls as "toolCalls", sources, warnings,
      answered_by as "answeredBy", usage
    from core.messages
    where conversation_id = ${conversationId} and finish_reason = 'approval'
      and waiting @> ${jsonb(match)} ${locked ? KEEP_FROM_CHANGES : sql``}`);
  return row;
}

export async function saveDecisions(
  db: Database,
  id: string,
  waiting: WaitingReply["waiting"],
): Promise<void> {
  await db.query(
    sql`update core.messages set waiting = ${jsonb(waiting)} where id = ${id}`,
  );
}

/**
 * Keeps the replies that begin or continue concurrently within the limits of these users, until the
 * transaction ends: each counts the ones before.
 */
export async function lockRepliesOf(
  db: Database,
  userIds: readonly string[],
): Promise<void> {
  await lockKeys(
    db,
    userIds.map((userId) => `replies of ${userId}`),
  );
}

/**
 * Puts a reply back in progress, in a new segment, unless the user has as many replies in progress
 * as they may. Call it in a transaction.
 * @returns the number of the segment; undefined when it was not reopened.
 */
export async function reopenReply(
  db: Database,
  id: string,
  userId: string,
  maxReplies: number,
): Promise<number | undefined> {
  await lockRepliesOf(db, [userId]);
  const [row] = await db.query<{ segment: number }>(sql`update core.messages
    set status = 'streaming', waiting = '[]', finish_reason = null, run = run + 1,
      asked_by = ${userId}, lease_until = ${leaseEnd(LEASE_MS)}
    where id = ${id} and (
      select count(*) from core.messages m
      where m.asked_by = ${userId} and m.status = 'streaming' and ${isHeld(sql`m.lease_until`)}
    ) < ${maxReplies}
    returning run as segment`);
  return row?.segment;
}

/** Replaces the title that was shown, unless somebody has replaced it since. */
export async function renameUntouched(
  db: Database,
  conversationId: string,
  shown: string,
  title: string,
): Promise<void> {
  await db.query(sql`update core.conversations set title = ${title}
    where id = ${conversationId} and title = ${shown}`);
}
