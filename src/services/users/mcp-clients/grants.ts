import sql from "sql-template-tag";
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
  createdAt: Date;
  lastUsedAt: Date | null;
}

export async function listGrants(
  db: Database,
  userId: string,
  limit: number,
  offset: number,
) {
  const own = sql`user_id = ${uuidOrNull(userId)}::uuid and expires_at > now()`;
  const rows = await db.query<Row>(sql`
    select id, client_id as "clientId", client_name as "clientName",
      redirect_host as "redirectHost", scopes, created_at as "createdAt",
      last_used_at as "lastUsedAt"
    from users.mcp_grants where ${own}
    order by created_at desc, id desc limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from users.mcp_grants where ${own}`,
  );
  return { items: rows.map(toGrant), total: count?.total ?? 0 };
}

function toGrant({ clientId, createdAt, lastUsedAt, ...row }: Row) {
  return {
    ...row,
    clientHost: clientId.startsWith("https://") ? new URL(clientId).host : null,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** @throws NotFound `mcp_grant_not_found`. */
export async function deleteGrant(db: Database, userId: string, id: string): Promise<void> {
  if (await endGrant(db, userId, id, "user")) return;
  throw new NotFound(
    "mcp_grant_not_found",
    "You granted nothing to such a client. GET /api/v1/oauth/grants lists those to whom you did.",
  );
}

/**
 * Ends all that a user granted: whoever had the old password may have granted it. Called in a
 * transaction.
 */
export async function endGrantsOf(db: Database, userId: string): Promise<void> {
  const rows = await db.query<{ id: string }>(
    sql`select id from users.mcp_grants where user_id = ${uuidOrNull(userId)}::uuid`,
  );
  for (const { id } of rows) await endGrant(db, userId, id, "password");
  await db.query(
    sql`delete from users.mcp_codes where user_id = ${uuidOrNull(userId)}::uuid`,
  );
}

/**
 * Ends what a user granted, with all its tokens. @returns whether there was such a grant.
 * @param why `reused`: a code or token came twice
 */
export function endGrant(
  db: Database,
  userId: string,
  id: string,
  why: "user" | "client" | "reused" | "password",
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
    await recordEvent(db, userId, {
      action: "mcp_client.revoked",
      resourceType: "mcp_client",
      resourceId: id,
      details: { name: ended.name, why },
    });
    return true;
  });
}
