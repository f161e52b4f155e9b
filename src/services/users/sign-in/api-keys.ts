import sql, { type Sql } from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Revocations } from "../../../platform/auth/revocations.ts";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { NotFound, Unauthorized } from "../../../platform/http/errors.ts";
import { rolesOfGroups } from "../groups/roles-of-groups.ts";
import { uuidOrNull } from "../user-id.ts";
import { revokeSessions } from "./revocations-store.ts";

interface Deps {
  db: Database;
  revocations: Pick<Revocations, "refresh">;
}

interface KeyRow {
  id: string;
  name: string;
  scopes: string[] | null;
  tools: string[] | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

const COLUMNS = sql`id, name, scopes, tools, expires_at as "expiresAt", last_used_at as "lastUsedAt",
  created_at as "createdAt"`;

const MAX_KEYS_PER_USER = 100;

/** A key with 256 random bits. */
export function newApiKey(): string {
  return `pk_${randomToken()}`;
}

/** Users of another issuer, whose ids may be any text, have no keys here. */
const keysOf = (userId: string): Sql => sql`user_id = ${uuidOrNull(userId)}::uuid`;

interface NewApiKey {
  name: string;
  scopes?: string[] | undefined;
  tools?: string[] | undefined;
  expiresAt?: string | undefined;
}

/** Creates a key. Only its hash is stored. */
export async function createApiKey(
  db: Database,
  userId: string,
  { name, scopes, tools, expiresAt }: NewApiKey,
) {
  const key = newApiKey();
  const limit = {
    key: `api-keys ${userId}`,
    max: MAX_KEYS_PER_USER,
    count: () => countKeys(db, userId),
    code: "too_many_api_keys",
    message: `You have ${MAX_KEYS_PER_USER} API keys, which is the limit. Delete some first.`,
  };
  const [row] = await insertWithinLimit(db, limit, () =>
    db.query<KeyRow>(sql`insert into users.api_keys (id, user_id, name, hash, scopes, tools, expires_at)
    values (${uuidv7()}, ${userId}, ${name}, ${hashToken(key)}, ${scopes ?? null},
    ${tools ?? null}, ${expiresAt ?? null}) returning ${COLUMNS}`),
  );
  if (!row) throw new Error("an insert returned no row");
  return { ...toApiKey(row), key };
}

export async function listApiKeys(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const rows = await db.query<KeyRow>(
    sql`select ${COLUMNS} from users.api_keys where ${keysOf(userId)}
      order by created_at desc, id desc limit ${limit} offset ${offset}`,
  );
  return { items: rows.map(toApiKey), total: await countKeys(db, userId) };
}

async function countKeys(db: Database, userId: string): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.api_keys where ${keysOf(userId)}`,
  );
  return count?.total ?? 0;
}

export async function deleteApiKey(
  { db, revocations }: Deps,
  userId: string,
  id: string,
): Promise<void> {
  const deleted = await db.tx(() => deleteKeys(db, sql`id = ${id} and ${keysOf(userId)}`));
  if (deleted === 0)
    throw new NotFound(
      "api_key_not_found",
      "You have no such API key. GET /api/v1/auth/api-keys lists yours.",
    );
  await revocations.refresh();
}

/** Called in a transaction; the caller refreshes `revocations` after the commit. */
export async function deleteKeys(db: Database, which: Sql): Promise<number> {
  const deleted = await db.query<{ id: string }>(
    sql`delete from users.api_keys where ${which} returning id`,
  );
  // every process keeps for a moment what it knows of a key
  await revokeSessions(
    db,
    deleted.map(({ id }) => id),
  );
  return deleted.length;
}

/**
 * The user of a key. The time of the last use is stored at most once a minute, so that a busy key
 * does not write at every request.
 */
export async function verifyApiKey(db: Database, key: string) {
  const [row] = await db.query<{
    id: string;
    scopes: string[] | null;
    tools: string[] | null;
    userId: string;
    email: string;
    name: string;
    roles: string[];
    clientId: string;
    expiresAt: Date | null;
    isUseOutdated: boolean;
  }>(sql`
    select k.id, k.scopes, k.tools, k.expires_at as "expiresAt", u.id as "userId", u.email, u.name, u.client_id as "clientId",
      u.roles || ${rolesOfGroups(sql`u.id::text`, sql`u.client_id`, sql`u.roles`)} as roles,
      k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as "isUseOutdated"
    from users.api_keys k join users.users u on u.id = k.user_id
    where k.hash = ${hashToken(key)} and (k.expires_at is null or k.expires_at > now())
    and not u.disabled`);
  if (!row)
    throw new Unauthorized(
      "api_key_invalid",
      "The API key is unknown, revoked or expired. Create a new one.",
    );
  const { id, scopes, tools, expiresAt, isUseOutdated, ...user } = row;
  if (isUseOutdated)
    await db.query(sql`update users.api_keys set last_used_at = now() where id = ${id}`);
  return {
    user: { ...user, ...(scopes && { scopes }), ...(tools && { tools }) },
    keyId: id,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

function toApiKey(row: KeyRow) {
  return {
    ...row,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
