import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSubscription } from "./subscription.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function aSubscription() {
  let publish = () => {};
  let wakes = 0;
  const stop = new AbortController();
  const subscription = await openSubscription(
    async (notify) => {
      publish = notify;
      return { async [Symbol.asyncDispose]() {} };
    },
    { everyMs: 1_500, signal: stop.signal },
  );
  const read = async () => {
    for (;;) {
      await subscription.next();
      if (stop.signal.aborted) return;
      wakes += 1;
    }
  };
  void read();
  return { subscription, stop, publish: () => publish(), wakes: () => wakes };
}

test("wakes a reader once for each publication, and by the interval only in silence", async () => {
  const { publish, wakes } = await aSubscription();
  for (let second = 0; second < 10; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    publish();
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(wakes()).toBe(10);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(wakes()).toBe(12);
});

test("wakes a reader whose signal aborts, and keeps no timer at its end", async () => {
  const { subscription, stop } = await aSubscription();
  stop.abort();
  await subscription[Symbol.asyncDispose]();
  expect(vi.getTimerCount()).toBe(0);
});
