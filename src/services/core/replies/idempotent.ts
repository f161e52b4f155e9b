import { createHash } from "node:crypto";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/errors.ts";
import { BadRequest, Conflict } from "../../../platform/http/errors.ts";
import type { Received, Store } from "./begin-reply.ts";
import { findReply } from "./store.ts";
import sql from "sql-template-tag";

const MAX_KEY_CHARACTERS = 255;

interface KeyedRequest {
  userId: string;
  /** The Idempotency-Key, if the request has one. */
  key: string | undefined;
  body: unknown;
}

/**
 * Runs a request once per idempotency key; a repeated request gets the first one's reply.
 * @throws BadRequest for a key that is too long, Conflict for a key that was used with another
 * body.
 */
export async function idempotent(
  db: Database,
  { userId, key, body }: KeyedRequest,
  run: (store: Store) => Promise<Received>,
): Promise<Received> {
  if (key === undefined) return run((_, insert) => insert());
  if (key.length > MAX_KEY_CHARACTERS)
    throw new BadRequest(
      "idempotency_key_invalid",
      `The Idempotency-Key is longer than ${MAX_KEY_CHARACTERS} characters. Send a shorter one.`,
    );
  const bodyHash = createHash("sha256").update(JSON.stringify(body)).digest("base64url");
  const before = await findEarlier(db, { userId, key, bodyHash });
  if (before) return before;
  const store: Store = (messageId, insert) =>
    db.tx(async () => {
      await insert();
      await storeIdempotencyKey(db, { userId, key, bodyHash, messageId });
    });
  try {
    return await run(store);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // the same request arrived twice at once, and the other was first
    const first = await findEarlier(db, { userId, key, bodyHash });
    if (first) return first;
    throw error;
  }
}

async function findEarlier(
  db: Database,
  { userId, key, bodyHash }: { userId: string; key: string; bodyHash: string },
): Promise<Received | undefined> {
  const before = await findByIdempotencyKey(db, userId, key);
  if (!before) return undefined;
  if (before.bodyHash !== bodyHash)
    throw new Conflict(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Use a new key for a new request.",
    );
  const reply = await findReply(db, before.messageId);
  return reply && { reply };
}

async function findByIdempotencyKey(
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
async function storeIdempotencyKey(
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
