import type { Usage } from "./contract.ts";

/** The usage that a provider reports, which may send anything, as counts that can be stored. */
export function toUsage(reported: {
  input: unknown;
  output: unknown;
  /** The part of the input that the provider had in its cache. */
  cached: unknown;
  /** The part of the input that the provider put into its cache. */
  written?: unknown;
}): Usage {
  const inputTokens = toCount(reported.input);
  const cachedInputTokens = Math.min(toCount(reported.cached), inputTokens);
  const cacheWriteInputTokens = Math.min(
    toCount(reported.written),
    inputTokens - cachedInputTokens,
  );
  return {
    inputTokens,
    outputTokens: toCount(reported.output),
    ...(cachedInputTokens > 0 && { cachedInputTokens }),
    ...(cacheWriteInputTokens > 0 && { cacheWriteInputTokens }),
  };
}

/** More than any model reads or writes at once. */
const MAX_TOKENS = 20_000_000;

/** An impossible count, such as one that fell below zero as an unsigned number, is none. */
function toCount(given: unknown): number {
  const isText = typeof given === "string" && /^\d{1,10}$/.test(given);
  const tokens = isText ? Number(given) : given;
  const isCount = typeof tokens === "number" && tokens > 0 && tokens <= MAX_TOKENS;
  return isCount ? Math.round(tokens) : 0;
}
