import sql from "sql-template-tag";
import {
  hashToken,
  openSecret,
  randomToken,
  sealSecret,
} from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { FLOW_KEY } from "../../../platform/http/route.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { knownUsersContract } from "../../users/contract-known-users.ts";

interface Deps {
  db: Database;
  /** Encrypts keys, which are stored because users can read them again. */
  encryptionKey: string;
}

interface KeyRow {
  sealedKey: string;
  createdAt: Date;
}

const KEY = sql`sealed_key as "sealedKey", created_at as "createdAt"`;

/** Returns the user's only key and creates it if there is none, also when called concurrently. */
export async function ensureFlowKey(
  { db, encryptionKey }: Deps,
  userId: string,
): Promise<{ apiKey: string; created: boolean }> {
  const key = FLOW_KEY + randomToken();
  const inserted =
    await db.query(sql`insert into integrations.flow_keys (user_id, key_hash, sealed_key)
    values (${userId}, ${hashToken(key, "hex")}, ${sealSecret(key, encryptionKey)}) on conflict (user_id) do nothing returning user_id`);
  if (inserted.length > 0) return { apiKey: key, created: true };
  return {
    apiKey: (await getFlowKey({ db, encryptionKey }, userId)).apiKey,
    created: false,
  };
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
      "You have no key yet. It is created when an administrator grants you a flow: ask " +
        "for one.",
    );
  return {
    apiKey: openSecret(row.sealedKey, encryptionKey),
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * The current user of a key. Users of another issuer have the roles of their last token.
 * @returns null for an unknown key and for keys of disabled, deleted and absent users.
 */
export async function verifyFlowKey(
  { db, users }: { db: Database; users: Fetch },
  key: string,
) {
  const [row] = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from integrations.flow_keys where key_hash = ${hashToken(key, "hex")}`,
  );
  if (!row) return null;
  const { userId } = row;
  const { active, absent, clientId, email, name, roles } = await call(
    users,
    knownUsersContract.standing,
    { params: { userId } },
    { timeoutMs: 5_000 },
  );
  if (!active || absent || clientId === null) return null;
  return { userId, email, name, roles, clientId };
}
