import { MAX_INT4 } from "../../platform/http/bounds.ts";
import type { Usage } from "./contract.ts";

/** The usage that a provider reports, which may send anything, as counts that can be stored. */
export function toUsage(reported: {
  input: unknown;
  output: unknown;
  /** The part of the input that the provider had in its cache. */
  cached: unknown;
}): Usage {
  const inputTokens = toCount(reported.input);
  const cachedInputTokens = Math.min(toCount(reported.cached), inputTokens);
  return {
    inputTokens,
    outputTokens: toCount(reported.output),
    ...(cachedInputTokens > 0 && { cachedInputTokens }),
  };
}

function toCount(tokens: unknown): number {
  const isCount = typeof tokens === "number" && tokens > 0;
  return isCount ? Math.min(Math.round(tokens), MAX_INT4) : 0;
}
