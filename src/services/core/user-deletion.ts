import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { UserDeletion } from "../users/contract-user-deletion.ts";
import { changeInBatches } from "../../platform/db/repeat-until-none.ts";
import {
  byId,
  isOfUser,
  type PersonalKind,
  readPersonalPage,
} from "../../platform/db/personal-page.ts";
import { runEach } from "../../platform/db/delete-all.ts";
import { deleteAgentsOf } from "./agents/store.ts";
import { deleteCanvasesOf } from "./canvas/store.ts";
import { purgeConversationsOf } from "./conversations/trash.ts";

/**
 * Transfers a deleted user's data to the recipient, or deletes it, in batches. Idempotent: what a
 * failure leaves is done when the message comes again. Usage records keep the user's id.
 */
export async function forgetUser(db: Database, deletion: UserDeletion): Promise<void> {
  const { userId, transferTo: recipientId } = deletion;
  for (const table of PERSONAL)
    await changeInBatches(
      db,
      (rows) => sql`delete from ${table} where ctid = any(array(
        select ctid from ${table} where user_id = ${userId} limit ${rows})) returning 1`,
    );
  await (recipientId === null
    ? removeOwned(db, userId)
    : transferOwned(db, userId, recipientId));
}

/** The tables of what is nobody's without the user. */
const PERSONAL = [
  sql`core.tags`,
  sql`core.message_reactions`,
  sql`core.idempotency_keys`,
  sql`core.allowed_tools`,
  sql`core.tool_sessions`,
  sql`core.conversions`,
  sql`core.responses`,
  sql`core.view_contexts`,
  sql`core.code_sessions`,
];

/**
 * The tables of what belongs to a user, with the column that says to whom, and whether they have a
 * trash: one index has the rows outside it, another those in it.
 */
const OWNED = [
  [sql`core.conversations`, sql`user_id`, true],
  [sql`core.canvases`, sql`user_id`, true],
  [sql`core.agents`, sql`owner_id`, true],
  [sql`core.agent_folders`, sql`owner_id`, false],
  [sql`core.templates`, sql`owner_id`, false],
] as const;
const PARTS = [sql`deleted_at is null`, sql`deleted_at is not null`];

async function transferOwned(
  db: Database,
  userId: string,
  recipientId: string,
): Promise<void> {
  for (const [table, owner, hasTrash] of OWNED)
    for (const part of hasTrash ? PARTS : [sql`true`])
      await changeInBatches(
        db,
        (rows) => sql`update ${table} set ${owner} = ${recipientId}
          where id in (select id from ${table} where ${owner} = ${userId} and ${part}
            limit ${rows}) returning 1`,
      );
}

/**
 * Deletes the data, each kind also when rows of another cannot be deleted. Agents of the
 * organisation stay, in no folder.
 */
async function removeOwned(db: Database, userId: string): Promise<void> {
  const folders = sql`select id from core.agent_folders where owner_id = ${userId}`;
  await runEach([
    () => deleteCanvasesOf(db, userId),
    () => purgeConversationsOf(db, userId),
    () => deleteAgentsOf(db, userId),
    () =>
      changeInBatches(
        db,
        (rows) => sql`delete from core.templates where id in (select id from core.templates
          where owner_id = ${userId} limit ${rows}) returning 1`,
      ),
  ]);
  await changeInBatches(
    db,
    (rows) => sql`update core.agents set folder_id = null where id in (
      select id from core.agents where folder_id in (${folders}) limit ${rows}) returning 1`,
  );
  await changeInBatches(
    db,
    (rows) => sql`update core.agent_folders set parent_id = null where id in (
      select id from core.agent_folders where parent_id in (${folders}) limit ${rows})
      returning 1`,
  );
  await changeInBatches(
    db,
    (rows) => sql`delete from core.agent_folders where id in (
      select id from core.agent_folders where owner_id = ${userId} limit ${rows}) returning 1`,
  );
}

const isOwned = (userId: string) => sql`row.owner_id = ${userId}`;

export const PERSONAL_KINDS: readonly PersonalKind[] = [
  {
    kind: "agent",
    from: sql`core.agents row`,
    ...byId,
    isOf: isOwned,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "canvas",
    from: sql`core.canvases row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "canvas-version",
    from: sql`core.canvas_versions row`,
    key: sql`row.canvas_id || ' ' || lpad(row.version::text, 10, '0')`,
    keyType: "text",
    isOf: (userId) => sql`row.canvas_id in (
      select id from core.canvases canvas where canvas.user_id = ${userId})`,
    bytes: sql`octet_length(row.content)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "agent-folder",
    from: sql`core.agent_folders row`,
    ...byId,
    isOf: isOwned,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "tag",
    from: sql`core.tags row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "template",
    from: sql`core.templates row`,
    ...byId,
    isOf: isOwned,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "allowed-tool",
    from: sql`core.allowed_tools row`,
    key: sql`row.server || ' ' || row.name`,
    keyType: "text",
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "conversation",
    from: sql`core.conversations row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`(select coalesce(sum(octet_length(content) + octet_length(reasoning)
      + pg_column_size(tool_calls)), 0) from core.messages where conversation_id = row.id)`,
    data: sql`jsonb_build_object('id', row.id, 'title', title, 'createdAt', created_at,
      'deletedAt', deleted_at, 'messages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', message.id, 'parentId', parent_id,
          'role', role, 'content', content, 'reasoning', reasoning, 'toolCalls', tool_calls,
          'model', model, 'createdAt', message.created_at)
          order by message.created_at, message.id), '[]')
        from core.messages message where message.conversation_id = row.id))`,
  },
  {
    kind: "research",
    from: sql`core.research row`,
    key: sql`row.message_id`,
    keyType: "uuid",
    isOf: (userId) => sql`row.message_id in (select message.id from core.messages message
      join core.conversations conversation on conversation.id = message.conversation_id
      where conversation.user_id = ${userId})`,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "conversation-file",
    from: sql`core.conversation_files row`,
    ...byId,
    isOf: (userId) => sql`row.conversation_id in (
      select id from core.conversations conversation where conversation.user_id = ${userId})`,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "message-reaction",
    from: sql`core.message_reactions row`,
    key: sql`row.message_id`,
    keyType: "uuid",
    isOf: isOfUser,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "view-context",
    from: sql`core.view_contexts row`,
    key: sql`row.conversation_id || ' ' || row.tool_call_id`,
    keyType: "text",
    isOf: isOfUser,
    bytes: sql`octet_length(row.content)`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "conversion",
    from: sql`core.conversions row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`jsonb_build_object('id', row.id, 'type', type, 'input', input, 'output', output,
      'targetLanguage', target_language, 'createdAt', created_at)`,
  },
  {
    kind: "usage",
    from: sql`core.model_transactions row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`0`,
    data: sql`to_jsonb(row)`,
  },
  {
    kind: "response",
    from: sql`core.responses row`,
    ...byId,
    isOf: isOfUser,
    bytes: sql`pg_column_size(row.*)`,
    data: sql`head || jsonb_build_object('input', input, 'output', output)`,
  },
];

/** A page of a user's data, kind by kind: those above in their order. */
export function personalData(db: Database, userId: string, after: string | undefined) {
  return readPersonalPage(db, PERSONAL_KINDS, userId, after);
}
