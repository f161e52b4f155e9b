import { expect, test } from "vitest";
import { uuidv7 } from "uuidv7";
import type { Queue } from "../../platform/queue/queue.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import type { Transaction } from "./contract.ts";
import { createUsagePublisher } from "./publish-usage.ts";

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
  const publish: Queue["publish"] = async (_, data) => {
    if (refusals-- > 0) throw new Error("the queue is away");
    taken.push(data);
  };
  // the only method of the queue in use
  await using usage = createUsagePublisher({
    queue: { publish } as Queue,
    log: silentLog(),
  });
  const one = transaction();
  await usage.publish(one);
  expect(taken).toEqual([one]);
});

test("closing gives up records that the queue still refuses", async () => {
  const publish: Queue["publish"] = () => Promise.reject(new Error("the queue is away"));
  const usage = createUsagePublisher({ queue: { publish } as Queue, log: silentLog() });
  const published = usage.publish(transaction());
  await usage[Symbol.asyncDispose]();
  await published;
});
