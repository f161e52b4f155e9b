import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { recordEvent } from "../audit/record-event.ts";
import { uuidOrNull } from "../user-id.ts";
import { keepClient } from "./find-client.ts";

interface Row {
  id: string;
  clientId: string;
  clientName: string;
  redirectHost: string;
  scopes: string[];
  tools: string[] | null;
  connections: number;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/**
 * The newest open grant of a user to a client, which stands for all of them: `client_key` is what
 * they have in common. Whoever registers does it on each machine, and often again.
 */
const isNewest = sql`not exists (
  select 1 from users.mcp_grants newer
  where newer.user_id = granted.user_id and newer.client_key = granted.client_key
    and (newer.created_at, newer.id) > (granted.created_at, granted.id)
    and newer.expires_at > now())`;

/** What a user granted, the newest first: each client once, however often it was connected. */
export async function listGrants(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const own = sql`granted.user_id = ${uuidOrNull(userId)}::uuid`;
  const { items, total } = await listByClient(db, { where: own, limit, offset });
  return { items: items.map(({ userId: _, ...grant }) => grant), total };
}

/** The same of all users of a tenant, or of one of them. */
export async function listGrantsOfTenant(
  db: Database,
  of: { clientId: string; userId?: string | undefined },
  limit: number,
  offset: number,
) {
  const isOne =
    of.userId === undefined ? sql`true` : sql`granted.user_id = ${of.userId}::uuid`;
  const where = sql`${isOne} and granted.user_id in (
    select id from users.users where client_id = ${of.clientId})`;
  const { items, total } = await listByClient(db, { where, limit, offset });
  const owners = await db.query<{ id: string; name: string; email: string }>(sql`
    select id, name, email from users.users
    where id = any(${items.map(({ userId }) => userId)}::uuid[])`);
  const found = new Map(owners.map((owner) => [owner.id, owner]));
  return {
    total,
    items: items.map((item) => ({
      ...item,
      userName: found.get(item.userId)?.name ?? "",
      userEmail: found.get(item.userId)?.email ?? "",
    })),
  };
}

async function listByClient(
  db: Database,
  { where, limit, offset }: { where: Sql; limit: number; offset: number },
) {
  const open = sql`users.mcp_grants granted where ${where} and granted.expires_at > now()`;
  const rows = await db.query<Row & { userId: string }>(sql`
    with page as (
      select granted.* from ${open} and ${isNewest}
      order by granted.created_at desc, granted.id desc limit ${limit} offset ${offset}
    )
    select page.user_id as "userId", page.id, page.client_id as "clientId",
      page.client_name as "clientName", page.redirect_host as "redirectHost", own.scopes,
      own.tools, own.connections, page.created_at as "createdAt", own.used_at as "lastUsedAt"
    from page cross join lateral (
      select count(*)::int as connections, max(one.last_used_at) as used_at,
        array(select distinct unnest(string_to_array(string_agg(
          array_to_string(one.scopes, ' '), ' '), ' ')) order by 1 desc) as scopes,
        case when bool_or(one.tools is null) then null else
          array(select distinct unnest(string_to_array(string_agg(
            array_to_string(one.tools, ' '), ' '), ' ')) order by 1) end as tools
      from users.mcp_grants one
      where one.user_id = page.user_id and one.client_key = page.client_key
        and one.expires_at > now()
    ) own
    order by page.created_at desc, page.id desc`);
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from (
      select 1 from ${open} group by granted.user_id, granted.client_key) clients`);
  return { items: rows.map(toGrant), total: count?.total ?? 0 };
}

function toGrant({ clientId, createdAt, lastUsedAt, ...row }: Row & { userId: string }) {
  const isDocument = clientId.startsWith("https://");
  return {
    ...row,
    clientHost: isDocument ? new URL(clientId).host : null,
    clientDocument: isDocument ? clientId : null,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Ends what a user granted to a client, with all its connections.
 * @throws NotFound `mcp_grant_not_found`.
 */
export async function deleteGrant(
  db: Database,
  userId: string,
  id: string,
  by: { actor: string; why: "user" | "administrator" } = { actor: userId, why: "user" },
): Promise<void> {
  const ended = await db.tx(async () => {
    const rows = await db.query<{ id: string }>(sql`
      select granted.id from users.mcp_grants granted
      where granted.user_id = ${uuidOrNull(userId)}::uuid and granted.client_key = (
        select granted.client_key from users.mcp_grants granted
        where granted.id = ${id} and granted.user_id = ${uuidOrNull(userId)}::uuid)`);
    for (const row of rows) await endGrant(db, userId, row.id, by.why, by.actor);
    return rows.length;
  });
  if (ended === 0) throw grantNotFound();
}

/** Whose grant it is. @throws NotFound `mcp_grant_not_found`. */
export async function ownerOfGrant(db: Database, id: string): Promise<string> {
  const [row] = await db.query<{ userId: string }>(
    sql`select user_id as "userId" from users.mcp_grants where id = ${id}`,
  );
  if (!row) throw grantNotFound();
  return row.userId;
}

export function grantNotFound(): NotFound {
  return new NotFound(
    "mcp_grant_not_found",
    "Nothing is granted to such a client. Load the list of programs again.",
  );
}

/**
 * Ends all that a user granted: whoever had the old password, or a session that ends, may have
 * granted it. Called in a transaction.
 */
export async function endGrantsOf(
  db: Database,
  userId: string,
  why: "password" | "sessions" = "password",
  actor = userId,
): Promise<void> {
  const rows = await db.query<{ id: string }>(
    sql`select id from users.mcp_grants where user_id = ${uuidOrNull(userId)}::uuid`,
  );
  for (const { id } of rows) await endGrant(db, userId, id, why, actor);
  await db.query(
    sql`delete from users.mcp_codes where user_id = ${uuidOrNull(userId)}::uuid`,
  );
}

type EndOfGrant =
  | "user"
  | "administrator"
  | "client"
  | "reused"
  | "replaced"
  | "password"
  | "sessions";

/**
 * Ends one connection of a client, with all its tokens. @returns whether there was such a grant.
 * @param why `reused`: a code or token came twice; `replaced`: the client was connected again
 */
export function endGrant(
  db: Database,
  userId: string,
  id: string,
  why: EndOfGrant,
  actor = userId,
): Promise<boolean> {
  return db.tx(async () => {
    const [ended] = await db.query<{
      name: string;
      clientId: string;
    }>(sql`delete from users.mcp_grants
      where id = ${id} and user_id = ${uuidOrNull(userId)}::uuid
      returning client_name as name, client_id as "clientId"`);
    if (!ended) return false;
    // it may come back, as one that was used until now
    await keepClient(db, ended.clientId);
    await recordEvent(db, actor, {
      action: "mcp_client.revoked",
      resourceType: "mcp_client",
      resourceId: id,
      details: { name: ended.name, why },
    });
    return true;
  });
}
