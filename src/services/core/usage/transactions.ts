import sql from "sql-template-tag";
import { coalesce } from "../../../platform/db/coalesce.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Database } from "../../../platform/db/database.ts";
import { type Delivery, Poison } from "../../../platform/queue/queue.ts";
import { Transaction } from "../../completion/contract.ts";

const GROUP = 200;

/** Stores usage records, each once, however often it is delivered. Source: requirements 1, "Events". */
export function transactionStore(db: Database): (delivery: Pick<Delivery, "data">) => Promise<void> {
  const store = coalesce<Transaction>(GROUP, (records) => insertTransactions(db, records));
  return async ({ data }) => {
    const parsed = Transaction.safeParse(data);
    if (!parsed.success) throw new Poison(`not a transaction: ${parsed.error.issues[0]?.path.join(".")}`);
    await store(parsed.data);
  };
}

async function insertTransactions(db: Database, records: readonly Transaction[]): Promise<void> {
  await db.query(sql`insert into core.model_transactions
      (id, provider, model, user_id, conversation_id, input_tokens, output_tokens, cached_input_tokens, estimated, duration_ms, finish_reason, created_at)
    select id, provider, model, "userId", "conversationId", "inputTokens", "outputTokens", "cachedInputTokens", coalesce(estimated, false), "durationMs",
      "finishReason", "createdAt"
    from jsonb_to_recordset(${jsonb(records)}) as r (id uuid, provider text, model text, "userId" text, "conversationId" text,
      "inputTokens" int, "outputTokens" int, "cachedInputTokens" int, estimated boolean, "durationMs" int, "finishReason" text, "createdAt" timestamptz)
    on conflict (id) do nothing`);
}

interface Ask {
  /** undefined: everybody's. */
  userId: string | undefined;
  from: string | undefined;
  to: string | undefined;
  groupBy: "day" | "user" | "model";
  limit: number;
  offset: number;
}

const GROUPS = {
  day: sql`to_char(created_at at time zone 'utc', 'YYYY-MM-DD')`,
  user: sql`coalesce(user_id, '')`,
  model: sql`provider || '/' || model`,
};

/** Tokens by day, user or model, the largest first (days: the newest first). */
export async function sumUsage(db: Database, { userId, from, to, groupBy, limit, offset }: Ask) {
  const where = sql`(${userId ?? null}::text is null or user_id = ${userId ?? null}) and created_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
    and created_at < coalesce(${to ?? null}::timestamptz, 'infinity')`;
  const group = GROUPS[groupBy];
  const items = await db.query<{
    group: string;
    inputTokens: number;
    outputTokens: number;
    requests: number;
  }>(sql`select ${group} as "group",
    sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens", count(*)::int as requests
    from core.model_transactions where ${where} group by 1 order by ${groupBy === "day" ? sql`1 desc` : sql`3 desc, 1`} limit ${limit} offset ${offset}`);
  const [count] = await db.query<{ total: number }>(
    sql`select count(distinct ${group})::int as total from core.model_transactions where ${where}`,
  );
  return { items, total: count?.total ?? 0 };
}
