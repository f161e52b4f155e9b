import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endsWithin, within } from "./within.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("work that ends in time gives its result or its failure, and leaves no timer", async () => {
  expect(await within(1_000, Promise.resolve("done"))).toBe("done");
  await expect(within(1_000, Promise.reject(new Error("refused")))).rejects.toThrow(
    "refused",
  );
  expect(vi.getTimerCount()).toBe(0);
});

test("the wait for work that takes too long ends with the caller's error", async () => {
  const work = Promise.withResolvers<never>();
  const waited = within(1_000, work.promise, () => new Error("too slow"));
  const ended = expect(waited).rejects.toThrow("too slow");
  await vi.advanceTimersByTimeAsync(999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
  work.reject(new Error("later")); // nobody waits: it is no unhandled rejection
});

test("says whether work ended in time, passes its failure on, and leaves no timer", async () => {
  expect(await endsWithin(1_000, Promise.resolve())).toBe(true);
  await expect(endsWithin(1_000, Promise.reject(new Error("refused")))).rejects.toThrow(
    "refused",
  );
  expect(vi.getTimerCount()).toBe(0);
});

test("says that work did not end in time", async () => {
  const work = Promise.withResolvers<never>();
  const waited = endsWithin(1_000, work.promise);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waited).toBe(false);
  work.reject(new Error("later")); // nobody waits: it is no unhandled rejection
});
