import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

interface Ask {
  /** Undefined: of all users. */
  userId: string | undefined;
  from: string | undefined;
  to: string | undefined;
  groupBy: "day" | "user" | "model" | "agent";
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
  { userId, from, to, groupBy, limit, offset }: Ask,
): Promise<{ items: Sum[]; total: number }> {
  const where = sql`(${userId ?? null}::text is null or user_id = ${userId ?? null}) and created_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
    and created_at < coalesce(${to ?? null}::timestamptz, 'infinity')`;
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
