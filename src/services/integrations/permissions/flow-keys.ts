import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { FLOW_KEY } from "../../../platform/http/route.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { knownUsersContract } from "../../users/contract-known-users.ts";

interface Deps {
  db: Database;
  /** Keys are shown again, so they are stored: encrypted. */
  encryptionKey: string;
}

interface KeyRow {
  sealedKey: string;
  createdAt: Date;
}

const KEY = sql`sealed_key as "sealedKey", created_at as "createdAt"`;

/** A user's one key. Two who make it at once make one. */
export async function ensureFlowKey(
  { db, encryptionKey }: Deps,
  userId: string,
): Promise<{ apiKey: string; created: boolean }> {
  const key = FLOW_KEY + randomBytes(32).toString("base64url");
  const made = await db.query(sql`insert into integrations.flow_keys (user_id, key_hash, sealed_key)
    values (${userId}, ${hashOf(key)}, ${sealSecret(key, encryptionKey)}) on conflict (user_id) do nothing returning user_id`);
  if (made.length > 0) return { apiKey: key, created: true };
  return { apiKey: (await getFlowKey({ db, encryptionKey }, userId)).apiKey, created: false };
}

/** @throws NotFound `flow_key_not_found`. */
export async function getFlowKey(
  { db, encryptionKey }: Deps,
  userId: string,
): Promise<{ apiKey: string; createdAt: string }> {
  const [row] = await db.query<KeyRow>(
    sql`select ${KEY} from integrations.flow_keys where user_id = ${userId}`,
  );
  if (!row)
    throw new NotFound(
      "flow_key_not_found",
      "You have no key yet: it is made when an administrator grants you a flow.",
    );
  return {
    apiKey: openSecret(row.sealedKey, encryptionKey),
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * The user whose key it is, as the users service knows the user now. A user of another issuer has
 * no roles here.
 * @returns null for an unknown key, and for one of a disabled or deleted user.
 */
export async function verifyFlowKey({ db, users }: { db: Database; users: Fetch }, key: string) {
  const [row] = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from integrations.flow_keys where key_hash = ${hashOf(key)}`,
  );
  if (!row) return null;
  const { userId } = row;
  const { active, clientId, email, name, roles } = await call(
    users,
    knownUsersContract.standing,
    { params: { userId } },
    { timeoutMs: 5_000 },
  );
  return active && clientId !== null ? { userId, email, name, roles, clientId } : null;
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
