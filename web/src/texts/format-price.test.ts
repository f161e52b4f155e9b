import { expect, test } from "vitest";
import { formatCost, formatPrice } from "./format-price.ts";

test("prices are written in their currency, small ones in full", () => {
  const pricing = { inputPerMillion: 0.5, outputPerMillion: 0.0125, currency: "EUR" };
  expect(formatPrice(pricing)).toBe("€0.50 / €0.0125");
  const free = { inputPerMillion: 0, outputPerMillion: 0, currency: "EUR" };
  expect(formatPrice({ ...free, perMinute: 0.006 })).toBe("€0.006");
  expect(formatPrice(free)).toBe("€0.00 / €0.00");
});

test("what is no code of a currency is written behind the number", () => {
  const pricing = { inputPerMillion: 1, outputPerMillion: 2, currency: "<b>" };
  expect(formatPrice(pricing)).toBe("1.00 <b> / 2.00 <b>");
});

test("an answer costs what its tokens cost, those from the cache at their own price", () => {
  const pricing = { inputPerMillion: 10, outputPerMillion: 30, currency: "USD" };
  const usage = { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 600 };
  expect(formatCost(usage, pricing)).toBe("$0.013");
  expect(formatCost(usage, { ...pricing, cachedInputPerMillion: 1 })).toBe("$0.0076");
  const written = { inputTokens: 1_000, outputTokens: 0, cacheWriteInputTokens: 1_000 };
  expect(formatCost(written, { ...pricing, cacheWriteInputPerMillion: 12.5 })).toBe(
    "$0.013",
  );
  expect(formatCost({ inputTokens: 1, outputTokens: 0 }, pricing)).toBe("$0.00001");
  expect(formatCost({ inputTokens: 5e5, outputTokens: 1e5 }, pricing)).toBe("$8");
});
