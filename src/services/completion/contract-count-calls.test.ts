import { expect, test } from "vitest";
import type { Queue } from "../../platform/queue/queue.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import { countCalls } from "./contract-count-calls.ts";
import { ProviderCalls } from "./contract-provider-calls.ts";

const HOUR_MS = 3_600_000;
const FAILURE = { code: "provider_timeout", message: "Slow.", params: { seconds: 60 } };

/** Counts at a time that the test sets, for a queue that the test may close. */
function counting() {
  const at = { ms: Date.parse("2026-03-01T10:30:00Z"), isAway: false };
  const sent: ProviderCalls[] = [];
  const publish: Queue["publish"] = async (_, data) => {
    if (at.isAway) throw new Error("the queue is away");
    sent.push(ProviderCalls.parse(data));
  };
  const calls = countCalls({ queue: { publish }, log: silentLog(), now: () => at.ms });
  const counts = () => sent.flatMap((message) => message.counts);
  return { at, calls, sent, counts };
}

test("calls are counted by provider, hour and outcome, with the time to the first token", async () => {
  const { calls, counts } = counting();
  calls.answered("one", 100);
  calls.answered("one", 300);
  calls.answered("one");
  calls.failed("one", "timed_out", FAILURE);
  await calls.publish();
  expect(counts()).toEqual([
    expect.objectContaining({
      provider: "one",
      hour: "2026-03-01T10:00:00.000Z",
      outcome: "answered",
      calls: 3,
      begun: 2,
      firstTokenMs: 400,
    }),
    expect.objectContaining({ outcome: "timed_out", calls: 1, lastFailure: FAILURE }),
  ]);
});

test("what did not change is not sent again; what did is sent as all that was counted", async () => {
  const { calls, sent, counts } = counting();
  calls.answered("one");
  await calls.publish();
  await calls.publish();
  expect(sent).toHaveLength(1);
  calls.answered("one");
  await calls.publish();
  expect(counts().map((count) => count.calls)).toEqual([1, 2]);
  expect(new Set(sent.map(({ source }) => source)).size).toBe(1);
});

test("what the queue refuses is sent later, also of an hour that is over", async () => {
  const { at, calls, counts } = counting();
  calls.answered("one");
  at.isAway = true;
  await expect(calls.publish()).rejects.toThrow("away");
  at.ms += HOUR_MS;
  at.isAway = false;
  calls.answered("one");
  await calls.publish();
  expect(counts().map(({ hour, calls: number }) => [hour.slice(11, 16), number])).toEqual([
    ["10:00", 1],
    ["11:00", 1],
  ]);
});

test("a process keeps a bounded number of counts, and forgets those of past hours", async () => {
  const { at, calls, sent, counts } = counting();
  for (let provider = 0; provider < 2_100; provider += 1) calls.answered(`p${provider}`);
  await calls.publish();
  expect(counts()).toHaveLength(2_000);
  expect(sent.every((message) => message.counts.length <= 200)).toBe(true);
  at.ms += HOUR_MS;
  await calls.publish();
  calls.answered("late");
  await calls.publish();
  expect(counts().at(-1)).toMatchObject({ provider: "late", calls: 1 });
});

test("the last counts are sent when the process ends, or given up", async () => {
  const { at, calls, counts } = counting();
  calls.answered("one");
  await calls[Symbol.asyncDispose]();
  expect(counts()).toHaveLength(1);
  calls.answered("one");
  at.isAway = true;
  await calls[Symbol.asyncDispose]();
});
