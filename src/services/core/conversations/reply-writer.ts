import sql from "sql-template-tag";
import { createBatcher } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import { isHeld, leaseEnd } from "../../../platform/lease/row-lease.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Message } from "../../completion/contract.ts";
import type { StoredDocument } from "../../documents/contract.ts";
import type { StoredMessage } from "./attachments.ts";
import type { ConversationMessage } from "./contract.ts";
import { LEASE_MS, type ReplyRequest } from "./reply-store.ts";

/** A message and the reply to it that is about to be made. */
interface Turn {
  /** Whose message it is. */
  userId: string;
  conversationId: string;
  /** Of a conversation that begins with it. */
  clientId: string | undefined;
  userMessageId: string;
  /** Whether the message is stored already, and only another reply to it is new. */
  isStored?: boolean;
  messageId: string;
  parentId: string | undefined;
  content: string;
  /** The message as the model reads it, where that is more than its content. */
  history: StoredMessage[];
  files: readonly Pick<StoredDocument, "id" | "fileName" | "mimeType" | "size">[];
  /** Those of the conversation from now on. */
  documents: readonly string[];
  request: ReplyRequest;
}

/** A title that a person gave meanwhile stays. */
interface Titled {
  title: string | undefined;
}

export interface Outcome extends Titled {
  status: "complete" | "stopped" | "failed";
  content: string;
  toolCalls: ConversationMessage["toolCalls"];
  history: Message[];
  waiting: ConversationMessage["waiting"];
  sources: ConversationMessage["sources"];
  usage: ConversationMessage["usage"];
  finishReason: string | null;
  error: ConversationMessage["error"];
}

/** Writes what every reply writes; that of many replies in one statement. */
export interface ReplyWriter {
  /**
   * The message and its empty reply, and the conversation where it is new; otherwise its last
   * activity is now. Joins a transaction.
   * @returns false, and nothing is stored, where the user has as many replies in the making as he
   * may.
   */
  insertTurn(turn: Turn): Promise<boolean>;
  /** What was said so far, and a sign of life. */
  savePartial(id: string, partial: Titled & { content: string }): Promise<void>;
  /** The end of a reply, and the last activity of its conversation. */
  saveOutcome(id: string, outcome: Outcome): Promise<void>;
}

/** A message may have a megabyte. */
const GROUP = 32;

/** `mostReplies`: that one user may have in the making. */
export function createReplyWriter(db: Database, mostReplies: number): ReplyWriter {
  const turns = createBatcher<Admission>(GROUP, (group) => insertTurns(db, group, mostReplies));
  const partials = createBatcher<Titled & { id: string; content: string }>(GROUP, (group) =>
    updatePartials(db, group),
  );
  const outcomes = createBatcher<Outcome & { id: string }>(GROUP, (group) =>
    updateOutcomes(db, group),
  );
  return {
    async insertTurn(turn) {
      const admission: Admission = { turn, admitted: false };
      if (turn.files.length > 0)
        await db.tx(async () => {
          await insertTurns(db, [admission], mostReplies);
          if (admission.admitted) await insertFiles(db, turn);
        });
      else if (db.inTransaction) await insertTurns(db, [admission], mostReplies);
      else await turns(admission);
      return admission.admitted;
    },
    savePartial: (id, partial) => partials({ id, ...partial }),
    saveOutcome: (id, outcome) => outcomes({ id, ...outcome }),
  };
}

interface Admission {
  turn: Turn;
  admitted: boolean;
}

async function insertTurns(db: Database, group: Admission[], mostReplies: number): Promise<void> {
  const rows = group.map(({ turn: { files: _, request, isStored = false, ...turn } }) => ({
    ...turn,
    isStored,
    isNew: turn.clientId !== undefined,
    request,
    model: request.model,
    agentId: request.agent?.id,
    agentVersion: request.agent?.version,
  }));
  const stored = await db.query<{ id: string }>(
    sql`with given as materialized (
      select *, row_number() over (partition by "userId" order by "messageId") as nth from jsonb_to_recordset(${jsonb(rows)}) as g
        ("userId" text, "conversationId" uuid, "clientId" text, "isNew" boolean, "userMessageId" uuid,
         "isStored" boolean, "messageId" uuid, "parentId" uuid, content text, history jsonb, documents jsonb, request jsonb, model text, "agentId" uuid, "agentVersion" int)),
    running as materialized (
      select m.asked_by as user_id, count(*) as replies from core.messages m
      where m.status = 'streaming' and ${isHeld(sql`m.lease_until`)}
        and m.asked_by in (select "userId" from given) group by m.asked_by),
    admitted as materialized (
      select given.* from given left join running on user_id = "userId" where coalesce(replies, 0) + nth <= ${mostReplies}),
    begun as (
      insert into core.conversations (id, user_id, client_id, agent_id, documents)
      select "conversationId", "userId", "clientId", "agentId", documents from admitted where "isNew"),
    continued as (
      update core.conversations c set updated_at = now(), agent_id = a."agentId", documents = a.documents from admitted a where c.id = a."conversationId" and not a."isNew"),
    said as (
      insert into core.messages (id, conversation_id, parent_id, role, content, history, status, created_at)
      select "userMessageId", "conversationId", "parentId", 'user', content, history, 'complete', now()
      from admitted where not "isStored")
    insert into core.messages (id, conversation_id, parent_id, role, status, agent_id, agent_version,
      model, request, asked_by, lease_until, created_at)
    select "messageId", "conversationId", "userMessageId", 'assistant', 'streaming', "agentId", "agentVersion",
      model, request, "userId", ${leaseEnd(LEASE_MS)}, clock_timestamp() from admitted
    returning id`,
    { name: "core-insert-turns" },
  );
  const ids = new Set(stored.map(({ id }) => id));
  for (const admission of group) admission.admitted = ids.has(admission.turn.messageId);
}

/** In the same transaction as the message. */
async function insertFiles(db: Database, { userMessageId, files }: Turn): Promise<void> {
  const rows = files.map(({ id, fileName, mimeType, size }, position) => ({
    id,
    fileName,
    mimeType,
    size,
    position,
  }));
  await db.query(sql`insert into core.message_files (message_id, file_id, position, file_name, mime_type, size)
    select ${userMessageId}, id, position, "fileName", "mimeType", size
    from jsonb_to_recordset(${jsonb(rows)}) as f (id uuid, position int, "fileName" text, "mimeType" text, size bigint)`);
}

async function updatePartials(
  db: Database,
  group: (Titled & { id: string; content: string })[],
): Promise<void> {
  await db.query(
    sql`with message as (
      update core.messages m set content = p.content, lease_until = ${leaseEnd(LEASE_MS)}
      from jsonb_to_recordset(${jsonb(group)}) as p (id uuid, content text, title text)
      where m.id = p.id and m.status = 'streaming' returning m.conversation_id, p.title)
    update core.conversations c set title = message.title from message
    where c.id = message.conversation_id and c.title = '' and message.title is not null`,
    { name: "core-save-partials" },
  );
}

async function updateOutcomes(db: Database, group: (Outcome & { id: string })[]): Promise<void> {
  await db.query(
    sql`with message as (
      update core.messages m set status = o.status, content = o.content, tool_calls = o."toolCalls", history = o.history,
        waiting = o.waiting, sources = o.sources, usage = o.usage, finish_reason = o."finishReason", error = o.error,
        lease_until = null, asked_by = null
      from jsonb_to_recordset(${jsonb(group)}) as o (id uuid, status text, content text, "toolCalls" jsonb, history jsonb,
        waiting jsonb, sources jsonb, usage jsonb, "finishReason" text, error jsonb, title text)
      where m.id = o.id returning m.conversation_id, o.title)
    update core.conversations c set updated_at = now(), title = case when c.title = '' then coalesce(message.title, '') else c.title end
    from message where c.id = message.conversation_id`,
    { name: "core-save-outcomes" },
  );
}
