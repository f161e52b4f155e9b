import { Counter, Histogram, type Registry } from "prom-client";
import { boundedNames } from "../../platform/telemetry/metrics.ts";
import type { AnsweredBy, Transaction } from "./contract.ts";

/** What models do, for operators. Labels are names that administrators gave: no user, no text. */
export interface ReplyCounts {
  /** A reply that was charged. */
  replied(transaction: Transaction): void;
  /** A call to a provider that failed, also one that is repeated. */
  failed(provider: string, code: string): void;
  /** A reply of a model in the place of another. */
  replaced(by: AnsweredBy): void;
}

const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640];

export function countReplies(registry: Registry): ReplyCounts {
  const registers = [registry];
  const tokens = new Counter({
    name: "model_tokens_total",
    help: "Tokens of replies, by direction: input, of which cached_input and cache_write_input, and output",
    labelNames: ["provider", "model", "direction"],
    registers,
  });
  const duration = new Histogram({
    name: "model_reply_duration_seconds",
    help: "Time from the question to the end of a reply, by how it ended",
    labelNames: ["provider", "model", "finish_reason"],
    buckets: SECONDS,
    registers,
  });
  const failures = new Counter({
    name: "model_provider_errors_total",
    help: "Calls to a provider that failed, by our code of the error",
    labelNames: ["provider", "code"],
    registers,
  });
  const replaced = new Counter({
    name: "model_fallbacks_total",
    help: "Replies of a model in the place of another, by why that one did not answer",
    labelNames: ["model", "instead_of", "code"],
    registers,
  });
  // without a catalogue, who asks names the model
  const labelOf = boundedNames();
  return {
    replied(transaction) {
      const model = labelOf(transaction.model);
      const { provider, inputTokens, outputTokens } = transaction;
      const { cachedInputTokens = 0, cacheWriteInputTokens = 0 } = transaction;
      tokens.inc({ provider, model, direction: "input" }, inputTokens);
      tokens.inc({ provider, model, direction: "output" }, outputTokens);
      tokens.inc({ provider, model, direction: "cached_input" }, cachedInputTokens);
      tokens.inc(
        { provider, model, direction: "cache_write_input" },
        cacheWriteInputTokens,
      );
      duration.observe(
        { provider, model, finish_reason: transaction.finishReason },
        transaction.durationMs / 1_000,
      );
    },
    failed: (provider, code) => failures.inc({ provider, code }),
    replaced: ({ model, insteadOf, code }) =>
      replaced.inc({ model: labelOf(model), instead_of: labelOf(insteadOf), code }),
  };
}
