import sql from "sql-template-tag";
import type { Database } from "../../platform/db/database.ts";
import { type PersonalRecord, UserDeletion } from "../users/contract-user-deletion.ts";
import type { Delivery } from "../../platform/queue/queue.ts";
import { readMessage } from "../../platform/queue/read-message.ts";

const PAGE_SIZE = 20;

/**
 * Transfers a deleted user's data to the recipient, or deletes it. Idempotent. Usage records keep
 * the user's id.
 */
export async function forgetUser(
  db: Database,
  delivery: Pick<Delivery, "data">,
): Promise<void> {
  const { userId, transferTo: recipientId } = readMessage(UserDeletion, delivery);
  await db.tx(async () => {
    await db.query(sql`delete from core.tags where user_id = ${userId}`);
    await db.query(sql`delete from core.message_reactions where user_id = ${userId}`);
    await db.query(sql`delete from core.idempotency_keys where user_id = ${userId}`);
    await db.query(sql`delete from core.allowed_tools where user_id = ${userId}`);
    await db.query(sql`delete from core.tool_sessions where user_id = ${userId}`);
    await (recipientId === null
      ? removeOwned(db, userId)
      : transferOwned(db, userId, recipientId));
  });
}

async function transferOwned(
  db: Database,
  userId: string,
  recipientId: string,
): Promise<void> {
  await db.query(
    sql`update core.conversations set user_id = ${recipientId} where user_id = ${userId}`,
  );
  await db.query(
    sql`update core.canvases set user_id = ${recipientId} where user_id = ${userId}`,
  );
  await db.query(
    sql`update core.agents set owner_id = ${recipientId} where owner_id = ${userId}`,
  );
  await db.query(
    sql`update core.agent_folders set owner_id = ${recipientId} where owner_id = ${userId}`,
  );
  await db.query(
    sql`update core.templates set owner_id = ${recipientId} where owner_id = ${userId}`,
  );
}

/** Deletes the data. Agents of the organisation stay, in no folder. */
async function removeOwned(db: Database, userId: string): Promise<void> {
  await db.query(sql`delete from core.canvases where user_id = ${userId}`);
  await db.query(sql`delete from core.conversations where user_id = ${userId}`);
  await db.query(
    sql`delete from core.agents where owner_id = ${userId} and type <> 'organization'`,
  );
  await db.query(sql`delete from core.templates where owner_id = ${userId}`);
  await db.query(sql`update core.agents set folder_id = null
    where folder_id in (select id from core.agent_folders where owner_id = ${userId})`);
  await db.query(sql`delete from core.agent_folders where owner_id = ${userId}`);
}

/**
 * A page of a user's data: conversations with all messages, and on the first page everything else.
 */
export async function personalData(
  db: Database,
  userId: string,
  after: string | undefined,
): Promise<{ records: PersonalRecord[]; next: string | null }> {
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
    where user_id = ${userId} and id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid order by id limit ${PAGE_SIZE}`);
  records.push(...conversations.map(({ data }) => ({ kind: "conversation", data })));
  return {
    records,
    next: conversations.length < PAGE_SIZE ? null : (conversations.at(-1)?.id ?? null),
  };
}
