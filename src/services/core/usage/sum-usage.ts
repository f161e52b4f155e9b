import sql, { join } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

interface Ask {
  /** Undefined: of all users. */
  userId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  groupBy: "day" | "user" | "model" | "agent";
  /** `provider/model`. */
  model?: string | undefined;
  /** `none`: replies of no agent. */
  agentId?: string | undefined;
  limit: number;
  offset: number;
}

const GROUPS = {
  day: sql`to_char(created_at at time zone 'utc', 'YYYY-MM-DD')`,
  user: sql`coalesce(user_id, '')`,
  model: sql`provider || '/' || model`,
  agent: sql`coalesce(agent_id, '')`,
};

interface Sum {
  group: string;
  inputTokens: number;
  outputTokens: number;
  requests: number;
  cost: number | null;
  currency: string | null;
}

/** Tokens and costs by day, user, model or agent, the largest first (days: the newest first). */
export async function sumUsage(
  db: Database,
  { groupBy, limit, offset, ...ask }: Ask,
): Promise<{ items: Sum[]; total: number }> {
  const where = filterOf(ask);
  const group = GROUPS[groupBy];
  const items = await db.query<Sum>(sql`select ${group} as "group",
    sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens", count(*)::int as requests,
    sum(cost)::float8 as cost, case when count(distinct currency) = 1 then min(currency) end as currency
    from core.model_transactions where ${where} group by 1 order by ${groupBy === "day" ? sql`1 desc` : sql`3 desc, 1`} limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(distinct ${group})::int as total from core.model_transactions where ${where}`,
  );
  return { items, total: count?.total ?? 0 };
}

function filterOf({
  userId,
  from,
  to,
  model,
  agentId,
}: Omit<Ask, "groupBy" | "limit" | "offset">) {
  const parts = [sql`true`];
  if (userId !== undefined) parts.push(sql`user_id = ${userId}`);
  if (from !== undefined) parts.push(sql`created_at >= ${from}::timestamptz`);
  if (to !== undefined) parts.push(sql`created_at < ${to}::timestamptz`);
  if (model !== undefined) parts.push(sql`provider || '/' || model = ${model}`);
  if (agentId === "none") parts.push(sql`agent_id is null`);
  else if (agentId !== undefined) parts.push(sql`agent_id = ${agentId}`);
  return join(parts, " and ");
}
