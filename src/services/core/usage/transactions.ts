import { Counter, type Registry } from "prom-client";
import sql from "sql-template-tag";
import { createBatcher } from "../../../platform/db/batch.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import type { Delivery } from "../../../platform/queue/queue.ts";
import { Transaction } from "../../completion/contract.ts";
import { addSpending } from "./budgets-store.ts";
import type { Budgets } from "./budgets.ts";
import { readMessage } from "../../../platform/queue/message.ts";

const GROUP = 200;

interface Stored {
  id: string;
  provider: string;
  model: string;
  /** Null without a price of the model. */
  cost: number | null;
  currency: string | null;
}
/** What a reply cost. */
type Cost = { [Key in Exclude<keyof Stored, "id">]: NonNullable<Stored[Key]> };

/** Counts what replies cost, for operators. */
export function countCosts(registry: Registry): (cost: Cost) => void {
  const costs = new Counter({
    name: "model_cost_total",
    help: "What replies cost by the prices of the catalogue, in each currency",
    labelNames: ["provider", "model", "currency"],
    registers: [registry],
  });
  return ({ cost, ...labels }) => costs.inc(labels, cost);
}

/** Stores usage records and charges budgets, each record once, however often it is delivered. */
export function transactionStore(
  db: Database,
  budgets: Budgets,
  onCost: (cost: Cost) => void = () => {},
): (delivery: Pick<Delivery, "data">) => Promise<void> {
  const store = createBatcher<Transaction>(GROUP, async (records) => {
    const stored = await storeRecords(db, budgets, records);
    for (const { provider, model, cost, currency } of stored)
      if (cost !== null && currency !== null) onCost({ provider, model, cost, currency });
  });
  return async (delivery) => store(readMessage(Transaction, delivery));
}

async function storeRecords(
  db: Database,
  budgets: Budgets,
  records: readonly Transaction[],
): Promise<Stored[]> {
  if (!(await budgets.any())) return insertTransactions(db, records);
  const spendingFor = await budgets.spendingOf(records);
  return db.tx(async () => {
    const stored = await insertTransactions(db, records);
    await addSpending(db, spendingFor(new Map(stored.map(({ id, cost }) => [id, cost]))));
    return stored;
  });
}

/**
 * Calculates the cost by the current price, so that a later price does not change past costs.
 * @returns the records that are new, with their costs.
 */
async function insertTransactions(
  db: Database,
  records: readonly Transaction[],
): Promise<Stored[]> {
  const unique = [...new Map(records.map((record) => [record.id, record])).values()];
  return db.query<Stored>(
    sql`insert into core.model_transactions
      (id, provider, model, user_id, conversation_id, agent_id, input_tokens, output_tokens, cached_input_tokens, cache_write_input_tokens, estimated, duration_ms, finish_reason, created_at,
       images, seconds, characters, cost, currency)
    select r.id, r.provider, r.model, "userId", "conversationId", "agentId", "inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteInputTokens", coalesce(estimated, false),
      "durationMs", "finishReason", "createdAt", images, seconds, characters,
      case when a.pricing is not null then (
        ("inputTokens" - coalesce("cachedInputTokens", 0) - coalesce("cacheWriteInputTokens", 0)) * (a.pricing->>'inputPerMillion')::numeric
        + coalesce("cachedInputTokens", 0) * coalesce((a.pricing->>'cachedInputPerMillion')::numeric, (a.pricing->>'inputPerMillion')::numeric)
        + coalesce("cacheWriteInputTokens", 0) * coalesce((a.pricing->>'cacheWriteInputPerMillion')::numeric, (a.pricing->>'inputPerMillion')::numeric)
        + "outputTokens" * (a.pricing->>'outputPerMillion')::numeric
        + coalesce(characters * (a.pricing->>'perMillionCharacters')::numeric, 0)) / 1000000
        + coalesce(images * (a.pricing->>'perImage')::numeric, 0)
        + coalesce(seconds::numeric / 60 * (a.pricing->>'perMinute')::numeric, 0) end,
      a.pricing->>'currency'
    from jsonb_to_recordset(${jsonb(unique)}) as r (id uuid, provider text, model text, "userId" text, "conversationId" text, "agentId" text,
      "inputTokens" int, "outputTokens" int, "cachedInputTokens" int, "cacheWriteInputTokens" int, estimated boolean, "durationMs" int, "finishReason" text, "createdAt" timestamptz,
      images int, seconds float8, characters int)
    left join core.available_models a on a.provider_name = r.provider and a.provider_model_id = r.model
    on conflict (id) do nothing returning id, provider, model, cost::float8 as cost, currency`,
    { name: "core-transactions" },
  );
}
