import { expect, test } from "vitest";
import { uuidv7 } from "uuidv7";
import { silentLog } from "../../platform/telemetry/log.ts";
import type { Transaction } from "./contract.ts";
import { createUsagePublisher } from "./contract-publish-usage.ts";

const transaction = (): Transaction => ({
  id: uuidv7(),
  provider: "p",
  model: "m",
  inputTokens: 1,
  outputTokens: 1,
  durationMs: 1,
  finishReason: "stop",
  createdAt: new Date().toISOString(),
});

test("publishes a record once when the queue refuses it at first", async () => {
  const taken: unknown[] = [];
  let refusals = 1;
  const send = async (use: Transaction) => {
    if (refusals-- > 0) throw new Error("the queue is away");
    taken.push(use);
  };
  await using usage = createUsagePublisher({ send, log: silentLog() });
  const one = transaction();
  await usage.publish(one);
  expect(taken).toEqual([one]);
});

test("closing gives up records that the queue still refuses", async () => {
  const send = () => Promise.reject(new Error("the queue is away"));
  const usage = createUsagePublisher({ send, log: silentLog() });
  const published = usage.publish(transaction());
  await usage[Symbol.asyncDispose]();
  await published;
});
