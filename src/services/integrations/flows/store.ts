import sql from "sql-template-tag";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { FlowHead } from "../providers/provider.ts";

/** A flow as last seen at the provider. */
export interface KnownFlow {
  id: string;
  /** The owner of the account at the provider that holds the flow; null: the operator. */
  accountUserId: string | null;
  /** The owner of the flow in Parlance; null: nobody. */
  ownerId: string | null;
  name: string;
  description: string;
  updatedAt: Date | null;
}

const FLOW = sql`flow_id as id, account_user_id as "accountUserId", owner_id as "ownerId", name, description, updated_at as "updatedAt"`;

/** Of a row of `integrations.flows f`. */
const isGrantedTo = (userId: string) => sql`exists (select 1
  from integrations.flow_permissions p
  where p.provider = f.provider and p.flow_id = f.flow_id and p.user_id = ${userId})`;

/**
 * Returns what the user may do with a flow. It is never cached, so that a revocation is immediate.
 */
export async function findKnownFlow(
  db: Database,
  provider: string,
  flowId: string,
  userId: string,
): Promise<{ flow: KnownFlow; granted: boolean } | undefined> {
  const [row] = await db.query<
    KnownFlow & { granted: boolean }
  >(sql`select ${FLOW}, ${isGrantedTo(userId)} as granted
    from integrations.flows f where provider = ${provider} and flow_id = ${flowId}`);
  if (!row) return undefined;
  const { granted, ...flow } = row;
  return { flow, granted };
}

/** Lists the user's flows in other accounts, and granted flows, by name. */
export async function listReachable(
  db: Database,
  provider: string,
  userId: string,
): Promise<KnownFlow[]> {
  return db.query<KnownFlow>(sql`select ${FLOW} from integrations.flows f where provider = ${provider} and (
      (owner_id = ${userId} and account_user_id is distinct from ${userId})
      or ${isGrantedTo(userId)})
    order by name, flow_id limit 5000`);
}

/** Stores the flows of an account as last seen. A known owner does not change. */
export async function noteFlows(
  db: Database,
  provider: string,
  flows: readonly FlowHead[],
  accountUserId: string | null,
): Promise<void> {
  if (flows.length === 0) return;
  await db.query(sql`insert into integrations.flows as f (provider, flow_id, account_user_id, owner_id, name, description, updated_at)
    select ${provider}, n.id, ${accountUserId}, ${accountUserId}, n.name, n.description, n."updatedAt"
    from jsonb_to_recordset(${jsonb(flows)}) as n (id text, name text, description text, "updatedAt" timestamptz)
    on conflict (provider, flow_id) do update set name = excluded.name, description = excluded.description,
      updated_at = coalesce(excluded.updated_at, f.updated_at)
    where f.account_user_id is not distinct from excluded.account_user_id`);
}

/** Stores a flow, which a permission must refer to. */
export async function noteGrantable(
  db: Database,
  provider: string,
  flow: KnownFlow,
): Promise<void> {
  const { id, accountUserId, ownerId, name, description, updatedAt } = flow;
  await db.query(sql`insert into integrations.flows (provider, flow_id, account_user_id, owner_id, name, description, updated_at)
    values (${provider}, ${id}, ${accountUserId}, ${ownerId}, ${name}, ${description}, ${updatedAt}) on conflict do nothing`);
}
