import { expect, test } from "vitest";
import { backoff } from "./backoff.ts";

test("the delay doubles with each attempt, up to a limit", () => {
  const delays = [1, 2, 3, 4].map((attempt) => backoff(attempt, 1_000, () => 0.5));
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(backoff(1_000, 1_000, () => 0.5)).toBe(2 ** 18);
});

test("jitter spreads a delay over its whole length", () => {
  const shortest = backoff(3, 1_000, () => 0);
  const longest = backoff(3, 1_000, () => 1);
  expect(longest - shortest).toBe(4_000);
  expect(shortest).toBe(2_000);
});
