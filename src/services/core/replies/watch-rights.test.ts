import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Forbidden } from "../../../platform/http/errors.ts";
import { watchRights } from "./watch-rights.ts";

const FIVE_SECONDS_MS = 5_000;
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const silent = { warn: () => {} };

const replyOf = (userId: string) => ({
  toMake: {
    userId,
    plan: { model: "m", tools: [], approval: "never" as const, contextWindow: 1_000 },
  },
  stop: new AbortController(),
});

test("each reply that runs is checked, in one call for all, and stops with the reason", async () => {
  const refused = new Forbidden("user_disabled", "Disabled.");
  const calls: string[][] = [];
  let disabled = "";
  const running = new Map([["first", replyOf("ann")]]);
  const rights = watchRights(
    async (replies) => {
      calls.push(replies.map(({ userId }) => userId));
      return replies.map(({ userId }) => (userId === disabled ? refused : undefined));
    },
    running,
    silent,
  );
  rights.adjust();
  const second = replyOf("bob");
  running.set("second", second);
  rights.adjust();
  await vi.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
  expect(calls).toEqual([["ann", "bob"]]);
  disabled = "bob";
  await vi.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
  expect(second.stop.signal.reason).toBe(refused);
  expect(running.get("first")?.stop.signal.aborted).toBe(false);
  running.clear();
  rights.adjust();
  await vi.advanceTimersByTimeAsync(4 * FIVE_SECONDS_MS);
  expect(calls).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
  // and again with the next reply
  running.set("third", replyOf("ann"));
  rights.adjust();
  await vi.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
  expect(calls).toHaveLength(3);
});

test("a check that takes long is not asked for twice", async () => {
  const answer = Promise.withResolvers<undefined[]>();
  let calls = 0;
  const rights = watchRights(
    () => {
      calls += 1;
      return answer.promise;
    },
    new Map([["one", replyOf("ann")]]),
    silent,
  );
  rights.adjust();
  await vi.advanceTimersByTimeAsync(3 * FIVE_SECONDS_MS);
  expect(calls).toBe(1);
  answer.resolve([undefined]);
  await vi.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
  expect(calls).toBe(2);
});

test("a check that fails stops no reply, is logged, and is asked for again", async () => {
  const refused = new Forbidden("user_disabled", "Disabled.");
  const failure = new Error("no connection");
  const check = vi
    .fn<() => Promise<Forbidden[]>>()
    .mockRejectedValueOnce(failure)
    .mockResolvedValue([refused]);
  const warn = vi.fn();
  const reply = replyOf("ann");
  const running = new Map([["one", reply]]);
  const rights = watchRights(check, running, { warn });
  rights.adjust();
  await vi.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
  expect(reply.stop.signal.aborted).toBe(false);
  expect(warn).toHaveBeenCalledWith({ err: failure }, expect.any(String));
  await vi.advanceTimersByTimeAsync(FIVE_SECONDS_MS);
  expect(reply.stop.signal.reason).toBe(refused);
  running.clear();
  rights.adjust();
});
