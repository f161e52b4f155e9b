import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { hashToken, randomToken } from "../../../platform/auth/secrets.ts";
import type { Database } from "../../../platform/db/database.ts";
import { insertWithinLimit } from "../../../platform/db/insert-within-limit.ts";
import { NotFound, Unauthorized } from "../../../platform/http/errors.ts";
import { SCIM_TOKEN } from "../../../platform/http/route.ts";
import { standingOf } from "../accounts/known-users.ts";
import { recordEvent } from "../audit/record-event.ts";
import { findStronger } from "../roles/refuse-stronger-roles.ts";

interface TokenRow {
  id: string;
  name: string;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: string;
  createdByName: string | null;
}

const COLUMNS = sql`id, name, expires_at as "expiresAt", last_used_at as "lastUsedAt",
  created_at as "createdAt", created_by as "createdBy",
  (select known.name from users.known_users known
    where known.id = created_by and known.state <> 'deleted') as "createdByName"`;

/** An identity provider needs one, and a second while it is replaced. */
const MAX_TOKENS_PER_TENANT = 100;

/** Creates a token with 256 random bits. Only its hash is stored. */
export async function createScimToken(
  db: Database,
  clientId: string,
  actor: string,
  { name, expiresAt }: { name: string; expiresAt?: string | undefined },
) {
  const token = `${SCIM_TOKEN}${randomToken()}`;
  const id = uuidv7();
  const limit = {
    key: `scim-tokens ${clientId}`,
    max: MAX_TOKENS_PER_TENANT,
    count: () => countTokens(db, clientId),
    code: "too_many_scim_tokens",
    message: `An organisation may have ${MAX_TOKENS_PER_TENANT} SCIM tokens. Revoke some first.`,
  };
  const row = await insertWithinLimit(db, limit, async () => {
    await db.query(sql`
      insert into users.scim_tokens (id, client_id, name, hash, expires_at, created_by) values
      (${id}, ${clientId}, ${name}, ${hashToken(token)}, ${expiresAt ?? null}, ${actor})`);
    const [made] = await db.query<TokenRow>(
      sql`select ${COLUMNS} from users.scim_tokens where id = ${id}`,
    );
    await recordEvent(db, actor, {
      action: "scim_token.created",
      resourceType: "scim_token",
      resourceId: id,
      clientId,
      details: { name, ...(expiresAt !== undefined && { expiresAt }) },
    });
    return made;
  });
  if (!row) throw new Error("an insert returned no row");
  return { ...toToken(row, await mayManage(db, clientId, actor)), token };
}

export async function listScimTokens(
  db: Database,
  clientId: string,
  limit: number,
  offset: number,
) {
  const rows = await db.query<TokenRow>(sql`select ${COLUMNS} from users.scim_tokens
    where client_id = ${clientId} and revoked_at is null
    order by created_at desc, id desc limit ${limit} offset ${offset}`);
  const creators = new Map<string, boolean>();
  for (const { createdBy } of rows)
    if (!creators.has(createdBy))
      creators.set(createdBy, await mayManage(db, clientId, createdBy));
  return {
    items: rows.map((row) => toToken(row, creators.get(row.createdBy) ?? false)),
    total: await countTokens(db, clientId),
  };
}

async function countTokens(db: Database, clientId: string): Promise<number> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.scim_tokens
      where client_id = ${clientId} and revoked_at is null`,
  );
  return count?.total ?? 0;
}

export async function revokeScimToken(
  db: Database,
  clientId: string,
  actor: string,
  id: string,
): Promise<void> {
  await db.tx(async () => {
    const [revoked] = await db.query<{ name: string }>(sql`
      update users.scim_tokens set revoked_at = now()
      where id = ${id} and client_id = ${clientId} and revoked_at is null returning name`);
    if (!revoked)
      throw new NotFound(
        "scim_token_not_found",
        "Your organisation has no such SCIM token. GET /api/v1/scim-tokens lists its tokens.",
      );
    await recordEvent(db, actor, {
      action: "scim_token.revoked",
      resourceType: "scim_token",
      resourceId: id,
      clientId,
      details: { name: revoked.name },
    });
  });
}

/** Whether a user is active and may do all that administrators may, as for making a token. */
async function mayManage(db: Database, clientId: string, userId: string): Promise<boolean> {
  const user = await standingOf(db, userId);
  if (!user.active || user.clientId !== clientId) return false;
  return (await findStronger(db, user.roles, ["admin"])) === undefined;
}

/** The time of the last use is stored at most once a minute, as identity providers ask often. */
export async function verifyScimToken(db: Database, token: string) {
  const [row] = await db.query<{
    tokenId: string;
    clientId: string;
    createdBy: string;
    isUseOutdated: boolean;
  }>(sql`
    select id as "tokenId", client_id as "clientId", created_by as "createdBy",
      last_used_at is null or last_used_at < now() - interval '1 minute' as "isUseOutdated"
    from users.scim_tokens where hash = ${hashToken(token)} and revoked_at is null
      and (expires_at is null or expires_at > now())`);
  if (!row || !(await mayManage(db, row.clientId, row.createdBy)))
    throw new Unauthorized(
      "scim_token_invalid",
      "The SCIM token is unknown, revoked or expired, or who made it is no administrator now. Ask your administrator for a new one.",
    );
  const { isUseOutdated, createdBy: _, ...found } = row;
  if (isUseOutdated)
    await db.query(
      sql`update users.scim_tokens set last_used_at = now() where id = ${found.tokenId}`,
    );
  return found;
}

function toToken(row: TokenRow, counts: boolean) {
  return {
    ...row,
    counts,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
