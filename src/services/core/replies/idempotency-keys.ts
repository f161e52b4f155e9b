import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

export async function findByIdempotencyKey(
  db: Database,
  userId: string,
  key: string,
): Promise<{ messageId: string; bodyHash: string } | undefined> {
  const [row] = await db.query<{ messageId: string; bodyHash: string }>(sql`
    select message_id as "messageId", body_hash as "bodyHash" from core.idempotency_keys
    where user_id = ${userId} and key = ${key} and created_at > now() - interval '24 hours'`);
  return row;
}

/** Stores a key, and deletes the user's expired ones. */
export async function storeIdempotencyKey(
  db: Database,
  {
    userId,
    key,
    bodyHash,
    messageId,
  }: Record<"userId" | "key" | "bodyHash" | "messageId", string>,
): Promise<void> {
  await db.query(sql`delete from core.idempotency_keys
    where user_id = ${userId} and created_at <= now() - interval '24 hours'`);
  await db.query(sql`insert into core.idempotency_keys (user_id, key, body_hash, message_id)
    values (${userId}, ${key}, ${bodyHash}, ${messageId})`);
}
