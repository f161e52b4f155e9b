import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";

/** Gives a conversation exactly these tags. Creates new tags, and deletes unused ones. */
export async function setTags(
  { db, maxTags }: { db: Database; maxTags: number },
  userId: string,
  conversationId: string,
  names: readonly string[],
): Promise<void> {
  const unique = [
    ...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values(),
  ];
  const keys = unique.map((name) => name.toLowerCase());
  const limit = {
    key: `tags of ${userId}`,
    max: maxTags,
    count: () => countOtherTags(db, userId, conversationId, keys),
    added: keys.length,
    code: "too_many_tags",
    message: `You may have ${maxTags} tags in all. Use some that you have, or remove some first.`,
  };
  await insertWithinLimit(db, limit, async () => {
    for (const name of unique)
      await db.query(
        sql`insert into core.tags (id, user_id, name) values (${uuidv7()}, ${userId}, ${name}) on conflict do nothing`,
      );
    await db.query(
      sql`delete from core.conversation_tags where conversation_id = ${conversationId}`,
    );
    await db.query(sql`insert into core.conversation_tags (conversation_id, tag_id)
      select ${conversationId}, id from core.tags where user_id = ${userId} and lower(name) = any(${keys})`);
    await db.query(sql`delete from core.tags t where t.user_id = ${userId}
      and not exists (select 1 from core.conversation_tags ct where ct.tag_id = t.id)`);
  });
}

/** The number of tags of other conversations that are not among those given. */
async function countOtherTags(
  db: Database,
  userId: string,
  conversationId: string,
  keys: string[],
): Promise<number> {
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from core.tags t
    where t.user_id = ${userId} and lower(t.name) <> all(${keys}) and exists
      (select 1 from core.conversation_tags ct
        where ct.tag_id = t.id and ct.conversation_id <> ${conversationId})`);
  return count?.total ?? 0;
}

/** A user's tags, each with the number of its conversations. */
export async function listTags(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const items = await db.query<{
    name: string;
    conversations: number;
  }>(sql`select t.name, count(c.id)::int as conversations
    from core.tags t left join core.conversation_tags ct on ct.tag_id = t.id
    left join core.conversations c on c.id = ct.conversation_id and c.deleted_at is null
    where t.user_id = ${userId} group by t.id order by lower(t.name) limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from core.tags where user_id = ${userId}`,
  );
  return { items, total: count?.total ?? 0 };
}
