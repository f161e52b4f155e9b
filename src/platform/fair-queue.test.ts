import { expect, test } from "vitest";
import { ApiError } from "./http/errors.ts";
import { createFairQueue, type EnterOptions } from "./fair-queue.ts";

function openQueue({
  size = 1,
  maxWaiting = 100,
  maxPerUser = 100,
  maxWaitMs = 60_000,
} = {}) {
  const queue = createFairQueue({
    size,
    maxWaiting,
    maxPerUser,
    maxWaitMs,
    busy: () => new ApiError(503, "busy", "All wait."),
    tooMany: () => new ApiError(429, "too_many", "You wait."),
  });
  const order: string[] = [];
  /** Enters and leaves at once. */
  const pass = (user: string, options?: EnterOptions) =>
    queue.enter(user, options).then(
      (leave) => {
        order.push(user);
        leave();
      },
      (error: unknown) => void order.push(`${user} ${(error as ApiError).code}`),
    );
  return { queue, order, pass };
}

test("a full line makes room for a user by refusing the last of the one who waits most often", async () => {
  const { queue, order, pass } = openQueue({ maxWaiting: 4 });
  const leave = await queue.enter("ann");
  const waiting = ["ann", "ann", "ann", "bob"].map((user) => pass(user));
  waiting.push(pass("carol"));
  await waiting[2];
  expect(order).toEqual(["ann busy"]);
  leave();
  await Promise.all(waiting);
  expect(order.slice(1)).toEqual(["bob", "carol", "ann", "ann"]);
});

test("a full line refuses the one who waits as often as any other", async () => {
  const { queue, order, pass } = openQueue({ maxWaiting: 2 });
  const leave = await queue.enter("ann");
  const waiting = ["bob", "carol"].map((user) => pass(user));
  await pass("dave");
  await pass("bob");
  expect(order).toEqual(["dave busy", "bob busy"]);
  leave();
  await Promise.all(waiting);
});

test("background work waits in turn: no line is too long for it, and it is never refused", async () => {
  const { queue, order, pass } = openQueue({ maxWaiting: 2, maxPerUser: 3, maxWaitMs: 1 });
  const leave = await queue.enter("ann");
  const background = Array.from({ length: 4 }, () => pass("ann", { isBackground: true }));
  await pass("ann");
  const bob = pass("bob");
  await bob;
  expect(order).toEqual(["ann too_many", "bob busy"]);
  leave();
  await Promise.all(background);
  expect(order.slice(2)).toEqual(["ann", "ann", "ann", "ann"]);
});

test("leaving takes a caller out of the line", async () => {
  const { queue, order, pass } = openQueue();
  const leave = await queue.enter("ann");
  const gone = new AbortController();
  const left = pass("bob", { signal: gone.signal });
  expect(queue.state()).toEqual({ running: 1, waiting: 1 });
  gone.abort();
  await left;
  expect(order).toEqual(["bob request_cancelled"]);
  expect(queue.state()).toEqual({ running: 1, waiting: 0 });
  leave();
});
