import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { held } from "../../../../test/support/held.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { migrate } from "../../../platform/db/migrate.ts";
import { openQueue } from "../../../platform/queue/open-queue.ts";
import { Poison, type Queue } from "../../../platform/queue/queue.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { testDatabase } from "../../../platform/testing/database.ts";
import type { Transaction } from "../../completion/contract.ts";
import type { Budgets } from "./budgets.ts";
import { transactionStore } from "./transactions.ts";

const CALLS = 1_000;
const DUPLICATES = 300;
const noBudgets = { any: async () => false } as Budgets;
let db: Database;
let queue: Queue;

beforeAll(async () => {
  db = await testDatabase();
  await migrate(db, {
    schema: "core",
    folder: new URL("../migrations/", import.meta.url),
    log: silentLog(),
  });
  queue = await openQueue({
    db,
    amqpUrl: process.env["AMQP_URL"],
    serviceSecret: "secret of the test",
    log: silentLog(),
  });
});
afterAll(async () => {
  await queue[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const record = (tokens: number): Transaction => ({
  id: uuidv7(),
  provider: "p",
  model: "m",
  inputTokens: tokens,
  outputTokens: 1,
  durationMs: 1,
  finishReason: "stop",
  createdAt: new Date().toISOString(),
});

test("a record that no reply can have is refused, and gives no budget anything back", async () => {
  const store = transactionStore(db, noBudgets);
  const good = record(1);
  const wrong: Partial<Transaction>[] = [
    { inputTokens: -1_000_000 },
    { outputTokens: 3_000_000_000 },
    { cachedInputTokens: -1 },
    { inputTokens: 1, cachedInputTokens: 2 },
    { inputTokens: 2, cachedInputTokens: 1, cacheWriteInputTokens: 2 },
    { cacheWriteInputTokens: -1 },
    { durationMs: -1 },
    { createdAt: "0000-01-01T00:00:00Z" },
  ];
  for (const one of wrong)
    await expect(store({ data: { ...good, ...one } })).rejects.toThrow(Poison);
});

test("stores each record once, also when it arrives twice, out of order or after a failure", async () => {
  const records = Array.from({ length: CALLS }, (_, n) => record(n));
  const twice = [...records.slice(-DUPLICATES), ...records].toReversed();
  const name = `usage_${process.pid}`;
  const store = transactionStore(db, noBudgets);
  let handled = 0;
  // every tenth delivery fails between its effect and its acknowledgement
  const handle: Parameters<Queue["consume"]>[1] = async (delivery) => {
    await store(delivery);
    handled += 1;
    if (handled % 10 === 0) throw new Error("broke off");
  };
  await using _ = await queue.consume(name, handle, {
    prefetch: 50,
    backoffMs: 10,
    tries: 20,
  });
  await Promise.all(twice.map((one) => queue.publish(name, one)));
  const ended = () => handled - Math.floor(handled / 10);
  await vi.waitFor(() => expect(ended()).toBe(twice.length), 60_000);

  const [sum] = await db.query<{ rows: number; tokens: number }>(
    sql`select count(*)::int as rows, sum(input_tokens)::int as tokens from core.model_transactions`,
  );
  expect(sum).toEqual({ rows: CALLS, tokens: (CALLS * (CALLS - 1)) / 2 });
  held("duplicate-deliveries", handled - CALLS);
});

test("images, minutes, characters and writes into a cache cost what the model's price says", async () => {
  const prices = {
    cache: { inputPerMillion: 4, cachedInputPerMillion: 1, cacheWriteInputPerMillion: 5 },
    plain: { inputPerMillion: 4 },
    image: { perImage: 0.04 },
    recording: { perMinute: 0.6 },
    speech: { perMillionCharacters: 15, outputPerMillion: 1 },
    tokens: { inputPerMillion: 2 },
  };
  await db.query(sql`insert into core.model_providers (name, display_name, kind, config)
    values ('units', 'U', 'openai', '{}')`);
  for (const [model, price] of Object.entries(prices)) {
    const pricing = { inputPerMillion: 0, outputPerMillion: 0, currency: "EUR", ...price };
    await db.query(sql`insert into core.models (id, name, kind, capabilities)
      values (${model}, ${model}, 'image', '{}')`);
    await db.query(sql`insert into core.available_models
        (id, model_id, provider_name, provider_model_id, display_name, pricing)
      values (${`units/${model}`}, ${model}, 'units', ${model}, ${model}, ${jsonb(pricing)})`);
  }
  const costs: Record<string, string> = {};
  const store = transactionStore(db, noBudgets, ({ model, cost }) => {
    costs[model] = cost.toFixed(4);
  });
  const used = [
    { model: "image", images: 3 },
    { model: "recording", seconds: 90 },
    { model: "speech", characters: 2_000 },
    { model: "tokens" },
    { model: "cache", cachedInputTokens: 500_000, cacheWriteInputTokens: 300_000 },
    { model: "plain", cachedInputTokens: 500_000, cacheWriteInputTokens: 300_000 },
  ];
  for (const units of used)
    await store({
      data: { ...record(1_000_000), outputTokens: 10_000, provider: "units", ...units },
    });
  expect(costs).toEqual({
    cache: "2.8000",
    plain: "4.0000",
    image: "0.1200",
    recording: "0.9000",
    speech: "0.0400",
    tokens: "2.0000",
  });
});
