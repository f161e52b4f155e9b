import sql from "sql-template-tag";
import { createBatcher } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Delivery } from "../../../platform/queue/queue.ts";
import { Transaction } from "../../completion/contract.ts";
import { addSpending } from "./budgets-store.ts";
import type { Budgets } from "./budgets.ts";
import { readMessage } from "../../../platform/queue/read-message.ts";

const GROUP = 200;

/** Stores usage records and charges budgets, each record once, however often it is delivered. */
export function transactionStore(
  db: Database,
  budgets: Budgets,
): (delivery: Pick<Delivery, "data">) => Promise<void> {
  const store = createBatcher<Transaction>(GROUP, async (records) => {
    if (!(await budgets.any())) return insertTransactions(db, records);
    const spendingFor = await budgets.spendingOf(records);
    return db.tx(async () =>
      addSpending(db, spendingFor(await insertTransactions(db, records))),
    );
  });
  return async (delivery) => store(readMessage(Transaction, delivery));
}

/**
 * Calculates the cost by the current price, so that a later price does not change past costs.
 * @returns the costs of the records that are new.
 */
async function insertTransactions(
  db: Database,
  records: readonly Transaction[],
): Promise<Map<string, number | null>> {
  const unique = [...new Map(records.map((record) => [record.id, record])).values()];
  const rows = await db.query<{ id: string; cost: number | null }>(
    sql`insert into core.model_transactions
      (id, provider, model, user_id, conversation_id, agent_id, input_tokens, output_tokens, cached_input_tokens, estimated, duration_ms, finish_reason, created_at,
       cost, currency)
    select r.id, r.provider, r.model, "userId", "conversationId", "agentId", "inputTokens", "outputTokens", "cachedInputTokens", coalesce(estimated, false),
      "durationMs", "finishReason", "createdAt",
      case when a.pricing is not null then (
        ("inputTokens" - coalesce("cachedInputTokens", 0)) * (a.pricing->>'inputPerMillion')::numeric
        + coalesce("cachedInputTokens", 0) * coalesce((a.pricing->>'cachedInputPerMillion')::numeric, (a.pricing->>'inputPerMillion')::numeric)
        + "outputTokens" * (a.pricing->>'outputPerMillion')::numeric) / 1000000 end,
      a.pricing->>'currency'
    from jsonb_to_recordset(${jsonb(unique)}) as r (id uuid, provider text, model text, "userId" text, "conversationId" text, "agentId" text,
      "inputTokens" int, "outputTokens" int, "cachedInputTokens" int, estimated boolean, "durationMs" int, "finishReason" text, "createdAt" timestamptz)
    left join core.available_models a on a.provider_name = r.provider and a.provider_model_id = r.model
    on conflict (id) do nothing returning id, cost::float8 as cost`,
    { name: "core-transactions" },
  );
  return new Map(rows.map(({ id, cost }) => [id, cost]));
}
