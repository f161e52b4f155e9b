import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import type { PersonalRecord, UserDeletion } from "../users/contract-user-deletion.ts";
import { repeatUntilNone } from "../../platform/db/repeat-until-none.ts";
import { runEach } from "../../platform/db/delete-all.ts";
import { deleteAgentsOf } from "./agents/store.ts";
import { deleteCanvasesOf } from "./canvas/store.ts";
import { purgeConversationsOf } from "./conversations/trash.ts";

const PAGE_SIZE = 20;
const ROWS_PER_BATCH = 500;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
/** Pages of conversions follow those of conversations, and stored responses are last. */
const CONVERSIONS = "conversions after ";
const RESPONSES = "responses after ";

/**
 * Transfers a deleted user's data to the recipient, or deletes it, in batches. Idempotent: what a
 * failure leaves is done when the message comes again. Usage records keep the user's id.
 */
export async function forgetUser(db: Database, deletion: UserDeletion): Promise<void> {
  const { userId, transferTo: recipientId } = deletion;
  for (const table of PERSONAL)
    await inBatches(
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
      await inBatches(
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
      inBatches(
        db,
        (rows) => sql`delete from core.templates where id in (select id from core.templates
          where owner_id = ${userId} limit ${rows}) returning 1`,
      ),
  ]);
  await inBatches(
    db,
    (rows) => sql`update core.agents set folder_id = null where id in (
      select id from core.agents where folder_id in (${folders}) limit ${rows}) returning 1`,
  );
  await inBatches(
    db,
    (rows) => sql`update core.agent_folders set parent_id = null where id in (
      select id from core.agent_folders where parent_id in (${folders}) limit ${rows})
      returning 1`,
  );
  await inBatches(
    db,
    (rows) => sql`delete from core.agent_folders where id in (
      select id from core.agent_folders where owner_id = ${userId} limit ${rows}) returning 1`,
  );
}

/** @param statement changes at most so many rows, so that a repetition finds others. */
async function inBatches(db: Database, statement: (rows: number) => Sql): Promise<void> {
  await repeatUntilNone(async () => (await db.query(statement(ROWS_PER_BATCH))).length);
}

/**
 * A page of a user's data: conversations with all messages, on the first page everything else, and
 * behind them what the user had converted, and what programs asked for the user.
 */
export async function personalData(
  db: Database,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
  if (after?.startsWith(CONVERSIONS))
    return readConversions(db, userId, after.slice(CONVERSIONS.length));
  if (after?.startsWith(RESPONSES))
    return readResponses(db, userId, after.slice(RESPONSES.length));
  const records: PersonalRecord[] = [];
  if (after === undefined) {
    const agents = await db.query<{ data: Record<string, unknown> }>(
      sql`select to_jsonb(agent) as data from core.agents agent where owner_id = ${userId} order by id`,
    );
    records.push(...agents.map(({ data }) => ({ kind: "agent", data })));
    const canvases = await db.query<{ data: Record<string, unknown> }>(
      sql`select to_jsonb(canvas) || jsonb_build_object('versions', (select coalesce(jsonb_agg(to_jsonb(version)), '[]')
        from core.canvas_versions version where version.canvas_id = canvas.id)) as data
        from core.canvases canvas where user_id = ${userId} order by id`,
    );
    records.push(...canvases.map(({ data }) => ({ kind: "canvas", data })));
    const templates = await db.query<{ data: Record<string, unknown> }>(
      sql`select to_jsonb(template) as data from core.templates template
        where owner_id = ${userId} order by id`,
    );
    records.push(...templates.map(({ data }) => ({ kind: "template", data })));
    const tools = await db.query<{ data: Record<string, unknown> }>(
      sql`select to_jsonb(tool) as data from core.allowed_tools tool
        where user_id = ${userId} order by server, name`,
    );
    records.push(...tools.map(({ data }) => ({ kind: "allowed-tool", data })));
  }
  const conversations = await db.query<{ id: string; data: Record<string, unknown> }>(sql`
    select id, jsonb_build_object('id', id, 'title', title, 'createdAt', created_at, 'deletedAt', deleted_at, 'messages', (
      select coalesce(jsonb_agg(jsonb_build_object('id', message.id, 'parentId', parent_id, 'role', role, 'content', content,
        'model', model, 'createdAt', message.created_at) order by message.created_at, message.id), '[]')
      from core.messages message where message.conversation_id = conversation.id)) as data
    from core.conversations conversation
    where user_id = ${userId} and id > ${after ?? FIRST_ID}::uuid order by id limit ${PAGE_SIZE}`);
  records.push(...conversations.map(({ data }) => ({ kind: "conversation", data })));
  const last = conversations.length < PAGE_SIZE ? undefined : conversations.at(-1)?.id;
  return { records, next: last ?? `${CONVERSIONS}${FIRST_ID}` };
}

/** A page of the texts that a user had converted. */
async function readConversions(db: Database, userId: string, after: string) {
  const rows = await db.query<{ id: string; data: Record<string, unknown> }>(sql`
    select id, jsonb_build_object('id', id, 'type', type, 'input', input, 'output', output,
      'targetLanguage', target_language, 'createdAt', created_at) as data
    from core.conversions where user_id = ${userId} and id > ${after}::uuid
    order by id limit ${PAGE_SIZE}`);
  const records = rows.map(({ data }): PersonalRecord => ({ kind: "conversion", data }));
  const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1)?.id;
  return {
    records,
    next: last === undefined ? `${RESPONSES}${FIRST_ID}` : `${CONVERSIONS}${last}`,
  };
}

/** A page of the stored responses of `/v1/responses`. */
async function readResponses(db: Database, userId: string, after: string) {
  const rows = await db.query<{ id: string; data: Record<string, unknown> }>(sql`
    select id, head || jsonb_build_object('input', input, 'output', output) as data
    from core.responses where user_id = ${userId} and id > ${after}::uuid
    order by id limit ${PAGE_SIZE}`);
  const records = rows.map(({ data }): PersonalRecord => ({ kind: "response", data }));
  const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1)?.id;
  return { records, next: last === undefined ? null : `${RESPONSES}${last}` };
}
