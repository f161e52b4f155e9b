import { createHash, randomBytes } from "node:crypto";
import sql from "sql-template-tag";
import { openSecret, sealSecret } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { FLOW_KEY } from "../../../platform/http/route.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError, NotFound } from "../../../platform/http/errors.ts";
import { usersContract } from "../../users/contract.ts";

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
 * The user whose key it is, as the users service knows him now. One who signs in elsewhere is not known there, and has no roles here.
 * @returns null for a key that opens nothing.
 */
export async function verifyFlowKey({ db, users }: { db: Database; users: Fetch }, key: string) {
  const [row] = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from integrations.flow_keys where key_hash = ${hashOf(key)}`,
  );
  if (!row) return null;
  const { userId } = row;
  try {
    const { email, name, roles, clientId, disabled } = await call(
      users,
      usersContract.getUser,
      { params: { id: userId } },
      { timeoutMs: 5_000 },
    );
    return disabled ? null : { userId, email, name, roles, clientId };
  } catch (error) {
    const unknown =
      error instanceof ApiError && (error.status === 404 || error.code === "validation_failed");
    if (!unknown) throw error;
    return { userId, email: "", name: "", roles: [], clientId: "" };
  }
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
