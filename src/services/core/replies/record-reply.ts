import sql, { type Sql } from "sql-template-tag";
import { createBatcher } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { leaseEnd, isHeld } from "../../../platform/lease/row-lease.ts";
import type { Message } from "../../completion/contract.ts";
import type { ConversationMessage } from "../conversations/contract-messages.ts";
import { LEASE_MS, lockRepliesOf } from "./store.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import type { StoredMessage } from "../conversations/attachments.ts";
import type { ReplyPlan } from "./plan-reply.ts";

/** A title for a conversation that has none; one that the user gave stays. */
interface Titled {
  title: string | undefined;
}

export interface PartialReply extends Titled {
  content: string;
  reasoning: string;
}

export interface Outcome extends Titled {
  status: "complete" | "stopped" | "failed";
  content: string;
  reasoning: string;
  toolCalls: ConversationMessage["toolCalls"];
  history: Message[];
  waiting: ConversationMessage["waiting"];
  sources: ConversationMessage["sources"];
  notFound?: ConversationMessage["notFound"];
  warnings?: ConversationMessage["warnings"];
  labels?: ConversationMessage["labels"];
  answeredBy?: ConversationMessage["answeredBy"];
  usage: ConversationMessage["usage"];
  finishReason: string | null;
  error: ConversationMessage["error"];
}

/** Stores the writes of many replies, batched into one statement each. */
export interface ReplyWriter {
  /**
   * Stores a message and its empty reply, and its conversation if that is new; otherwise its last
   * activity is now. Joins a transaction.
   * @returns false, and stores nothing, when the user has as many replies in progress as they may.
   */
  insertTurn(turn: NewTurn): Promise<boolean>;
  /** Saves the text so far and renews the lease. */
  savePartial(id: string, partial: PartialReply): Promise<void>;
  /** Saves the end of a reply, and the last activity of its conversation. */
  saveOutcome(id: string, outcome: Outcome): Promise<void>;
}

/** The maximum number of writes in one statement. */
const MAX_GROUP = 32;

/** `maxReplies`: the replies that one user may have in progress. */
export function createReplyWriter(db: Database, maxReplies: number): ReplyWriter {
  const turns = createBatcher<Admission>(MAX_GROUP, (group) =>
    insertTurns(db, group, maxReplies),
  );
  const partials = createBatcher<PartialReply & { id: string }>(MAX_GROUP, (group) =>
    updatePartials(db, group),
  );
  const outcomes = createBatcher<Outcome & { id: string }>(MAX_GROUP, (group) =>
    updateOutcomes(db, group),
  );
  return {
    async insertTurn(turn) {
      const admission: Admission = { turn, admitted: false };
      if (turn.files.length > 0) await insertWithFiles(db, admission, maxReplies);
      else if (db.inTransaction) await insertTurns(db, [admission], maxReplies);
      else await turns(admission);
      return admission.admitted;
    },
    savePartial: (id, partial) => partials({ id, ...partial }),
    saveOutcome: (id, outcome) =>
      outcomes({ id, ...outcome, history: historyBeyond(outcome) }),
  };
}

/** The history, unless it is the content alone: then it would be stored twice. */
function historyBeyond({ history, content }: Outcome): Message[] {
  const [message, ...more] = history;
  if (!message || more.length > 0 || content === "") return history;
  const { role, content: said, ...rest } = message;
  const isContent = role === "assistant" && said === content;
  return isContent && Object.values(rest).every((value) => value === undefined)
    ? []
    : history;
}

async function insertWithFiles(
  db: Database,
  admission: Admission,
  maxReplies: number,
): Promise<void> {
  await db.tx(async () => {
    await insertTurns(db, [admission], maxReplies);
    if (admission.admitted) await insertFiles(db, admission.turn);
  });
}

async function updatePartials(
  db: Database,
  group: readonly (PartialReply & { id: string })[],
): Promise<void> {
  await db.query(
    sql`with message as (
      update core.messages m set content = p.content, reasoning = p.reasoning,
        lease_until = ${leaseEnd(LEASE_MS)}
      from jsonb_to_recordset(${jsonb(group)})
        as p (id uuid, content text, reasoning text, title text)
      where m.id = p.id and m.status = 'streaming' returning m.conversation_id, p.title)
    update core.conversations c set title = message.title from message
    where c.id = message.conversation_id and c.title = '' and message.title is not null`,
    { name: "core-save-partials" },
  );
}

async function updateOutcomes(
  db: Database,
  group: readonly (Outcome & { id: string })[],
): Promise<void> {
  await db.query(
    sql`with message as (
      update core.messages m set status = o.status, content = o.content,
        reasoning = o.reasoning, tool_calls = o."toolCalls", history = o.history, waiting = o.waiting, sources = o.sources,
        not_found = o."notFound", warnings = o.warnings, labels = o.labels,
        answered_by = o."answeredBy",
        usage = o.usage, finish_reason = o."finishReason", error = o.error,
        lease_until = null, asked_by = null, request = ${planToKeep()}
      from jsonb_to_recordset(${jsonb(group)}) as o (
        id uuid, status text, content text, reasoning text, "toolCalls" jsonb, history jsonb,
        waiting jsonb, sources jsonb, "notFound" jsonb, warnings jsonb, labels jsonb, "answeredBy" jsonb, usage jsonb, "finishReason" text, error jsonb, title text)
      where m.id = o.id returning m.conversation_id, o.title,
        octet_length(m.content) + octet_length(m.reasoning) + pg_column_size(m.history)
          + pg_column_size(m.tool_calls) + pg_column_size(m.sources) as bytes)
    update core.conversations c set updated_at = now(), bytes = c.bytes + message.bytes,
      title = case when c.title = '' then coalesce(message.title, '') else c.title end
    from message where c.id = message.conversation_id`,
    { name: "core-save-outcomes" },
  );
}

/** A reply that has ended is made again from its options; one that waits continues by its plan. */
function planToKeep(): Sql {
  return sql`case when o."finishReason" is distinct from 'approval' and m.request ? 'asked'
    then jsonb_build_object('asked', m.request -> 'asked') else m.request end`;
}

/** A message and the empty reply to it. */
interface NewTurn {
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

interface Admission {
  turn: NewTurn;
  admitted: boolean;
}

/**
 * Inserts the turns of many users in one statement, as far as each user may have further replies in
 * progress, and notes in each admission whether it was inserted. Joins a transaction.
 */
async function insertTurns(
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
  const { agent, answeredBy } = plan;
  const model = answeredBy?.insteadOf ?? plan.model;
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
async function insertFiles(db: Database, { userMessageId, files }: NewTurn): Promise<void> {
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
