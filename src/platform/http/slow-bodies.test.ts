import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ApiError } from "./errors.ts";
import { SlowBodies } from "./slow-bodies.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Begins a body; the result tells how it ended. */
function begin(bodies: SlowBodies, caller: string) {
  const arrival = bodies.begin(caller);
  const outcome = { code: "arrives" };
  arrival.onRefused = (reason) => (outcome.code = (reason as ApiError).code);
  return { ...arrival, outcome };
}
const grow = () => vi.advanceTimersByTimeAsync(1_000);

test("bodies that arrive at once are never refused", async () => {
  const bodies = new SlowBodies({ perCaller: 2, total: 3 });
  for (let count = 0; count < 1_000; count += 1) begin(bodies, "ann").end();
  await grow();
  expect(bodies.total).toBe(0);
});

test("one caller has a few slow bodies, and another's are not refused for it", async () => {
  const bodies = new SlowBodies({ perCaller: 2, total: 100 });
  const anns = [1, 2, 3].map(() => begin(bodies, "ann"));
  const bob = begin(bodies, "bob");
  await grow();
  const codes = anns.map(({ outcome }) => outcome.code);
  expect(codes).toEqual(["arrives", "arrives", "too_many_slow_requests"]);
  expect(bob.outcome.code).toBe("arrives");
  for (const one of [...anns, bob]) one.end();
  expect(bodies.total).toBe(0);
});

test("beyond the limit of all, the last body of the caller with the most gives way", async () => {
  const bodies = new SlowBodies({ perCaller: 3, total: 3 });
  const anns = [1, 2, 3].map(() => begin(bodies, "ann"));
  await grow();
  const bob = begin(bodies, "bob");
  await grow();
  expect(anns.map(({ outcome }) => outcome.code)).toEqual([
    "arrives",
    "arrives",
    "bodies_busy",
  ]);
  expect(bob.outcome.code).toBe("arrives");
  expect(bodies.total).toBe(3);
});
