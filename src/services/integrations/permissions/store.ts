import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";

export interface PermissionFilter extends PageQuery {
  clientId: string;
  userId?: string | undefined;
  flowId?: string | undefined;
}

interface PermissionRow {
  userId: string;
  flowId: string;
  flowName: string;
  grantedBy: string;
  grantedAt: Date;
}

/** Grants a flow. @returns false if the user already had it. */
export async function addPermission(
  db: Database,
  {
    provider,
    userId,
    clientId,
    flowId,
    grantedBy,
  }: {
    provider: string;
    userId: string;
    clientId: string;
    flowId: string;
    grantedBy: string;
  },
): Promise<boolean> {
  const rows =
    await db.query(sql`insert into integrations.flow_permissions (provider, user_id, client_id, flow_id, granted_by)
    values (${provider}, ${userId}, ${clientId}, ${flowId}, ${grantedBy}) on conflict do nothing returning user_id`);
  return rows.length > 0;
}

/** Removes permissions of one tenant. @returns the users who had one. */
export async function removePermissions(
  db: Database,
  provider: string,
  clientId: string,
  userIds: readonly string[],
  flowId: string,
): Promise<string[]> {
  const rows = await db.query<{
    userId: string;
  }>(sql`delete from integrations.flow_permissions
    where provider = ${provider} and client_id = ${clientId} and flow_id = ${flowId} and user_id = any(${[...userIds]}) returning user_id as "userId"`);
  return rows.map(({ userId }) => userId);
}

export async function flowsOfUser(
  db: Database,
  provider: string,
  userId: string,
): Promise<string[]> {
  const rows = await db.query<{
    flowId: string;
  }>(sql`select flow_id as "flowId" from integrations.flow_permissions
    where provider = ${provider} and user_id = ${userId} order by granted_at, flow_id limit 5000`);
  return rows.map(({ flowId }) => flowId);
}

export async function listPermissions(
  db: Database,
  provider: string,
  { clientId, userId, flowId, page, limit }: PermissionFilter,
) {
  const where = sql`p.provider = ${provider} and p.client_id = ${clientId}
    and (${userId ?? null}::text is null or p.user_id = ${userId ?? null})
    and (${flowId ?? null}::text is null or p.flow_id = ${flowId ?? null})`;
  const rows = await db.query<PermissionRow>(sql`select p.user_id as "userId",
      p.flow_id as "flowId", coalesce(f.name, '') as "flowName", p.granted_by as "grantedBy",
      p.granted_at as "grantedAt"
    from integrations.flow_permissions p left join integrations.flows f
      on f.provider = p.provider and f.flow_id = p.flow_id
    where ${where} order by p.granted_at desc, p.user_id, p.flow_id
    limit ${limit} offset ${offsetOf({ page, limit })}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from integrations.flow_permissions p where ${where}`,
  );
  const items = rows.map((row) => ({ ...row, grantedAt: row.grantedAt.toISOString() }));
  return { items, page, limit, total: count?.total ?? 0 };
}
