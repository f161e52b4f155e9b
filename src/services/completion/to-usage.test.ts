import { expect, test } from "vitest";
import { toUsage } from "./to-usage.ts";

test("whatever a provider reports can be stored and costs no less than nothing", () => {
  expect(toUsage({ input: 10, output: 2.4, cached: 4 })).toEqual({
    inputTokens: 10,
    outputTokens: 2,
    cachedInputTokens: 4,
  });
  expect(toUsage({ input: 10, output: 1, cached: 4, written: 9 })).toEqual({
    inputTokens: 10,
    outputTokens: 1,
    cachedInputTokens: 4,
    cacheWriteInputTokens: 6,
  });
  for (const odd of [-5, NaN, "-7", null, undefined, {}])
    expect(toUsage({ input: odd, output: odd, cached: 3, written: 3 })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
    });
});

test("an impossible count is not taken, so that the usage is estimated", () => {
  for (const odd of [2 ** 32 - 5, 2 ** 31 - 1, 1e12, Infinity])
    expect(toUsage({ input: odd, output: odd, cached: odd })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
    });
});
