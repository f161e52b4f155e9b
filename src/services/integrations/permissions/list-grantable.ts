import sql from "sql-template-tag";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import type { User } from "../../../platform/http/caller.ts";
import type { FlowDeps } from "../flows/find-flow.ts";
import { noteFlows } from "../flows/store.ts";

interface Row {
  id: string;
  name: string;
  description: string;
  ownerId: string | null;
}

/**
 * Flows that an administrator may grant, by name: those of the operator's account, their own, and
 * those that are granted in their tenant already.
 */
export async function listGrantable(
  { db, provider }: FlowDeps,
  { userId, clientId }: User,
  { query = "", page, limit }: PageQuery & { query?: string | undefined },
  signal: AbortSignal,
) {
  const operators = await provider.flows.list(provider.flows.operatorKey, signal);
  await noteFlows(db, provider.name, operators, null);
  const ids = operators.map(({ id }) => id);
  const where = sql`f.provider = ${provider.name} and strpos(lower(f.name), lower(${query})) > 0
    and (f.flow_id = any(${ids}) or f.owner_id = ${userId} or exists (
      select from integrations.flow_permissions p where p.provider = f.provider
        and p.flow_id = f.flow_id and p.client_id = ${clientId}))`;
  const items = await db.query<Row>(sql`select f.flow_id as id, f.name, f.description,
      f.owner_id as "ownerId" from integrations.flows f where ${where}
    order by f.name, f.flow_id limit ${limit} offset ${offsetOf({ page, limit })}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from integrations.flows f where ${where}`,
  );
  return { items, page, limit, total: count?.total ?? 0 };
}
