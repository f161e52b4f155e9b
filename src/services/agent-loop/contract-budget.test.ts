import { expect, test } from "vitest";
import { remainingBudgets, type RunBudget } from "./contract-budget.ts";

const used = {
  inputTokens: 100,
  outputTokens: 10,
  cachedInputTokens: 30,
  cacheWriteInputTokens: 50,
};

test("what a cache gave and what it took have prices of their own, or that of the input", () => {
  const spent = (prices: Partial<RunBudget>) =>
    1_000 -
    (remainingBudgets(
      [{ amount: 1_000, inputPrice: 8, outputPrice: 1, ...prices }],
      used,
    )[0]?.amount ?? 0);
  expect(spent({})).toBe(810);
  expect(spent({ cachedInputPrice: 1 })).toBe(600);
  expect(spent({ cacheWriteInputPrice: 10 })).toBe(910);
  expect(spent({ cachedInputPrice: 0, cacheWriteInputPrice: 0 })).toBe(170);
});
