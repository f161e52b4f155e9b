import { expect, test } from "vitest";
import { localLimits } from "./local-limits.ts";

const LIMIT = { name: "tries", points: 3, durationMs: 600_000 };

test("a limit keeps a bounded number of keys, and those at their limit the longest", async () => {
  const limits = localLimits(10);
  for (let tries = 0; tries < 5; tries += 1) await limits.take(LIMIT, "guesser");
  for (let more = 0; more < 1_000; more += 1) await limits.take(LIMIT, `from ${more}`);
  expect(await limits.take(LIMIT, "guesser")).toMatchObject({ allowed: false });
  // forgotten in the meantime
  for (let tries = 0; tries < 3; tries += 1)
    expect(await limits.take(LIMIT, "from 0")).toMatchObject({ allowed: true });
});

test("points that are given back count no more, and each limit counts for itself", async () => {
  const limits = localLimits();
  for (let tries = 0; tries < 20; tries += 1) {
    expect(await limits.take(LIMIT, "a")).toEqual({ allowed: true, retryAfterMs: 0 });
    await limits.giveBack(LIMIT, "a");
  }
  const other = { ...LIMIT, name: "others", points: 1 };
  expect(await limits.take(other, "a")).toMatchObject({ allowed: true });
  const { allowed, retryAfterMs } = await limits.take(other, "a");
  expect(allowed).toBe(false);
  expect(retryAfterMs).toBeGreaterThan(0);
});

test("a window that is over counts from zero", async () => {
  const limits = localLimits();
  const short = { ...LIMIT, points: 1, durationMs: 0 };
  expect(await limits.take(short, "a")).toMatchObject({ allowed: true });
  expect(await limits.take(short, "a")).toMatchObject({ allowed: true });
  limits.removeExpired();
});
