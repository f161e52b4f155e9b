import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { isHeld, leaseEnd } from "../../../platform/lease/row-lease.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import type { StoredMessage } from "../conversations/attachments.ts";
import type { ReplyPlan } from "./plan-reply.ts";
import { LEASE_MS, lockRepliesOf } from "./store.ts";

/** A message and the empty reply to it. */
export interface Turn {
  userId: string;
  conversationId: string;
  /** The tenant, when the conversation is new. */
  clientId: string | undefined;
  userMessageId: string;
  /** Whether the message is stored already, so that only the reply is new. */
  isStored?: boolean;
  messageId: string;
  parentId: string | undefined;
  content: string;
  /** The message as the model reads it, when that is more than its content. */
  history: StoredMessage[];
  files: readonly Pick<StoredDocument, "id" | "fileName" | "mimeType" | "size">[];
  /** The documents of the conversation from now on. */
  documents: readonly string[];
  plan: ReplyPlan;
}

export interface Admission {
  turn: Turn;
  admitted: boolean;
}

/**
 * Inserts the turns of many users in one statement, as far as each user may have further replies in
 * progress, and notes in each admission whether it was inserted. Joins a transaction.
 */
export async function insertTurns(
  db: Database,
  group: readonly Admission[],
  maxReplies: number,
): Promise<void> {
  const stored = await db.tx(async () => {
    await lockRepliesOf(
      db,
      group.map(({ turn }) => turn.userId),
    );
    return insertAdmitted(db, group, maxReplies);
  });
  const ids = new Set(stored.map(({ id }) => id));
  for (const admission of group) admission.admitted = ids.has(admission.turn.messageId);
}

function insertAdmitted(
  db: Database,
  group: readonly Admission[],
  maxReplies: number,
): Promise<{ id: string }[]> {
  return db.query(
    sql`with ${admittedTurns(group, maxReplies)}, ${conversationsOfTurns()}, ${questionsOfTurns()}
    insert into core.messages (id, conversation_id, parent_id, role, status, agent_id,
      agent_version, model, request, asked_by, lease_until, created_at)
    select "messageId", "conversationId", "userMessageId", 'assistant', 'streaming', "agentId",
      "agentVersion", model, plan, "userId", ${leaseEnd(LEASE_MS)}, clock_timestamp()
    from admitted returning id`,
    { name: "core-insert-turns" },
  );
}

function admittedTurns(group: readonly Admission[], maxReplies: number): Sql {
  return sql`given as materialized (
      select *, row_number() over (partition by "userId" order by "messageId") as nth
      from jsonb_to_recordset(${jsonb(group.map(toRow))}) as g (
        "userId" text, "conversationId" uuid, "clientId" text, "isNew" boolean,
        "userMessageId" uuid, "isStored" boolean, "messageId" uuid, "parentId" uuid, content text,
        history jsonb, documents jsonb, plan jsonb, model text, "agentId" uuid,
        "agentVersion" int)),
    running as materialized (
      select m.asked_by as user_id, count(*) as replies from core.messages m
      where m.status = 'streaming' and ${isHeld(sql`m.lease_until`)}
        and m.asked_by in (select "userId" from given) group by m.asked_by),
    admitted as materialized (
      select given.* from given left join running on user_id = "userId"
      where coalesce(replies, 0) + nth <= ${maxReplies})`;
}

/** What a turn adds to its conversation before its reply ends. */
const questionBytes = sql`case when "isStored" then 0
  else octet_length(content) + pg_column_size(history) end`;

function conversationsOfTurns(): Sql {
  return sql`new_conversations as (
      insert into core.conversations (id, user_id, client_id, agent_id, documents, bytes)
      select "conversationId", "userId", "clientId", "agentId", documents, ${questionBytes}
      from admitted where "isNew"),
    continued as (
      update core.conversations c
      set updated_at = now(), agent_id = a."agentId", documents = a.documents,
        bytes = c.bytes + ${questionBytes}
      from admitted a where c.id = a."conversationId" and not a."isNew")`;
}

function questionsOfTurns(): Sql {
  return sql`questions as (
      insert into core.messages (
        id, conversation_id, parent_id, role, content, history, status, created_at)
      select "userMessageId", "conversationId", "parentId", 'user', content, history, 'complete',
        now()
      from admitted where not "isStored")`;
}

function toRow({ turn: { files: _, isStored = false, ...turn } }: Admission) {
  const { clientId, plan } = turn;
  const { model, agent } = plan;
  const isNew = clientId !== undefined;
  return {
    ...turn,
    isStored,
    isNew,
    model,
    agentId: agent?.id,
    agentVersion: agent?.version,
  };
}

/** To be called in the transaction that inserts the message. */
export async function insertFiles(
  db: Database,
  { userMessageId, files }: Turn,
): Promise<void> {
  const rows = files.map(({ id, fileName, mimeType, size }, position) => ({
    id,
    fileName,
    mimeType,
    size,
    position,
  }));
  await db.query(sql`
    insert into core.message_files (message_id, file_id, position, file_name, mime_type, size)
    select ${userMessageId}, id, position, "fileName", "mimeType", size
    from jsonb_to_recordset(${jsonb(rows)}) as f (
      id uuid, position int, "fileName" text, "mimeType" text, size bigint)`);
}
