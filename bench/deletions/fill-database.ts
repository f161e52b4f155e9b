import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../src/platform/db/database.ts";

/** Conversations of one user, as many messages each. */
interface Batch {
  email: string;
  conversations: number;
  messages: number;
  /** How long they have been in the trash; outside it where this is absent. */
  deletedDaysAgo?: number;
}

const MESSAGES_PER_STATEMENT = 10_000;

/** Writes conversations whose messages answer each other, and registers them for sharing. */
export async function fillDatabase(db: Database, batches: readonly Batch[]): Promise<void> {
  for (const { email, conversations, messages, deletedDaysAgo } of batches) {
    const deletedAt =
      deletedDaysAgo === undefined
        ? sql`null::timestamptz`
        : sql`now() - ${deletedDaysAgo} * interval '1 day'`;
    const atOnce = Math.max(1, Math.floor(MESSAGES_PER_STATEMENT / messages));
    for (let left = conversations; left > 0; left -= atOnce)
      await db.query(insert(email, Math.min(left, atOnce), messages, deletedAt));
  }
  await db.query(sql`analyze`);
}

/** A valid UUID, the same for the same conversation and number. */
const messageId = (number: Sql) =>
  sql`overlay(overlay(md5(id::text || (${number})) placing '4' from 13) placing '8' from 17)::uuid`;

const insert = (email: string, count: number, messages: number, deletedAt: Sql) => sql`
  with conversations as (
    insert into core.conversations (id, user_id, title, registered, deleted_at)
    select gen_random_uuid(), (select id::text from users.users where email = ${email}),
      'Conversation ' || n, true, ${deletedAt}
    from generate_series(1, ${count}::int) n returning id, user_id),
  features as (
    insert into users.features (id, type, resource_id, owner_id, ancestors)
    select id, 'conversation', id::text, user_id, array[id] from conversations)
  insert into core.messages (id, conversation_id, parent_id, role, content, status, created_at)
  select ${messageId(sql`n`)}, id,
    case when n > 1 then ${messageId(sql`n - 1`)} end,
    case n % 2 when 1 then 'user' else 'assistant' end,
    repeat('What did the report of this quarter say? ', 5) || md5(id::text || n), 'complete',
    now() - interval '1 day' + n * interval '1 second'
  from conversations, generate_series(1, ${messages}::int) n`;

/** How many rows of each table there are, without those of the user with this address. */
export async function countRows(
  db: Database,
  { without }: { without?: string } = {},
): Promise<Record<string, number>> {
  const ids = sql`select id from core.conversations
    where user_id = (select id::text from users.users where email = ${without ?? ""})`;
  const counts = sql`select
    (select count(*)::int from core.messages where conversation_id not in (${ids})) as messages,
    (select count(*)::int from core.conversations where id not in (${ids})) as conversations,
    (select count(*)::int from users.features
      where resource_id not in (select id::text from (${ids}) own)) as features,
    (select count(*)::int from users.users where email like 'user%' and email <> ${without ?? ""})
      as users`;
  const [row] = await db.query<Record<string, number>>(counts);
  return row ?? {};
}
