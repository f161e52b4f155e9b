import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { isHeld } from "../../../platform/lease/row-lease.ts";
import { RESEARCH_OF_MESSAGE } from "../research/store.ts";
import type { StoredMessage } from "./attachments.ts";
import type { Conversation, ConversationMessage } from "./contract-messages.ts";

interface ConversationRow extends Omit<
  Conversation,
  "createdAt" | "updatedAt" | "deletedAt"
> {
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

const CONVERSATION = sql`id, title, user_id as "userId", agent_id as "agentId", pinned, documents,
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt",
  array(select t.name from core.conversation_tags ct join core.tags t on t.id = ct.tag_id
    where ct.conversation_id = conversations.id order by lower(t.name)) as tags`;
const MESSAGE = sql`id, conversation_id as "conversationId", parent_id as "parentId", role, content, reasoning, status, agent_id as "agentId", agent_version as "agentVersion", model, tool_calls as "toolCalls", waiting, sources, not_found as "notFound", warnings, labels, answered_by as "answeredBy", usage,
  finish_reason as "finishReason", error, created_at as "createdAt"`;

/** What a model wrote in a reply, under its current title; without what is in the trash. */
const CANVASES = sql`coalesce((
  select jsonb_agg(jsonb_build_object('canvasId', v.canvas_id, 'version', v.version,
    'title', c.title) order by v.created_at, v.canvas_id, v.version)
  from core.canvas_versions v join core.canvases c on c.id = v.canvas_id
  where v.message_id = messages.id and c.deleted_at is null), '[]')`;

/** A conversation of the user. Undefined for the conversations of others. */
export async function findConversation(
  db: Database,
  id: string,
  userId: string,
): Promise<Conversation | undefined> {
  const [conversation] = await findConversations(db, [id], userId);
  return conversation;
}

/** `userId` undefined: of any user, for other services. */
export async function findConversations(
  db: Database,
  ids: string[],
  userId: string | undefined,
): Promise<Conversation[]> {
  if (ids.length === 0) return [];
  const own = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  const rows = await db.query<ConversationRow>(
    sql`select ${CONVERSATION} from core.conversations
      where id in (${join(ids)}) and ${own} and deleted_at is null`,
  );
  return rows.map(toConversation);
}

export async function listConversations(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
  { deleted = false } = {},
): Promise<{ items: Conversation[]; total: number }> {
  const state = deleted ? sql`deleted_at is not null` : sql`deleted_at is null`;
  const rows =
    await db.query<ConversationRow>(sql`select ${CONVERSATION} from core.conversations
    where user_id = ${userId} and ${state}
    order by updated_at desc, id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.conversations
      where user_id = ${userId} and ${state}`,
  );
  return { items: rows.map(toConversation), total: count?.total ?? 0 };
}

export async function updateConversation(
  db: Database,
  id: string,
  { title, pinned }: { title?: string | undefined; pinned?: boolean | undefined },
): Promise<void> {
  await db.query(
    sql`update core.conversations
      set title = coalesce(${title ?? null}, title), pinned = coalesce(${pinned ?? null}, pinned)
      where id = ${id}`,
  );
}

export async function deleteConversation(db: Database, id: string): Promise<void> {
  await db.query(sql`update core.conversations set deleted_at = now() where id = ${id}`);
}

/** `reader`: the user whose reactions are included. */
export async function listMessages(
  db: Database,
  conversationIds: string[],
  reader?: string,
): Promise<ConversationMessage[]> {
  return readMessages(db, sql`conversation_id in (${join(conversationIds)})`, reader);
}

/** The ids of all messages of these conversations. */
export async function listMessageIds(
  db: Database,
  conversationIds: string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select id from core.messages
    where conversation_id in (${join(conversationIds)})`);
  return rows.map(({ id }) => id);
}

/** The characters of each of these messages, counted by the database. */
export async function measureMessages(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; size: number }>(sql`select id,
      length(content) + length(reasoning) + length(tool_calls::text)
        + length(sources::text) + length(waiting::text) as size
    from core.messages where id = any(${[...ids]}::uuid[])`);
  return new Map(rows.map(({ id, size }) => [id, size]));
}

export async function findMessage(
  db: Database,
  id: string,
): Promise<ConversationMessage | undefined> {
  const [message] = await readMessages(db, sql`id = ${id}`);
  return message;
}

/** Messages in no particular order. `reader`: the user whose reactions are included. */
export async function readMessagesById(
  db: Database,
  ids: string[],
  reader: string,
): Promise<ConversationMessage[]> {
  return ids.length === 0 ? [] : readMessages(db, sql`id in (${join(ids)})`, reader);
}

export interface MessageLink {
  id: string;
  parentId: string | null;
}

/** The ids and parents of the messages of a conversation, the oldest first. */
export async function listMessageTree(
  db: Database,
  conversationId: string,
): Promise<MessageLink[]> {
  return db.query<MessageLink>(sql`select id, parent_id as "parentId" from core.messages
    where conversation_id = ${conversationId} order by created_at, id`);
}

async function readMessages(
  db: Database,
  condition: Sql,
  reader?: string,
): Promise<ConversationMessage[]> {
  const rows = await db.query<
    Omit<ConversationMessage, "createdAt"> & { createdAt: Date }
  >(sql`select ${MESSAGE},
      (select r.reaction from core.message_reactions r where r.message_id = messages.id and r.user_id = ${reader ?? null}) as reaction,
      coalesce((select jsonb_agg(jsonb_build_object('id', f.file_id, 'fileName', f.file_name, 'mimeType', f.mime_type, 'size', f.size) order by f.position)
        from core.message_files f where f.message_id = messages.id), '[]') as files,
      ${CANVASES} as canvases, ${RESEARCH_OF_MESSAGE} as research
    from core.messages where ${condition} order by created_at, id`);
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

const BRANCH_COLUMNS = sql`m.id, m.parent_id, m.role, m.content, m.history, m.summary,
  m.status = 'streaming' and ${isHeld(sql`m.lease_until`)} as "inProgress"`;

export interface BranchMessage {
  id: string;
  role: "user" | "assistant";
  content: string;
  history: StoredMessage[];
  /** Stands for this message and all before it. */
  summary: string | null;
  /** Whether it is a reply in progress. */
  inProgress: boolean;
}

/** What the model reads of a message: its history, where it has one. */
const BRANCH_SIZE = sql`case when m.summary is not null then length(m.summary)
  when m.history = '[]' then length(m.content) else length(m.history::text) end::float8`;

/**
 * One branch of the tree: the messages from the newest summary, or the first message, down to
 * `messageId`; no more of them than these limits say, and the one that exceeds the characters.
 */
export async function readBranch(
  db: Database,
  messageId: string,
  { maxMessages, maxCharacters }: { maxMessages: number; maxCharacters: number },
): Promise<BranchMessage[]> {
  return db.query<BranchMessage>(sql`with recursive branch as (
      select ${BRANCH_COLUMNS}, 1 as depth, ${BRANCH_SIZE} as size
      from core.messages m where id = ${messageId}
      union all
      select ${BRANCH_COLUMNS}, b.depth + 1, b.size + ${BRANCH_SIZE} from core.messages m
      join branch b on m.id = b.parent_id
      where b.summary is null and b.depth < ${maxMessages} and b.size < ${maxCharacters})
    select id, role, content, history, summary, "inProgress" from branch order by depth desc`);
}

/** The newest message of a conversation, which a message that names no parent answers. */
export async function newestMessage(
  db: Database,
  conversationId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    sql`select id from core.messages where conversation_id = ${conversationId}
      order by created_at desc, id desc limit 1`,
  );
  return row?.id;
}

export async function messageBelongs(
  db: Database,
  messageId: string,
  conversationId: string,
): Promise<boolean> {
  return (
    (
      await db.query(
        sql`select 1 from core.messages
          where id = ${messageId} and conversation_id = ${conversationId}`,
      )
    ).length > 0
  );
}

function toConversation({ deletedAt, ...row }: ConversationRow): Conversation {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(deletedAt && { deletedAt: deletedAt.toISOString() }),
  };
}
