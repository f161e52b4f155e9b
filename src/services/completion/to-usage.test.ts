import { expect, test } from "vitest";
import { toUsage } from "./to-usage.ts";

test("whatever a provider reports can be stored and costs no less than nothing", () => {
  expect(toUsage({ input: 10, output: 2.4, cached: 4 })).toEqual({
    inputTokens: 10,
    outputTokens: 2,
    cachedInputTokens: 4,
  });
  for (const odd of [-5, NaN, "7", null, undefined, {}])
    expect(toUsage({ input: odd, output: odd, cached: 3 })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
    });
  expect(toUsage({ input: 1e12, output: Infinity, cached: 1e300 })).toEqual({
    inputTokens: 2_147_483_647,
    outputTokens: 2_147_483_647,
    cachedInputTokens: 2_147_483_647,
  });
});
